/* A reviewed game of a server, which also knows the reasons. */

import { emptyCard } from "./game.js";
import { replaceAddress } from "./dom.js";
import { reasonFor } from "./reasons.js";
import { Replay } from "./replay.js";

/** @typedef {import("./game.js").Box} Box
 * @typedef {import("./game.js").Stage} Stage
 * @typedef {import("./turn.js").Option} Option
 */

/** A decision as the page has it: the stage without its scorecards, `chosen` is an index, `line` the position in its
 * notation if the server knows reasons, and `gains` what the best option gains.
 * @typedef {{line: string, stage: Omit<Stage, "cards">, possible: [number, Box][], options: Option[], chosen: number, gains: import("./words.js").Gain[]}} Saved
 */

/** Return the steps with the scorecards before each.
 * @param {import("./game.js").Rules} rules @param {string[]} players @param {Saved[]} saved */
function stepsOf(rules, players, saved) {
  const cards = players.map(() => emptyCard(rules));
  return saved.map((step) => {
    const { player } = step.stage, stage = { ...step.stage, cards: [...cards] }, possible = new Map(step.possible);
    const chosen = step.options[step.chosen], box = possible.get(chosen.category ?? -1);
    if (box) cards[player] = cards[player].map((old, k) => (k === chosen.category ? box : old));
    return { stage, possible, options: step.options, chosen };
  });
}

export class SavedReplay extends Replay {
  /** @param {Omit<import("./replay.js").Played, "steps"> & {steps: Saved[]}} data @param {() => void} done */
  constructor(data, done) {
    super({ ...data, steps: stepsOf(data.rules, data.players, data.steps) }, done);
    this.saved = data.steps;
  }

  /** The number of the step is in the address, so that it can be shared and loaded again.
   * @param {number} number */
  goTo(number) {
    const before = this.number;
    super.goTo(number);
    if (this.number !== before) replaceAddress(`?step=${this.number + 1}`);
  }

  /** @param {string} event */
  async why(event) {
    const { line, gains } = this.saved[this.number];
    if (!this.tried) return gains;
    return line ? reasonFor(this.rules, line, event) : [];
  }
}
