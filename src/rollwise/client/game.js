/* A game as a list of events, the same events that game records have. No page, no values. */

import { t, tn } from "./languages.js";

/** A category of the rules. `first` is the first slot of a category that can be filled several times.
 * @typedef {object} Category
 * @property {string} key
 * @property {string} code what a player types to choose it
 * @property {string} title
 * @property {"upper" | "lower"} section
 * @property {string} needs
 * @property {string} pays
 * @property {number | null} average points in optimal play
 * @property {number} first
 * @property {number} before the category that must be filled before, or -1
 * @property {number} column
 * @property {string} row the key of its row, which categories of several columns share
 * @property {string} name the title without the column
 */

/** Dice of one kind. Each face of a die has a symbol: ordinary dice have 1, 2, …, and dice of other
 * kinds have the next numbers.
 * @typedef {{dice: number, symbols: number[]}} Kind
 */

/** What the table knows of a game's rules.
 * @typedef {object} Rules
 * @property {string} name
 * @property {string} title
 * @property {number} dice
 * @property {number} faces of ordinary dice
 * @property {Kind[]} kinds the kinds of dice, in the order of the display; the first kind is ordinary
 * @property {number[]} numbers the number that each symbol shows
 * @property {number} rolls
 * @property {string} saved the title of the saved or extra rolls; empty if turns have the same number of rolls
 * @property {boolean} hasExtraRolls
 * @property {string[]} columns the titles of the columns; empty if there is only one
 * @property {number[]} colors the color of each face; empty if all faces have the same
 * @property {{threshold: number, points: number}[]} bonus
 * @property {{title: string, points: number, box: number} | null} extra the bonus for every n of a kind after points in `box`
 * @property {number[]} grades the losses from which a choice is an inaccuracy, a mistake, or a blunder
 * @property {Category[]} categories
 */

/** A filled category. `outcome` is the number that a solved game gives to this score.
 * @typedef {{points: number, extra: number, outcome: number}} Box
 * @typedef {(Box | null)[]} Card
 */

/** Dice are in the order of the display; `held` marks those that the last action kept.
 * @typedef {object} Stage
 * @property {Card[]} cards
 * @property {number} player
 * @property {number[]} dice empty before the first roll; 0 for a die that is being rolled
 * @property {boolean[]} held
 * @property {number} rollsLeft
 * @property {number} rolls of this turn
 * @property {number[]} saved the saved rolls of each player
 */

/** @typedef {{kind: "roll" | "keep", dice: number[]} | {kind: "score", category: number}} GameEvent */

/** Returns the legal scores of a roll by category.
 * @typedef {(card: Card, dice: number[], rollsLeft: number) => Map<number, Box>} Scorer
 */

/** An event that the rules do not allow; the message is a sentence for the player. */
export class Refusal extends Error {}

/** @param {Rules} rules @returns {Card} */
export const emptyCard = (rules) => rules.categories.map(() => null);

/** @param {Card} card */
export const isFull = (card) => card.every((box) => box);
/** @param {Card} card */
export const filled = (card) => card.filter((box) => box).length;
/** @param {Stage} stage */
export const isOver = (stage) => stage.cards.every(isFull);
/** @param {Stage} stage */
export const awaitsRoll = ({ cards, player, dice }) => !isFull(cards[player]) && (!dice.length || dice.includes(0));
/** @param {number[]} dice */
export const sorted = (dice) => [...dice].sort((a, b) => a - b);

/** Return the upper-section total of a column.
 * @param {Rules} rules @param {Card} card @param {number} [column] */
export function upperTotal({ categories }, card, column = 0) {
  const isUpper = categories.map((category) => category.section === "upper" && category.column === column);
  return card.reduce((sum, box, k) => sum + (box && isUpper[k] ? box.points : 0), 0);
}

/** Return the upper bonus of a column for its upper-section total.
 * @param {Rules} rules @param {number} total */
export function bonusAt(rules, total) {
  return rules.bonus.reduce((bonus, step) => (total >= step.threshold ? step.points : bonus), 0);
}

/** @param {Card} card */
export const extraOf = (card) => card.reduce((sum, box) => sum + (box?.extra ?? 0), 0);

/** Return the sum of the upper bonuses of all columns.
 * @param {Rules} rules @param {Card} card */
function bonusOf(rules, card) {
  const columns = [...Array(Math.max(rules.columns.length, 1)).keys()];
  return columns.reduce((sum, column) => sum + bonusAt(rules, upperTotal(rules, card, column)), 0);
}

/** Return the points on a scorecard without the upper bonus.
 * @param {Card} card */
export const pointsOf = (card) => card.reduce((sum, box) => sum + (box ? box.points + box.extra : 0), 0);

/** @param {Rules} rules @param {Card} card */
export const totalOf = (rules, card) => pointsOf(card) + bonusOf(rules, card);

/** Return the first stage of a game; scorecards may have been begun elsewhere.
 * @param {Rules} rules @param {Card[]} cards @returns {Stage} */
export function firstStage(rules, cards) {
  const fewest = Math.min(...cards.map(filled));
  return turnOf(rules, cards, cards.findIndex((card) => filled(card) === fewest));
}

/** @param {Rules} rules @param {Card[]} cards @param {number} player @returns {Stage} */
function turnOf(rules, cards, player) {
  return { cards, player, dice: [], held: Array(rules.dice).fill(false), rollsLeft: rules.rolls, rolls: rules.rolls, saved: cards.map(() => 0) };
}

/** Return the numbers on dice, kind by kind.
 * @param {Rules} rules @param {number[]} dice @returns {number[][]} */
export const numbersOn = ({ kinds, numbers }, dice) =>
  kinds.map(({ symbols }) => dice.filter((die) => symbols.includes(die)).map((die) => numbers[die - 1]));

/** @param {Rules} rules @param {Kind} kind */
const hasLargeNumbers = ({ numbers }, { symbols }) => symbols.some((symbol) => numbers[symbol - 1] > 9);

/** Return dice as text; dice of other kinds follow a plus sign.
 * @param {Rules} rules @param {number[]} dice */
export function diceText(rules, dice) {
  const texts = numbersOn(rules, dice).map((numbers, i) => numbers.join(hasLargeNumbers(rules, rules.kinds[i]) ? "," : ""));
  return dice.length ? texts.join("+") : "-";
}

/** Read dice such as `12345+7`.
 * @param {Rules} rules @param {string} text @returns {(number | undefined)[]} undefined for what is not a die of this game */
export function parseDice(rules, text) {
  return text.split("+").flatMap((part, i) => {
    const kind = rules.kinds[i];
    if (!kind) return [undefined];
    const words = part.split(hasLargeNumbers(rules, kind) ? /[ ,]+/ : /[ ,]*/).filter(Boolean);
    return words.map((word) => kind.symbols.find((symbol) => rules.numbers[symbol - 1] === Number(word)));
  });
}

/** @param {Rules} rules @param {GameEvent} event */
export function eventText(rules, event) {
  return `${event.kind} ${"dice" in event ? diceText(rules, event.dice) : rules.categories[event.category].key}`;
}

/** Read an event such as `roll 11366`, `keep 66`, `keep -`, or `score full-house`.
 * @param {Rules} rules @param {string} text @returns {GameEvent} */
export function parseEvent(rules, text) {
  const [verb, ...words] = text.trim().split(" "), rest = words.join(" ");
  if (verb === "score") {
    const category = rules.categories.findIndex(({ key }) => key === rest);
    if (category >= 0) return { kind: verb, category };
  } else if (verb === "roll" || verb === "keep") {
    const dice = rest === "-" ? [] : parseDice(rules, rest);
    if (dice.every((die) => die !== undefined)) return { kind: verb, dice };
  }
  throw new Refusal(t("“{{event}}” is not an event of this game.", { event: text }));
}

/** Mark the dice to keep, those on the left first.
 * @param {number[]} dice @param {number[]} keep @returns {boolean[] | null} null if a die is missing */
export function marked(dice, keep) {
  const wanted = [...keep];
  const held = dice.map((die) => {
    const place = wanted.indexOf(die);
    if (place >= 0) wanted.splice(place, 1);
    return place >= 0;
  });
  return wanted.length ? null : held;
}

/** Return the stage after an event.
 * @param {Rules} rules @param {Scorer} scorer @param {Stage} stage @param {GameEvent} event
 * @param {boolean[]} [held] which dice are kept, if several show the same face
 * @returns {Stage} */
export function nextStage(rules, scorer, stage, event, held) {
  if (isOver(stage)) throw new Refusal(t("The game is over."));
  if (event.kind === "roll") return rolled(rules, stage, event.dice);
  if (awaitsRoll(stage)) throw new Refusal(t("Roll the dice first."));
  return "dice" in event ? kept(stage, event.dice, held) : scored(rules, scorer, stage, event.category);
}

/** @param {Rules} rules @param {Stage} stage @param {number[]} dice @returns {Stage} */
function rolled(rules, stage, dice) {
  if (!awaitsRoll(stage)) throw new Refusal(t("Choose dice to keep, or a category."));
  if (dice.length !== rules.dice) throw new Refusal(tn(rules.dice, "Enter {{count}} die.", "Enter {{count}} dice."));
  const arranged = inPlaces(stage.dice, dice);
  if (!arranged) throw new Refusal(t("The roll does not contain the kept dice."));
  return { ...stage, dice: arranged, rollsLeft: stage.rollsLeft - 1 };
}

/** Put rolled dice into the places of those that were not kept.
 * @param {number[]} before @param {number[]} dice */
function inPlaces(before, dice) {
  if (before.every((die, i) => !die || die === dice[i])) return dice;
  const fresh = [...dice];
  for (const die of before.filter(Boolean)) {
    const place = fresh.indexOf(die);
    if (place < 0) return null;
    fresh.splice(place, 1);
  }
  return before.map((die) => die || /** @type {number} */ (fresh.shift()));
}

/** @param {Stage} stage @param {number[]} keep @param {boolean[]} [wish] @returns {Stage} */
function kept(stage, keep, wish) {
  if (!stage.rollsLeft) throw new Refusal(t("No rolls are left. Choose a category."));
  const chosen = wish && sorted(stage.dice.filter((_, i) => wish[i])).join() === sorted(keep).join();
  const held = chosen ? wish : marked(stage.dice, keep);
  if (!held) throw new Refusal(t("You can keep only dice that you rolled."));
  if (held.every(Boolean)) throw new Refusal(t("Keep fewer dice, or choose a category."));
  return { ...stage, held, dice: stage.dice.map((die, i) => (held[i] ? die : 0)) };
}

/** @param {Rules} rules @param {Scorer} scorer @param {Stage} stage @param {number} category @returns {Stage} */
function scored(rules, scorer, stage, category) {
  const card = stage.cards[stage.player], box = scorer(card, stage.dice, stage.rollsLeft).get(category);
  if (!box) throw new Refusal(t("You cannot score in this category now."));
  const cards = stage.cards.map((other, p) => (p === stage.player ? card.map((old, k) => (k === category ? box : old)) : other));
  return nextTurn(rules, cards, stage.player);
}

/** Return the stage before the turn of the next player with an open category.
 * @param {Rules} rules @param {Card[]} cards @param {number} player who has had the turn @returns {Stage} */
export function nextTurn(rules, cards, player) {
  const players = cards.map((_, p) => (player + 1 + p) % cards.length);
  return turnOf(rules, cards, players.find((p) => !isFull(cards[p])) ?? players[0]);
}

/** Return the event that takes an option.
 * @param {{keep?: number[], category?: number}} option @returns {GameEvent} */
export const eventOf = ({ keep, category = 0 }) => (keep ? { kind: "keep", dice: keep } : { kind: "score", category });

/** Return the option that an event takes.
 * @param {import("./turn.js").Option[]} options @param {GameEvent} event @returns {import("./turn.js").Option} */
export function optionOf(options, event) {
  const option = options.find(({ keep, category }) =>
    "dice" in event ? keep?.join() === sorted(event.dice).join() : category === event.category);
  if (!option) throw new Refusal(t("This is not one of the options."));
  return option;
}
