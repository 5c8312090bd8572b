/* Advice for a game with real dice. Each position has an address, and a server says what is best there. */

import { Refusal, awaitsRoll, diceText, extraOf, firstStage, isFull, isOver, nextStage, nextTurn, parseEvent, sorted, totalOf } from "./game.js";
import { at, replaceAddress } from "./dom.js";
import { editedCard } from "./draft.js";
import { decimal, t } from "./languages.js";
import { reasonFor } from "./reasons.js";
import { TableGame } from "./table_game.js";
import { capital, nameOf } from "./words.js";

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
 * @property {(number | null)[]} values of all players
 * @property {string[]} notes
 * @property {string} progress how far the options are, or "" if they are there
 * @property {string} trouble why there are none
 */

/** The fields of an address: the player to move, if it is not the first, the scorecards of the others, and the position.
 * @typedef {{mover: string, opponents: string, position: string}} Fields
 */

/** A stage, its fields, and what is known about it. While dice are rolled, the fields belong to the roll before.
 * @typedef {{stage: Stage, fields: Fields, answer: Answer, isFollowed?: boolean}} Place
 */

const UNKNOWN = { options: [], columns: [], values: [], notes: [] };
const PAUSE = 1000; /* milliseconds until the server is asked again */

/** @param {import("./game.js").Rules} rules @param {import("./game.js").Card} card @param {number} saved */
function cardText({ categories, saved: savesRolls }, card, saved) {
  const entries = categories.flatMap(({ key }, k) => (card[k] ? `${key}=${card[k].points}` : [])), extra = extraOf(card);
  if (extra) entries.push(`extra-bonus=${extra}`);
  if (savesRolls) entries.push(`saved=${saved}`);
  return entries.join() || "-";
}

/** @param {import("./game.js").Rules} rules @param {string[]} players @param {Stage} stage @returns {Fields} */
function fieldsOf(rules, players, { cards, player, dice, rollsLeft, saved }) {
  const others = cards.map((card, p) => cardText(rules, card, saved[p])), [own] = others.splice(player, 1);
  const left = dice.length ? ` | rolls-left ${rollsLeft}` : "";
  return { mover: player ? players[player] : "", opponents: others.join(";"), position: `dice ${diceText(rules, sorted(dice))}${left} | card ${own}` };
}

/** @param {Record<string, string>} fields */
const queryOf = (fields) => new URLSearchParams(Object.entries(fields).filter(([, value]) => value));

export class Advice extends TableGame {
  /** @param {{rules: import("./game.js").Rules, players: string[], scores: number[][], query: Record<string, string>, fields: Fields, answer: Answer}} data
   * the possible points of each category, what is the same for all positions of the game, and the first position */
  constructor({ rules, players, scores, query, fields, answer }) {
    super(rules, players);
    this.scores = scores;
    this.query = query;
    this.realDice = true;
    /** @type {Place[]} the places before, and the present one */
    this.places = [];
    this.show = () => {};
    this.visit({ stage: answer.stage, fields, answer: { ...UNKNOWN, ...answer } });
  }

  get place() { return this.places[this.places.length - 1]; }
  get answer() { return this.place.answer; }
  get stage() { return this.place.stage; }
  get possible() { return new Map(this.answer.possible); }
  get options() { return this.answer.options; }
  get columns() { return this.answer.columns; }
  get values() { return this.players.map((_, p) => this.answer.values[p] ?? null); }
  get remark() {
    const { answer: { notes, unit, meaning }, options: [best] } = this;
    const value = best && !unit ? [`${capital(t("{{meaning}}: {{value}}", { meaning: t(meaning), value: decimal(best.value, 2) }))}.`] : [];
    return [...value, ...notes.map((note) => t(note))].join(" ");
  }
  get progress() { return t(this.answer.progress); }
  get note() { return t(this.answer.trouble); }
  get objective() { return { ...super.objective, meaning: this.answer.meaning, unit: this.answer.unit }; }
  get canUndo() { return this.places.length > 1; }
  get isAdvising() { return true; }
  get further() { return awaitsRoll(this.stage) || isOver(this.stage) ? null : { words: t("New dice"), go: () => this.enterOthers() }; }
  get isOpen() { return !this.stage.dice.length; }
  get prompt() {
    const { players, stage } = this, player = nameOf(players[stage.player]);
    if (!this.isOpen || isOver(stage)) return "";
    if (isFull(stage.cards[stage.player])) return t("The scorecard of {{player}} is full.", { player });
    return players.length > 1
      ? t("{{player}}: tap or type your dice. Tap a category to enter its points.", { player })
      : t("Tap or type your dice. Tap a category to enter its points.");
  }
  get message() { return this.prompt && this.players.length > 1 ? t("Tap a name to change the turn.") : ""; }

  /** @param {Fields} fields @returns {Promise<Answer>} rejected with a Refusal */
  async ask(fields) {
    const reply = await fetch(`/advise/options?${queryOf({ ...this.query, ...fields })}`).catch(() => null);
    const answer = await reply?.json().catch(() => null);
    if (!answer?.stage) throw new Refusal(answer?.problem ?? t("The server cannot be reached. Trying again…"));
    return { ...UNKNOWN, ...answer };
  }

  /** Go to a stage. The server might refuse it, and knows the rolls of the next turn.
   * @param {Stage} stage */
  async go(stage) {
    const fields = fieldsOf(this.rules, this.players, stage), answer = await this.ask(fields);
    this.visit({ stage: { ...answer.stage, dice: stage.dice, held: stage.held }, fields, answer });
    this.noteAddress();
  }

  /** @param {Place} place */
  visit(place) {
    this.places.push(place);
    this.follow(place);
  }

  /** Let the address of the page be that of the position. */
  noteAddress() {
    const { fields } = this.place, form = at("question-form");
    replaceAddress(`?${queryOf({ ...this.query, ...fields })}`);
    for (const [name, value] of Object.entries(fields)) form[name].value = value;
    at("problem").textContent = "";
  }

  /** Ask until the options are there, or the player has gone on.
   * @param {Place} place */
  async follow(place) {
    if (place.isFollowed) return;
    place.isFollowed = true;
    while (place === this.place && place.answer.progress) {
      place.answer = await this.ask(place.fields).catch(({ message }) => ({ ...place.answer, progress: message }));
      this.show();
      if (place.answer.progress) await new Promise((done) => setTimeout(done, PAUSE));
    }
    place.isFollowed = false;
  }

  /** @param {string} text @param {boolean[]} [held] */
  async send(text, held) {
    const { rules, place } = this, event = parseEvent(rules, text), stage = nextStage(rules, () => this.possible, place.stage, event, held);
    if (event.kind === "keep") this.visit({ ...place, stage, answer: { ...place.answer, possible: [], options: [], progress: "" } });
    else if (event.kind === "roll") await this.go(stage);
    else await this.go({ ...stage, saved: place.stage.saved.map((rolls, p) => (p === place.stage.player ? place.answer.saved : rolls)) });
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

  /** @param {number} player */
  async turnTo(player) { await this.go({ ...this.stage, player }); }

  /** @param {number} category */
  scoresOf(category) { return this.scores[category].map((points) => ({ points, extra: 0, outcome: 0 })); }

  /** @param {number[]} slots */
  async edit(slots) {
    const { rules, stage } = this, { player, saved } = stage, card = stage.cards[player], edited = await editedCard(this, card, slots);
    if (edited === card) return;
    const cards = stage.cards.map((other, p) => (p === player ? edited : other));
    await this.go(isFull(edited) ? { ...nextTurn(rules, cards, player), saved } : { ...stage, cards });
  }

  /** @param {string[]} players @param {boolean} _realDice @param {import("./game.js").Card[]} [cards] */
  begin(players, _realDice, cards) {
    const begun = cards && fieldsOf(this.rules, players, firstStage(this.rules, cards));
    location.search = `?${queryOf({ ...this.query, players: players.join(), ...begun })}`;
  }

  result() {
    const { rules, players, stage } = this, result = super.result();
    if (players.length === 1) return result;
    return { ...result, parts: players.map((player, p) => ({ title: t("{{name}}: {{points}}", { name: nameOf(player), points: totalOf(rules, stage.cards[p]) }), rating: "", words: [] })) };
  }

  /** @param {string} action */
  async why(action) { return this.query.objective ? [] : reasonFor(this.rules, this.place.fields.position, action); }
}
