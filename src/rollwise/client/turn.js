/* One turn of a solved game: computes options from arrays, independently of rules and page.

   The same equations as rollwise.model.turn, with its names. A card is a list of outcomes, one per
   category, 0 while the category is open; a roll or a keep is its point in the lattice of dice. */

import { unpackedNumbers } from "./unpacking.js";

/** A solved game, with the arrays of rollwise.model.arrays.
 * @typedef {object} Solved
 * @property {string} objective
 * @property {string} meaning of a value, in words
 * @property {"mean" | "worst" | "best"} chance
 * @property {number} risk
 * @property {number} scale values are whole multiples of its inverse
 * @property {number} tie the largest difference of two equal values
 * @property {number} faces
 * @property {number} rerolls
 * @property {boolean} stops
 * @property {number[]} bonus_L
 * @property {{stride: number, before: number}[]} categories
 * @property {number[]} category by outcome, as the next four
 * @property {number[]} points
 * @property {number[]} extra
 * @property {number[]} shift
 * @property {number[]} arms
 * @property {number} first_roll
 * @property {number[]} special_J
 * @property {Int32Array} option_T_V_K
 * @property {Int32Array} class_S
 * @property {Int32Array} first_lane_C
 * @property {Int32Array} last_lane_C
 * @property {Int32Array} special_row_C_J
 * @property {Int32Array} parent_K_F
 * @property {Int32Array} child_P_F
 * @property {Int32Array} values
 * @property {Int32Array} start_C
 * @property {number} points_P
 * @property {number} rolls
 * @property {number} tables
 * @property {number} rows
 */

/** The state of a card, as a place in the arrays.
 * @typedef {{code: number, lane: number, armed: number}} Place
 */

/** A legal action: a keep or a category. Its value is in points to come.
 * @typedef {object} Option
 * @property {number[]} [keep]
 * @property {number} [category]
 * @property {number} [outcome]
 * @property {number} value
 * @property {number} loss
 * @property {string[]} [cells] what a table says about it
 */

/** Return the solved game from the data of the page.
 * @param {any} data @returns {Promise<Solved>} */
export async function readSolved(data) {
  const game = { ...data, ...data.outcomes };
  for (const [name, text] of Object.entries(data.arrays)) game[name] = await unpackedNumbers(text);
  game.points_P = game.child_P_F.length / game.faces;
  game.rolls = game.points_P - game.first_roll;
  game.tables = data.stops ? data.rerolls + 1 : 1;
  game.rows = game.option_T_V_K.length / game.tables / data.categories.length;
  game.start_C = new Int32Array(game.first_lane_C.length);
  for (let c = 1; c < game.start_C.length; c++)
    game.start_C[c] = game.start_C[c - 1] + game.last_lane_C[c - 1] - game.first_lane_C[c - 1] + 1;
  /* Each value is off by at most half a unit, so the difference of two values by at most one. */
  game.tie = 1 / game.scale;
  return game;
}

/** Return the state of a card, which is what future turns depend on.
 * @param {Solved} game @param {number[]} card @returns {Place} */
function placeOf(game, card) {
  const place = { code: 0, lane: 0, armed: 0 };
  card.forEach((o, k) => {
    if (!o) return;
    place.code += game.categories[k].stride;
    place.lane = Math.min(place.lane + game.shift[o], game.bonus_L.length - 1);
    place.armed |= game.arms[o];
  });
  return place;
}

/** Return the value of a card: the points to come, upper bonus included.
 * @param {Solved} game @param {number[]} card */
export const valueOfCard = (game, card) => remaining(game, placeOf(game, card));

/** @param {Solved} game @param {Place} place */
function classOf(game, { armed, code }) {
  return game.class_S[armed * (game.class_S.length / 2) + code];
}

/** Return the value to go from a state, upper bonus included.
 * @param {Solved} game @param {Place} place */
function remaining(game, place) {
  const c = classOf(game, place), first = game.first_lane_C[c], last = game.last_lane_C[c];
  const lane = Math.min(Math.max(place.lane, first), last);
  return game.values[game.start_C[c] + lane - first] / game.scale;
}

/** Return the outcome of a roll in every category, 0 where it is not legal.
 * @param {Solved} game @param {number[]} card @param {number} roll @param {number} left */
function outcomesOf(game, card, roll, left) {
  const number = roll - game.first_roll, special = game.special_J.indexOf(number);
  const c = classOf(game, placeOf(game, card));
  const row = special < 0 ? number : game.special_row_C_J[c * game.special_J.length + special];
  const table = game.stops ? left : 0, boxes = game.categories.length;
  return game.categories.map(({ before }, k) =>
    card[k] || (before >= 0 && !card[before]) ? 0
      : game.option_T_V_K[(table * game.rows + row) * boxes + k]);
}

const SMALL_RISK = 1e-6;  // see solving/objectives.py

/** Return the utility of a guaranteed score: expectations are over utilities.
 * @param {Solved} game @param {number} score */
function utility({ risk }, score) {
  if (!risk) return score;
  if (Math.abs(risk) < SMALL_RISK) return Math.expm1(risk * score) / risk;
  return Math.sign(risk) * Math.exp(risk * score);
}
/** Return the guaranteed score with a utility.
 * @param {Solved} game @param {number} worth */
function certain({ risk }, worth) {
  if (!risk) return worth;
  if (Math.abs(risk) < SMALL_RISK) return Math.log1p(risk * worth) / risk;
  return Math.log(Math.sign(risk) * worth) / risk;
}

/** Return the certainty equivalent of scoring an outcome.
 * @param {Solved} game @param {Place} place @param {number} o */
function valueOfOutcome(game, place, o) {
  const after = {
    code: place.code + game.categories[game.category[o]].stride,
    lane: Math.min(place.lane + game.shift[o], game.bonus_L.length - 1),
    armed: place.armed | game.arms[o],
  };
  return game.points[o] + game.extra[o] + remaining(game, after);
}

/** Return the value of each keep with 1, 2, … rerolls left.
 * @param {Solved} game @param {number[]} card */
function keepsOf(game, card) {
  const place = placeOf(game, card), { rolls, first_roll } = game;
  const worth = Array.from({ length: game.tables }, (_, left) =>
    Float64Array.from({ length: rolls }, (_, roll) =>
      Math.max(...outcomesOf(game, card, first_roll + roll, left)
        .map((o) => (o ? utility(game, valueOfOutcome(game, place, o)) : -Infinity)))));
  const keeps = [];
  let rolled = /** @type {Float64Array} */ (worth[0]);
  for (let left = 1; left <= game.rerolls; left++) {
    const kept = thrown(game, rolled);
    if (game.stops) kept.set(worth[left], first_roll);
    keeps.push(kept);
    rolled = bestKept(game, kept).subarray(first_roll);
  }
  return keeps;
}

/** Return the value of keeping each point and rolling the other dice once.
 * @param {Solved} game @param {Float64Array} rolled */
function thrown(game, rolled) {
  const { first_roll, faces, parent_K_F } = game, kept = new Float64Array(game.points_P);
  kept.set(rolled, first_roll);
  for (let keep = first_roll - 1; keep >= 0; keep--) {
    const then = Array.from({ length: faces }, (_, die) => kept[parent_K_F[keep * faces + die]]);
    kept[keep] = game.chance === "mean" ? then.reduce((sum, one) => sum + one) / faces
      : game.chance === "worst" ? Math.min(...then) : Math.max(...then);
  }
  return kept;
}

/** Return for each point the highest value of the points that it contains, itself included.
 * @param {Solved} game @param {Float64Array} kept */
function bestKept(game, kept) {
  const { faces, child_P_F } = game, best = Float64Array.from(kept);
  for (let point = 0; point < best.length; point++)
    for (let die = 0; die < faces; die++) {
      const child = child_P_F[point * faces + die];
      if (child >= 0 && best[child] > best[point]) best[point] = best[child];
    }
  return best;
}

/** Return the point of some dice, in any order.
 * @param {Solved} game @param {number[]} dice */
function pointOf(game, dice) {
  return dice.reduce((point, die) => game.parent_K_F[point * game.faces + die - 1], 0);
}

/** Return all keeps of a roll except the roll itself, those with more dice first.
 * @param {number[]} roll */
function partsOf(roll) {
  /** @type {Map<string, number[]>} */
  const parts = new Map([["", []]]);
  for (const die of [...roll].sort((a, b) => a - b))
    for (const part of [...parts.values()]) parts.set([...part, die].join(), [...part, die]);
  return [...parts.values()].filter((part) => part.length < roll.length)
    .sort((a, b) => b.length - a.length);
}

/** Return the outcome of each legal category for a roll.
 * @param {Solved} game @param {number[]} card @param {number[]} dice @param {number} left
 * @returns {Map<number, number>} */
export function legalOutcomes(game, card, dice, left) {
  const outcomes = outcomesOf(game, card, pointOf(game, dice), left).map((o, k) => /** @type {[number, number]} */ ([k, o]));
  return new Map(outcomes.filter(([, o]) => o));
}

/** Return every legal action with its value in points to come and its loss, best first.
 * @param {Solved} game @param {number[]} card @param {number[]} dice @param {number} left
 * @returns {Option[]} */
export function optionsOf(game, card, dice, left) {
  const place = placeOf(game, card);
  /** @type {Omit<Option, "loss">[]} */
  const options = [];
  for (const [category, outcome] of legalOutcomes(game, card, dice, left))
    options.push({ category, outcome, value: valueOfOutcome(game, place, outcome) });
  if (left) {
    const kept = keepsOf(game, card)[left - 1];
    for (const keep of partsOf(dice))
      options.push({ keep, value: certain(game, kept[pointOf(game, keep)]) });
  }
  options.sort((a, b) => b.value - a.value);
  return options.map((option) => ({ ...option, loss: options[0].value - option.value }));
}
