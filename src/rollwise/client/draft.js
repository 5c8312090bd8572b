/* Scorecards that are entered by hand. */

import { emptyCard, filled } from "./game.js";
import { TableGame } from "./table_game.js";
import { askPoints, showCategory } from "./sheets.js";
import { titleOf } from "./words.js";

/** @typedef {import("./game.js").Card} Card */

export class Draft extends TableGame {
  /** @param {TableGame} game whose rules apply @param {string[]} players
   * @param {(cards: Card[] | null) => void} done called with the scorecards, or with null if there are none */
  constructor(game, players, done) {
    super(game.rules, players);
    this.game = game;
    this.done = done;
    this.cards = players.map(() => emptyCard(game.rules));
    this.player = 0;
  }

  get stage() { return { ...super.stage, cards: this.cards, player: this.player }; }
  get heading() { return "Scorecard so far"; }
  get isOpen() { return true; }
  get canUndo() { return true; }
  get isFinished() { return false; }
  get next() {
    const following = this.players[this.player + 1];
    return following ? `Next: ${following}` : "Done";
  }
  get prompt() {
    const { players, player, cards } = this, entered = filled(cards[player]);
    return `${players.length > 1 ? `${players[player]}: tap` : "Tap"} a category, then choose its points.${entered ? ` ${entered} entered.` : ""}`;
  }

  async goOn() {
    this.player += 1;
    if (this.player === this.players.length) this.done(this.cards.every((card) => card.every(Boolean)) ? null : this.cards);
  }
  async undo() { this.done(null); }

  /** Enter the points of the next free slot, or clear the last one.
   * @param {number[]} slots empty for the bonus of all rolls */
  async edit(slots) {
    const { rules, game } = this, card = this.cards[this.player], { categories } = rules;
    if (!slots.length) return this.enterExtra(card);
    const open = slots.find((k) => !card[k]), last = [...slots].reverse().find((k) => card[k]);
    const isNext = open !== undefined && (categories[open].before < 0 || card[categories[open].before]);
    const canClear = last !== undefined && !categories.some(({ before }, k) => before === last && card[k]);
    const slot = slots.length > 1 ? (isNext ? open : undefined) : isNext ? open : canClear ? last : undefined;
    if (slot === undefined && !canClear) { await showCategory(game, slots[0]); return; }
    const scores = slot === undefined ? [] : game.scoresOf(slot);
    const answer = await askPoints(titleOf(rules, slots[0]), scores.map(({ points }) => points), canClear ? "Clear" : "");
    if (answer === "clear" && last !== undefined) card[last] = null;
    else if (answer && slot !== undefined) card[slot] = scores.find(({ points }) => String(points) === answer) ?? null;
  }

  /** @param {Card} card */
  async enterExtra(card) {
    const { extra } = this.rules, box = extra && card[extra.box];
    if (!extra || !box?.points) return;
    const answer = await askPoints(extra.title, Array.from({ length: filled(card) }, (_, n) => n * extra.points), "");
    if (answer) card[extra.box] = { ...box, extra: Number(answer) };
  }
}
