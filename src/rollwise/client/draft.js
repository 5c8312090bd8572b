/* Scorecards that are entered by hand. */

import { emptyCard, filled } from "./game.js";
import { t, tn } from "./languages.js";
import { TableGame } from "./table_game.js";
import { askPoints, showCategory } from "./sheets.js";
import { nameOf, titleOf } from "./words.js";

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
    this.unasked = [...players.keys()].slice(1);
  }

  get stage() { return { ...super.stage, cards: this.cards, player: this.player }; }
  get heading() { return t("Scorecard so far"); }
  get isOpen() { return true; }
  get canUndo() { return true; }
  get isFinished() { return false; }
  get next() {
    const [following] = this.unasked;
    return following === undefined ? t("Done") : t("Next: {{player}}", { player: nameOf(this.players[following]) });
  }
  get prompt() {
    const { players, player, cards } = this, entered = filled(cards[player]);
    const ask = players.length > 1
      ? t("{{player}}: tap a category, then choose its points.", { player: nameOf(players[player]) }) : t("Tap a category, then choose its points.");
    return entered ? `${ask} ${tn(entered, "{{count}} entered.", "{{count}} entered.")}` : ask;
  }

  async goOn() {
    const [following] = this.unasked;
    if (following === undefined) this.done(this.cards.every((card) => card.every(Boolean)) ? null : this.cards);
    else await this.turnTo(following);
  }
  async undo() { this.done(null); }

  /** @param {number} player */
  async turnTo(player) {
    this.player = player;
    this.unasked = this.unasked.filter((other) => other !== player);
  }

  /** @param {number[]} slots */
  async edit(slots) { this.cards[this.player] = await editedCard(this.game, this.cards[this.player], slots); }
}

/** @param {Card} card @param {number} category @param {Card[0]} box @returns {Card} */
const changed = (card, category, box) => card.map((old, k) => (k === category ? box : old));

/** Ask for the points of the next free slot, or whether to clear the last one.
 * @param {TableGame} game @param {Card} card @param {number[]} slots empty for the bonus of all rolls
 * @returns {Promise<Card>} another card, or the same one if nothing changes */
export async function editedCard(game, card, slots) {
  const { rules } = game, { categories } = rules;
  if (!slots.length) return editedExtra(rules, card);
  const open = slots.find((k) => !card[k]), last = [...slots].reverse().find((k) => card[k]);
  const isNext = open !== undefined && (categories[open].before < 0 || card[categories[open].before]);
  const canClear = last !== undefined && !categories.some(({ before }, k) => before === last && card[k]);
  const slot = slots.length > 1 ? (isNext ? open : undefined) : isNext ? open : canClear ? last : undefined;
  if (slot === undefined && !canClear) { await showCategory(game, slots[0]); return card; }
  const scores = slot === undefined ? [] : game.scoresOf(slot);
  const answer = await askPoints(titleOf(rules, slots[0]), scores.map(({ points }) => points), canClear ? t("Clear") : "");
  if (answer === "clear" && last !== undefined) return changed(card, last, null);
  return answer && slot !== undefined ? changed(card, slot, scores.find(({ points }) => String(points) === answer) ?? null) : card;
}

/** @param {import("./game.js").Rules} rules @param {Card} card @returns {Promise<Card>} */
async function editedExtra({ extra }, card) {
  const box = extra && card[extra.box];
  if (!extra || !box?.points) return card;
  const answer = await askPoints(t(extra.title), Array.from({ length: filled(card) }, (_, n) => n * extra.points), "");
  return answer ? changed(card, extra.box, { ...box, extra: Number(answer) }) : card;
}
