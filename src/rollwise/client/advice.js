/* Advice for one position after another. Each has an address, and a server says what is best there. */

import { Refusal, awaitsRoll, diceText, extraOf, isOver, nextStage, parseEvent, sorted } from "./game.js";
import { at, replaceAddress } from "./dom.js";
import { editedCard } from "./draft.js";
import { reasonFor } from "./reasons.js";
import { TableGame } from "./table_game.js";

/** @typedef {import("./game.js").Box} Box
 * @typedef {import("./game.js").Stage} Stage
 * @typedef {import("./turn.js").Option} Option
 */

/** What a server says about a position.
 * @typedef {object} Answer
 * @property {Stage} stage
 * @property {[number, Box][]} possible
 * @property {number} saved the saved rolls after a score
 * @property {string} meaning of a value, in words
 * @property {"" | "%"} unit
 * @property {Option[]} options
 * @property {string[]} columns the titles of the cells of an option
 * @property {(number | null)[]} values
 * @property {string[]} notes
 * @property {string} progress how far the options are, or "" if they are there
 * @property {string} trouble why there are none
 */

/** A stage, its text in addresses, and what is known about it. While dice are rolled, the text is that of the roll before.
 * @typedef {{stage: Stage, position: string, answer: Answer, isFollowed?: boolean}} Place
 */

const UNKNOWN = { options: [], columns: [], values: [null], notes: [] };
const PAUSE = 1000; /* milliseconds until the server is asked again */

/** @param {import("./game.js").Rules} rules @param {Stage} stage */
function textOf(rules, { cards: [card], dice, rollsLeft, saved: [saved] }) {
  const entries = rules.categories.flatMap(({ key }, k) => (card[k] ? `${key}=${card[k].points}` : [])), extra = extraOf(card);
  if (extra) entries.push(`extra-bonus=${extra}`);
  if (rules.saved) entries.push(`saved=${saved}`);
  const left = dice.length ? ` | rolls-left ${rollsLeft}` : "";
  return `dice ${diceText(rules, sorted(dice))}${left} | card ${entries.join() || "-"}`;
}

export class Advice extends TableGame {
  /** @param {{rules: import("./game.js").Rules, scores: number[][], query: Record<string, string>, position: string, answer: Answer}} data
   * the possible points of each category, the rules and what to play for, and the first position */
  constructor({ rules, scores, query, position, answer }) {
    super(rules, ["You"]);
    this.scores = scores;
    this.query = query;
    this.realDice = true;
    /** @type {Place[]} the places before, and the present one */
    this.places = [];
    this.show = () => {};
    this.visit({ stage: answer.stage, position, answer: { ...UNKNOWN, ...answer } });
  }

  get place() { return this.places[this.places.length - 1]; }
  get answer() { return this.place.answer; }
  get stage() { return this.place.stage; }
  get possible() { return new Map(this.answer.possible); }
  get options() { return this.answer.options; }
  get columns() { return this.answer.columns; }
  get values() { return this.answer.values; }
  get remark() { return this.answer.notes.join(" "); }
  get progress() { return this.answer.progress; }
  get note() { return this.answer.trouble; }
  get objective() { return { ...super.objective, meaning: this.answer.meaning, unit: this.answer.unit }; }
  get canUndo() { return this.places.length > 1; }
  get isAdvising() { return true; }
  get further() { return awaitsRoll(this.stage) || isOver(this.stage) ? null : { words: "New dice", go: () => this.enterOthers() }; }
  get isOpen() { return !this.stage.dice.length; }
  get prompt() {
    return !this.isOpen || isOver(this.stage) ? "" : "Tap or type your dice. Tap a category to enter its points.";
  }

  /** @param {string} position @returns {Promise<Answer>} rejected with a Refusal */
  async ask(position) {
    const reply = await fetch(`/advise/options?${new URLSearchParams({ ...this.query, position })}`).catch(() => null);
    const answer = await reply?.json().catch(() => null);
    if (!answer?.stage) throw new Refusal(answer?.problem ?? "The server cannot be reached. Trying again…");
    return { ...UNKNOWN, ...answer };
  }

  /** Go to a stage. The server might refuse it, and knows the rolls of the next turn.
   * @param {Stage} stage */
  async go(stage) {
    const position = textOf(this.rules, stage), answer = await this.ask(position);
    this.visit({ stage: { ...answer.stage, dice: stage.dice, held: stage.held }, position, answer });
    this.noteAddress();
  }

  /** @param {Place} place */
  visit(place) {
    this.places.push(place);
    this.follow(place);
  }

  /** Let the address of the page be that of the position. */
  noteAddress() {
    const { position } = this.place;
    replaceAddress(`?${new URLSearchParams({ ...this.query, position })}`);
    at("position").value = position;
    at("problem").textContent = "";
  }

  /** Ask until the options are there, or the player has gone on.
   * @param {Place} place */
  async follow(place) {
    if (place.isFollowed) return;
    place.isFollowed = true;
    while (place === this.place && place.answer.progress) {
      place.answer = await this.ask(place.position).catch(({ message }) => ({ ...place.answer, progress: message }));
      this.show();
      if (place.answer.progress) await new Promise((done) => setTimeout(done, PAUSE));
    }
    place.isFollowed = false;
  }

  /** @param {string} text @param {boolean[]} [held] */
  async send(text, held) {
    const { rules, place } = this, event = parseEvent(rules, text), stage = nextStage(rules, () => this.possible, place.stage, event, held);
    if (event.kind === "keep") this.visit({ ...place, stage, answer: { ...place.answer, possible: [], options: [], progress: "" } });
    else await this.go(event.kind === "score" ? { ...stage, saved: [place.answer.saved] } : stage);
  }

  async undo() {
    this.places.pop();
    this.noteAddress();
    this.follow(this.place);
  }

  /** Enter other dice. */
  async enterOthers() { await this.go({ ...this.stage, dice: [], held: this.stage.held.map(() => false) }); }

  /** Have one roll less left, or after none as many as possible. */
  async changeRolls() {
    const { stage } = this;
    await this.go({ ...stage, rollsLeft: (stage.rollsLeft || stage.rolls) - 1 });
  }

  /** @param {number} category */
  scoresOf(category) { return this.scores[category].map((points) => ({ points, extra: 0, outcome: 0 })); }

  /** @param {number[]} slots */
  async edit(slots) {
    const { stage } = this, [card] = stage.cards, edited = await editedCard(this, card, slots);
    if (edited !== card) await this.go({ ...stage, cards: [edited] });
  }

  /** Begin with an empty scorecard. */
  begin() { location.search = `?${new URLSearchParams(this.query)}`; }

  /** @param {string} action */
  async why(action) { return this.query.objective ? "" : reasonFor(this.rules, this.place.position, action); }
}
