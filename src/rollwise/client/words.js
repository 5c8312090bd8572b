/* Sentences of the table. */

import { filled, isOver, numbersOn, totalOf } from "./game.js";

/** @typedef {import("./game.js").Rules} Rules
 * @typedef {import("./turn.js").Option} Option
 * @typedef {import("./local.js").Review} Review
 */

/** @param {number} number */
const signed = (number) => (number < 0 ? "−" : "+") + Math.abs(number).toFixed(Math.abs(number) < 0.05 ? 2 : 1);
/** @param {number} points */
export const pointsWords = (points) => `${points} point${points === 1 ? "" : "s"}`;
/** @param {string} text */
export const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** Return the title of a category; slots share the title of the first.
 * @param {Rules} rules @param {number} k */
export const titleOf = ({ categories }, k) => categories[categories[k].first].title;

/** Return the numbers on dice in words, such as `1 2 + 7`, which stay on one line.
 * @param {Rules} rules @param {number[]} dice */
export const diceWords = (rules, dice) =>
  numbersOn(rules, dice).map((numbers, i) => (i && numbers.length ? "+ " : "") + numbers.join(" ")).join(" ").trim().replaceAll(" ", "\u00a0");

/** Return an option in words, such as `keep 6 6` or `score Chance`.
 * @param {Rules} rules @param {{keep?: number[], category?: number}} option */
export function optionWords(rules, { keep, category }) {
  if (category !== undefined) return `score ${titleOf(rules, category)}`;
  return keep?.length ? `keep\u00a0${diceWords(rules, keep)}` : "roll all dice again";
}

/** Return a hint in words: what to do, why, and what else.
 * @param {Rules} rules @param {{tie: number, unit: string}} objective @param {Option[]} options best first @param {string} reason such as `8.5 in Fives`, or "" */
export function hintWords(rules, { tie, unit }, [best, second], reason) {
  const also = second && optionWords(rules, second);
  const next = !second ? "" : second.loss <= tie ? `Equally good: ${also}.` : `Next best: ${also}, ${signed(-second.loss)}${unit}.`;
  return { words: `${capital(optionWords(rules, best))}.`, reason: reason && `Gains mainly ${reason}.`, next };
}

/** Return what the best choice gains, if that is known.
 * @param {string} reason such as `8.5 in Fives` */
export const gainWords = (reason) => (reason ? `The best choice gains ${reason}.` : "");

/** The grades of losses, as the tutor says them. */
export const GRADES = ["excellent", "an inaccuracy", "a mistake", "a blunder"];

/** Return the number of the grade of a loss.
 * @param {Rules} rules @param {number} loss */
export const gradeOf = ({ grades }, loss) => grades.filter((limit) => loss >= limit).length;

/** Return the tutor's sentence about an option.
 * @param {Rules} rules @param {Option} best @param {Option} chosen */
export function warningWords(rules, best, chosen) {
  return `That loses ${chosen.loss.toFixed(1)} points: ${GRADES[gradeOf(rules, chosen.loss)]}. Better: ${optionWords(rules, best)}.`;
}

/** Return the verdict on an option that was taken, which the table shows, its grade, and what the best one gains.
 * @param {Rules} rules @param {number} tie @param {Option[]} options best first @param {Option} chosen @param {string} reason such as `8.5 in Fives`, or "" */
export function verdictWords(rules, tie, options, chosen, reason) {
  const grade = gradeOf(rules, chosen.loss), gains = reason && `Gains ${reason}.`, better = optionWords(rules, options[0]);
  if (options.length === 1) return { words: `The only choice: ${better}.`, grade, reason: "" };
  if (chosen.loss <= tie) return { words: `Correct: ${optionWords(rules, chosen)}.`, grade, reason: gains };
  const said = chosen.keep?.length === 0 ? `${optionWords(rules, chosen)}: ${GRADES[grade]}` : GRADES[grade]; /* other choices are marked */
  return { words: `${capital(said)}, −${chosen.loss < 0.005 ? "<0.01" : chosen.loss.toFixed(2)}. Best: ${better}.`, grade, reason: gains };
}

/** Return how lucky a roll was.
 * @param {number} luck the value after the roll minus the value before it */
export function luckWords(luck) {
  return Math.abs(luck) < 1 ? "Average roll." : `${luck > 0 ? "Lucky" : "Unlucky"} roll: ${signed(luck)}.`;
}

/** Return what was played where the player has tried again.
 * @param {Rules} rules @param {number} tie @param {Option} option */
export function playedWords(rules, tie, option) {
  return `Played: ${optionWords(rules, option)}${option.loss > tie ? ` (${signed(-option.loss)})` : ""}.`;
}

/** Return who won, and the scores.
 * @param {Rules} rules @param {string[]} players @param {import("./game.js").Stage} stage */
export function resultWords(rules, players, stage) {
  const totals = stage.cards.map((card) => totalOf(rules, card)), most = Math.max(...totals);
  if (players.length === 1) return pointsWords(most);
  const winners = players.filter((_, p) => totals[p] === most), scores = [...totals].sort((a, b) => b - a).join(" to ");
  if (winners.length > 1) return `${winners.join(" and ")} tie with ${pointsWords(most)}`;
  return `${winners[0]} ${winners[0] === "You" ? "win" : "wins"}, ${scores}`;
}

/** Return sentences about a player's game.
 * @param {Rules} rules @param {string} meaning @param {Review} review */
export function reviewWords(rules, meaning, review) {
  const { start, luck, lost, choices, optimal, worst, moment } = review;
  const words = [Math.abs(luck) < 1 ? "Average dice: luck made almost no difference." : `${luck > 0 ? "Lucky" : "Unlucky"} dice: ${signed(luck)} points.`];
  words.push(lost ? `Best choice: ${optimal} of ${choices}. The others lost ${lost.toFixed(1)} points.` : choices === 1 ? "The only choice was optimal." : `All ${choices} choices were optimal.`);
  if (worst)
    words.push(`Most costly: turn ${worst.turn}, ${diceWords(rules, worst.dice)}: ${optionWords(rules, worst.chosen)} (−${worst.loss.toFixed(1)}). Best: ${optionWords(rules, worst.best)}.`);
  if (moment) words.push(`Best moment: ${moment}`);
  return [...words, `The ${meaning} at the start was ${start.toFixed(1)}.`];
}

const SQUARES = ["🟩", "🟨", "🟧", "🟥"];

/** Return the result as text to share: one square per turn, by its loss.
 * @param {Rules} rules @param {string} result @param {Review[]} reviews @param {string} address where others can play, or "" */
export function shareText(rules, result, reviews, address) {
  const lines = reviews.map(({ player, turns, luck, optimal, choices }) =>
    `${reviews.length > 1 ? `${player}: ` : ""}${turns.map((loss) => SQUARES[gradeOf(rules, loss)]).join("")} best choice ${optimal} of ${choices}, luck ${signed(luck)}`);
  return [`rollwise – ${rules.title}: ${result}`, ...lines, address].filter(Boolean).join("\n");
}

/** Return the result of some questions as text to share: one square per question.
 * @param {Rules} rules @param {string} title @param {string} result @param {number[]} losses @param {string} link where others find the questions, or "" */
export function quizText(rules, title, result, losses, link) {
  const squares = losses.map((loss) => SQUARES[gradeOf(rules, loss)]).join("");
  return [`rollwise – ${title}, ${rules.title}: ${result} ${squares}`, link].filter(Boolean).join("\n");
}

/** Return what a position asks.
 * @param {Rules} rules @param {import("./game.js").Stage} stage */
export function questionWords({ categories }, { cards, player, rollsLeft }) {
  const rolls = rollsLeft ? `${rollsLeft} ${rollsLeft > 1 ? "rolls" : "roll"} left` : "no rolls left";
  return `Turn ${filled(cards[player]) + 1} of ${categories.length}, ${rolls}. What would you do?`;
}

/** Return what to do next.
 * @param {Rules} rules @param {import("./game.js").Stage} stage @param {string} player @param {{isReal: boolean, isEntering: boolean, players: number}} state */
export function nextWords(rules, stage, player, { isReal, isEntering, players }) {
  if (isOver(stage)) return "Game over.";
  if (isEntering) return "What do your dice show? Tap or type the faces.";
  const isExtra = rules.hasExtraRolls && stage.rollsLeft === 1 && stage.saved[stage.player] > 0;
  if (stage.dice.length)
    return `${stage.rollsLeft ? "Tap the dice to keep, or a category." : "Last roll: choose a category."}${isExtra ? " The next roll is an extra roll." : ""}`;
  const roll = isReal ? "Roll your dice." : filled(stage.cards[stage.player]) ? "Roll the dice." : "Good luck. Roll the dice.";
  return players > 1 ? `${player}: ${roll[0].toLowerCase()}${roll.slice(1)}` : roll;
}
