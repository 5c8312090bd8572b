/* A position in its notation, such as `dice 11366 | rolls-left 1 | card ones=3`. */

import { Refusal, filled, firstStage, parseDice } from "./game.js";
import { t } from "./languages.js";

/** @typedef {import("./game.js").Box} Box
 * @typedef {import("./game.js").Card} Card
 * @typedef {import("./game.js").Rules} Rules
 */

/** Return the entries of a text such as `ones=3,sixes=18`; a dash stands for none.
 * @param {string} text @param {string} separator between entries @param {string} sign in an entry @returns {[string, string][]} */
const entriesOf = (text, separator, sign) => (text === "-" ? [] : text.split(separator).map((entry) => {
  const [name, ...rest] = entry.trim().split(sign);
  return [name, rest.join(sign)];
}));

/** Return the stage of a position; without dice, it is the stage before the first roll.
 * @param {Rules} rules @param {(category: number) => Box[]} scoresOf the possible scores of a category @param {string} text
 * @returns {import("./game.js").Stage} */
export function stageAt(rules, scoresOf, text) {
  const { dice = "-", card = "-", "rolls-left": left = rules.rolls - 1, ...others } = Object.fromEntries(entriesOf(text, "|", " "));
  const rolled = dice === "-" ? [] : parseDice(rules, dice), roll = rolled.filter((die) => die !== undefined), rollsLeft = Number(left);
  const isRoll = roll.length === rolled.length && [0, rules.dice].includes(roll.length), isTurn = rollsLeft >= 0 && rollsLeft < rules.rolls && rollsLeft % 1 === 0;
  const entered = cardOf(rules, scoresOf, new Map(entriesOf(card, ",", "=")));
  if (!entered || !isRoll || !isTurn || Object.keys(others).length) throw new Refusal(t("“{{position}}” is not a position of this game.", { position: text }));
  const stage = firstStage(rules, [entered]);
  return roll.length ? { ...stage, dice: roll, rollsLeft } : stage;
}

/** Return a scorecard with some points by category.
 * @param {Rules} rules @param {(category: number) => Box[]} scoresOf @param {Map<string, string>} entries
 * @returns {Card | null} null if no game has this scorecard */
function cardOf({ categories, extra }, scoresOf, entries) {
  const keys = categories.map(({ key }) => key), isKnown = [...entries.keys()].every((key) => key === "extra-bonus" || keys.includes(key));
  const card = keys.map((key, k) => (entries.has(key) ? scoresOf(k).find(({ points }) => String(points) === entries.get(key)) : null));
  const isWhole = card.includes(null) && card.every((box, k) => box !== undefined && (!box || categories[k].before < 0 || card[categories[k].before]));
  if (!isKnown || !isWhole) return null;
  const found = /** @type {Card} */ (card), bonus = Number(entries.get("extra-bonus") ?? 0), box = extra && found[extra.box];
  if (!bonus) return bonus === 0 ? found : null;
  const isPaid = extra && box?.points && bonus > 0 && bonus % extra.points === 0 && bonus < filled(found) * extra.points;
  return isPaid ? found.map((old, k) => (k === extra.box ? { ...box, extra: bonus } : old)) : null;
}
