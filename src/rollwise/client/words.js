/* Sentences of the table. */

import { filled, isOver, numbersOn, totalOf } from "./game.js";
import { decimal, listed, t, tn } from "./languages.js";

/** @typedef {import("./game.js").Rules} Rules
 * @typedef {import("./turn.js").Option} Option
 * @typedef {import("./local.js").Review} Review
 * @typedef {Map<number, import("./game.js").Box>} Possible the legal scores
 */

/** What the best option gains over another one, in points: the key of a category, `upper-bonus`, or `extra-bonus`.
 * @typedef {[part: string, points: number]} Gain
 */

/** @param {number} number */
const signed = (number) => (number < 0 ? "−" : "+") + decimal(Math.abs(number), Math.abs(number) < 0.05 ? 2 : 1);
/** @param {number} points */
export const pointsWords = (points) => tn(points, "{{count}} point", "{{count}} points");
/** Return the name of a player as it is shown.
 * @param {string} player */
export const nameOf = (player) => (player === "You" ? t("You") : player);
/** @param {string} text */
export const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** Return the title of a category; slots share the title of the first.
 * @param {Rules} rules @param {number} k */
export function titleOf({ categories, columns }, k) {
  const { name, title, column } = categories[categories[k].first];
  return columns.length ? `${t(name)} (${t(columns[column])})` : t(title);
}

/** Return the numbers on dice in words, such as `1 2 + 7`, which stay on one line.
 * @param {Rules} rules @param {number[]} dice */
export const diceWords = (rules, dice) =>
  onOneLine(numbersOn(rules, dice).map((numbers, i) => (i && numbers.length ? "+ " : "") + numbers.join(" ")).join(" ").trim());

/** @param {string} text */
const onOneLine = (text) => text.replaceAll(" ", "\u00a0");

/** Return an option in words, such as `keep 6 6`, `score Chance`, or `score 0 in Chance` where the points are known.
 * @param {Rules} rules @param {{keep?: number[], category?: number}} option @param {Possible} [possible] */
export function optionWords(rules, { keep, category }, possible) {
  if (category !== undefined) {
    const isZero = possible?.get(category)?.points === 0, values = { category: titleOf(rules, category) };
    return isZero ? t("score 0 in {{category}}", values) : t("score {{category}}", values);
  }
  return keep?.length ? onOneLine(t("keep {{dice}}", { dice: diceWords(rules, keep) })) : t("roll all dice again");
}

/** Return a hint in words: what to do, why, also in a shorter form, and what else.
 * @param {Rules} rules @param {{tie: number, unit: string}} objective @param {Option[]} options best first @param {Possible} possible @param {Gain[]} gains */
export function hintWords(rules, { tie, unit }, [best, second], possible, gains) {
  const next = second && { option: optionWords(rules, second, possible), loss: signed(-second.loss) + unit };
  const rest = !next ? "" : second.loss <= tie ? t("Equally good: {{option}}.", next) : t("Next best: {{option}}, {{loss}}.", next);
  /** @param {Gain[]} gains */
  const reason = (gains) => (gains.length ? t("Gains mainly {{gains}}.", { gains: gainsWords(rules, gains) }) : "");
  return { words: `${capital(optionWords(rules, best, possible))}.`, reasons: [reason(gains), reason(gains.slice(0, 1))], rest };
}

/** @param {Rules} rules @param {Gain[]} gains */
function gainsWords(rules, gains) {
  const words = gains.map(([part, number]) => {
    const points = number < 0.05 ? `<${decimal(0.1, 1)}` : decimal(number, 1), k = rules.categories.findIndex(({ key }) => key === part);
    if (k >= 0) return t("{{points}} in {{category}}", { points, category: titleOf(rules, k) });
    return part === "upper-bonus" ? t("{{points}} towards the bonus", { points }) : t("{{points}} towards the {{bonus}}", { points, bonus: t(rules.extra?.title ?? "") });
  });
  return words.join(", ");
}

/** Return what the best choice gains, if that is known.
 * @param {Rules} rules @param {Gain[]} gains */
export const gainWords = (rules, gains) => (gains.length ? t("The best choice gains {{gains}}.", { gains: gainsWords(rules, gains) }) : "");

/** Return a grade as the tutor says it.
 * @param {number} grade */
export const gradeWords = (grade) => [t("excellent"), t("an inaccuracy"), t("a mistake"), t("a blunder")][grade];

/** Return the number of the grade of a loss.
 * @param {Rules} rules @param {number} loss */
export const gradeOf = ({ grades }, loss) => grades.filter((limit) => loss >= limit).length;

/** Return the tutor's sentence about an option.
 * @param {Rules} rules @param {Option} best @param {Option} chosen */
export const warningWords = (rules, best, chosen) =>
  t("That loses {{points}} points: {{grade}}. Better: {{option}}.", {
    points: decimal(chosen.loss, 1), grade: gradeWords(gradeOf(rules, chosen.loss)), option: optionWords(rules, best),
  });

/** Return the verdict on an option that was taken, which the table shows, its grade, and what the best one gains, also in
 * a shorter form.
 * @param {Rules} rules @param {number} tie @param {Option[]} options best first @param {Option} chosen @param {Possible} possible @param {Gain[]} gains */
export function verdictWords(rules, tie, options, chosen, possible, gains) {
  const grade = gradeOf(rules, chosen.loss), best = optionWords(rules, options[0], possible);
  if (options.length === 1) return { words: t("The only choice: {{option}}.", { option: best }), grade, reasons: ["", ""] };
  /** @param {Gain[]} gains */
  const reason = (gains) => (gains.length ? t("Gains {{gains}}.", { gains: gainsWords(rules, gains) }) : "");
  const reasons = [reason(gains), reason(gains.slice(0, 1))];
  if (chosen.loss <= tie) return { words: t("Correct: {{option}}.", { option: optionWords(rules, chosen, possible) }), grade, reasons };
  const said = chosen.keep?.length === 0 ? t("{{option}}: {{grade}}", { option: optionWords(rules, chosen), grade: gradeWords(grade) }) : gradeWords(grade); /* other choices are marked */
  const loss = `−${chosen.loss < 0.005 ? `<${decimal(0.01, 2)}` : decimal(chosen.loss, 2)}`;
  return { words: t("{{grade}}, {{loss}}. Best: {{option}}.", { grade: capital(said), loss, option: best }), grade, reasons };
}

/** Return how lucky a roll was.
 * @param {number} luck the value after the roll minus the value before it */
export function luckWords(luck) {
  if (Math.abs(luck) < 1) return t("Average roll.");
  return luck > 0 ? t("Lucky roll: {{points}}.", { points: signed(luck) }) : t("Unlucky roll: {{points}}.", { points: signed(luck) });
}

/** Return what was played where the player has tried again.
 * @param {Rules} rules @param {number} tie @param {Option} option */
export function playedWords(rules, tie, option) {
  const loss = option.loss > tie ? ` (${signed(-option.loss)})` : "";
  return t("Played: {{option}}.", { option: optionWords(rules, option) + loss });
}

/** Return the last event of a game in words.
 * @param {Rules} rules @param {string} name of the player @param {import("./game.js").GameEvent} event @param {number} gained points */
export function eventWords(rules, name, event, gained) {
  if (event.kind === "score") return t("{{name}}: {{points}} in {{category}}.", { name: nameOf(name), points: pointsWords(gained), category: titleOf(rules, event.category) });
  const values = { name, dice: diceWords(rules, event.dice) };
  if (event.kind === "roll") return name === "You" ? t("You rolled {{dice}}.", values) : t("{{name}} rolled {{dice}}.", values);
  if (!event.dice.length) return name === "You" ? t("You keep no dice.") : t("{{name}} keeps no dice.", values);
  return name === "You" ? t("You keep {{dice}}.", values) : t("{{name}} keeps {{dice}}.", values);
}

/** Return how far the solution of a game is, for which a player may be waiting.
 * @param {string} waiting the name of the player, or "" @param {[share: number, seconds: number] | null} estimate of the time left */
export function progressWords(waiting, estimate) {
  if (!estimate) return waiting ? t("{{name}} is waiting: computing…", { name: waiting }) : t("Preparing advice…");
  const [share, seconds] = estimate, values = { name: waiting, percent: (100 * share).toFixed(0), time: timeWords(seconds) };
  return waiting ? t("{{name}} is waiting: computing… {{percent}}%, about {{time}} left", values) : t("Preparing advice: {{percent}}%, about {{time}} left", values);
}

/** @param {number} seconds */
function timeWords(seconds) {
  if (seconds < 120) return tn(Math.max(1, Math.round(seconds)), "{{count}} second", "{{count}} seconds");
  return tn(Math.round(seconds / 60), "{{count}} minute", "{{count}} minutes");
}

/** Return who won, and the scores.
 * @param {Rules} rules @param {string[]} players @param {import("./game.js").Stage} stage */
export function resultWords(rules, players, stage) {
  const totals = stage.cards.map((card) => totalOf(rules, card)), most = Math.max(...totals);
  if (players.length === 1) return pointsWords(most);
  const winners = players.filter((_, p) => totals[p] === most).map(nameOf), scores = [...totals].sort((a, b) => b - a).join(" – ");
  if (winners.length > 1) return t("{{names}} tie with {{points}}", { names: listed(winners), points: pointsWords(most) });
  return players[totals.indexOf(most)] === "You" ? t("You win, {{scores}}", { scores }) : t("{{name}} wins, {{scores}}", { name: winners[0], scores });
}

/** Return sentences about a player's game.
 * @param {Rules} rules @param {Review} review */
export function reviewWords(rules, { luck, lost, choices, optimal, worst, moment }) {
  const words = [diceLuckWords(luck), choiceWords(choices, optimal, lost)];
  if (worst) {
    const values = {
      turn: worst.turn, dice: diceWords(rules, worst.dice), chosen: optionWords(rules, worst.chosen), loss: `−${decimal(worst.loss, 1)}`,
      best: optionWords(rules, worst.best),
    };
    words.push(t("Most costly: turn {{turn}}, {{dice}}: {{chosen}} ({{loss}}). Best: {{best}}.", values));
  }
  if (moment)
    words.push(t("Best moment: turn {{turn}}, {{dice}} ({{points}}).", { turn: moment.turn, dice: diceWords(rules, moment.dice), points: signed(moment.luck) }));
  return words;
}

/** @param {string} meaning @param {number} start the value of a player's game before the first roll */
export const startWords = (meaning, start) => t("The {{meaning}} at the start was {{value}}.", { meaning: t(meaning), value: decimal(start, 1) });

/** Return who is likely to win.
 * @param {string[]} players @param {import("./server.js").Outlook} outlook */
export function outlookWords(players, { shares, assumes }) {
  const values = { shares: players.map((player, p) => `${nameOf(player)} ${shares[p]}`).join(", ") };
  switch (assumes) {
    case "win": return t("Win probability if both play to win: {{shares}}", values);
    case "points": return t("Win probability if both play for points: {{shares}}", values);
    default: return t("Win probability if you play for points: {{shares}}", values);
  }
}

/** @param {number} luck */
function diceLuckWords(luck) {
  const points = signed(luck);
  if (Math.abs(luck) < 1) return t("Average dice: luck made almost no difference.");
  return luck > 0 ? t("Lucky dice: {{points}} points.", { points }) : t("Unlucky dice: {{points}} points.", { points });
}

/** @param {number} choices @param {number} optimal @param {number} lost points */
function choiceWords(choices, optimal, lost) {
  if (lost) return t("Best choice: {{optimal}} of {{choices}}. The other choices lost {{points}} points.", { optimal, choices, points: decimal(lost, 1) });
  return tn(choices, "The only choice was optimal.", "All {{count}} choices were optimal.");
}

const SQUARES = ["🟩", "🟨", "🟧", "🟥"];

/** Return the result as text to share: one square per turn, by its loss.
 * @param {Rules} rules @param {string} result @param {Review[]} reviews @param {string} address where others can play, or "" */
export function shareText(rules, result, reviews, address) {
  const lines = reviews.map(({ player, turns, luck, optimal, choices }) => {
    const squares = turns.map((loss) => SQUARES[gradeOf(rules, loss)]).join("");
    const words = t("best choice {{optimal}} of {{choices}}, luck {{luck}}", { optimal, choices, luck: signed(luck) });
    return `${reviews.length > 1 ? `${nameOf(player)}: ` : ""}${squares} ${words}`;
  });
  return [`rollwise – ${t(rules.title)}: ${result}`, ...lines, address].filter(Boolean).join("\n");
}

/** Return the result of some questions as text to share: one square per question.
 * @param {Rules} rules @param {string} title @param {string} result @param {number[]} losses @param {string} link where others find the questions, or "" */
export function quizText(rules, title, result, losses, link) {
  const squares = losses.map((loss) => SQUARES[gradeOf(rules, loss)]).join("");
  return [`rollwise – ${title}, ${t(rules.title)}: ${result} ${squares}`, link].filter(Boolean).join("\n");
}

/** Return what a position asks.
 * @param {Rules} rules @param {import("./game.js").Stage} stage */
export function questionWords({ categories }, { cards, player, rollsLeft }) {
  const values = { turn: filled(cards[player]) + 1, turns: categories.length };
  if (!rollsLeft) return t("Turn {{turn}} of {{turns}}, no rolls left. What would you do?", values);
  return tn(rollsLeft, "Turn {{turn}} of {{turns}}, {{count}} roll left. What would you do?", "Turn {{turn}} of {{turns}}, {{count}} rolls left. What would you do?", values);
}

/** Return what to do next.
 * @param {Rules} rules @param {import("./game.js").Stage} stage @param {string} player @param {{isReal: boolean, isEntering: boolean, players: number}} state */
export function nextWords(rules, stage, player, { isReal, isEntering, players }) {
  if (isOver(stage)) return t("Game over.");
  if (isEntering) return t("What do your dice show? Tap or type the faces.");
  const isExtra = rules.hasExtraRolls && stage.rollsLeft === 1 && stage.saved[stage.player] > 0;
  if (stage.dice.length) {
    const words = stage.rollsLeft ? t("Tap the dice to keep, or a category.") : t("Last roll: choose a category.");
    return isExtra ? `${words} ${t("The next roll is an extra roll.")}` : words;
  }
  const isFirst = !filled(stage.cards[stage.player]), name = nameOf(player);
  if (players > 1) return isReal ? t("{{name}}: roll your dice.", { name }) : isFirst ? t("{{name}}: good luck. Roll the dice.", { name }) : t("{{name}}: roll the dice.", { name });
  return isReal ? t("Roll your dice.") : isFirst ? t("Good luck. Roll the dice.") : t("Roll the dice.");
}
