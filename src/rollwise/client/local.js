/* A game whose values are in the page: everything is computed here, nothing is sent. */

import {
  awaitsRoll, emptyCard, eventOf, eventText, filled, firstStage, isOver, nextStage, optionOf, parseEvent, pointsOf, sorted, totalOf,
} from "./game.js";
import { legalOutcomes, optionsOf, valueOfCard } from "./turn.js";
import { recalled, remember, replaceAddress } from "./dom.js";
import { today } from "./languages.js";
import { gradeOf } from "./words.js";
import { Quiz } from "./quiz.js";
import { Replay } from "./replay.js";
import { TableGame } from "./table_game.js";

/** @typedef {import("./game.js").Card} Card
 * @typedef {import("./game.js").Rules} Rules
 * @typedef {import("./game.js").Stage} Stage
 * @typedef {import("./turn.js").Option} Option
 * @typedef {import("./turn.js").Solved} Solved
 */

/** A choice of a player that was not optimal.
 * @typedef {{turn: number, dice: number[], loss: number, chosen: Option, best: Option}} Mistake
 */

/** What happened to a player: final score = start + luck − lost.
 * @typedef {object} Review
 * @property {string} player
 * @property {number} total
 * @property {number} start the value of the first scorecard
 * @property {number} luck
 * @property {number} lost
 * @property {number} choices
 * @property {number} optimal
 * @property {Mistake | null} worst
 * @property {number[]} turns the loss in each turn
 * @property {string} [rating] in words
 * @property {{turn: number, dice: number[], luck: number}} [moment] the luckiest roll
 */

/** @param {number} faces @returns {number} */
function randomFace(faces) {
  const limit = 256 - 256 % faces, byte = crypto.getRandomValues(new Uint8Array(1))[0];
  return byte < limit ? 1 + byte % faces : randomFace(faces);
}

/** @param {Card} card @returns {number[]} */
const outcomesOn = (card) => card.map((box) => box?.outcome ?? 0);

/** Return the legal scores of a roll by category.
 * @param {Solved} solved @returns {import("./game.js").Scorer} */
export const scorerOf = (solved) => (card, dice, rollsLeft) => {
  const legal = legalOutcomes(solved, outcomesOn(card), dice, rollsLeft);
  return new Map([...legal].map(([k, outcome]) => [k, { points: solved.points[outcome], extra: solved.extra[outcome], outcome }]));
};

/** Return all scores that a category can have without a bonus for the roll, by points.
 * @param {Solved} solved @param {number} category */
export function scoresOf(solved, category) {
  const outcomes = solved.category.map((k, outcome) => ({ k, outcome, points: solved.points[outcome], extra: solved.extra[outcome] }));
  const scores = outcomes.filter(({ k, outcome, extra }) => outcome && k === category && !extra).sort((a, b) => a.points - b.points);
  return scores.filter(({ points }, i) => !i || points !== scores[i - 1].points).map(({ k: _, ...box }) => box);
}

/** Return all options in a position, best first; their values are final scores.
 * @param {Solved} solved @param {Stage} stage @returns {Option[]} */
export function optionsAt(solved, stage) {
  if (isOver(stage) || awaitsRoll(stage)) return [];
  const card = stage.cards[stage.player], points = pointsOf(card);
  return optionsOf(solved, outcomesOn(card), stage.dice, stage.rollsLeft).map((option) => ({ ...option, value: points + option.value }));
}

/** Return the value of a scorecard as a final score.
 * @param {Solved} solved @param {Card} card */
export const expectedScore = (solved, card) => pointsOf(card) + valueOfCard(solved, outcomesOn(card));

export class LocalGame extends TableGame {
  /** Go on with the last game, or with the last one from a given stage.
   * @param {Rules} rules @param {Solved} solved @param {Stage} [start] */
  constructor(rules, solved, start) {
    super(rules, []);
    this.solved = solved;
    this.scorer = scorerOf(solved);
    this.name = `${rules.name} ${solved.objective}`;
    this.place = start ? `${this.name} from a position` : this.name;
    /** @type {string[]} */
    this.events = [];
    /** @type {number[]} the dice of the whole game, so that undo takes back a choice but not the luck */
    this.throws = [];
    /** @type {Stage[]} the stage before each event, and after the last */
    this.stages = [];
    /** @type {any} the game that was not finished when this one began, which undo brings back */
    this.before = null;
    /** @type {{stage: Stage | null, options: Option[]}} */
    this.known = { stage: null, options: [] };
    if (!this.recall(start)) this.beginAt(start ?? this.firstOf(["You"]), ["You"], false);
  }

  /** @param {string[]} players @param {Card[]} [cards] */
  firstOf(players, cards = players.map(() => emptyCard(this.rules))) { return firstStage(this.rules, cards); }

  /** Begin a game, with scorecards that may have been begun elsewhere.
   * @param {string[]} players @param {boolean} realDice @param {Card[]} [cards] */
  begin(players, realDice, cards) {
    if (this.place !== this.name) replaceAddress(location.pathname); /* it was that of a position */
    this.place = this.name;
    const { before, ...game } = this.saved;
    this.before = game.events.length && !isOver(this.stage) ? game : before;
    this.beginAt(this.firstOf(players, cards), players, realDice);
  }

  /** @param {Stage} stage @param {string[]} players @param {boolean} realDice */
  beginAt(stage, players, realDice) {
    const { categories, rolls, dice, faces } = this.rules;
    this.players = players;
    this.realDice = realDice;
    this.events = [];
    this.throws = Array.from({ length: players.length * categories.length * rolls * dice }, () => randomFace(faces));
    this.stages = [stage];
    this.save();
  }

  get objective() { return { ...super.objective, meaning: this.solved.meaning, tie: this.solved.tie }; }
  get stage() { return this.stages[this.stages.length - 1]; }
  get canUndo() { return this.events.length > 0 || this.before !== null; }
  get possible() {
    const { cards, player, dice, rollsLeft } = this.stage;
    return isOver(this.stage) || awaitsRoll(this.stage) ? new Map() : this.scorer(cards[player], dice, rollsLeft);
  }

  /** All options, best first; empty before a roll. */
  get options() {
    if (this.known.stage !== this.stage) this.known = { stage: this.stage, options: optionsAt(this.solved, this.stage) };
    return this.known.options;
  }

  /** The expected final score of every player. */
  get values() {
    const { cards, player } = this.stage;
    return cards.map((card, p) => (p === player && this.options[0]?.value) || expectedScore(this.solved, card));
  }

  /** @param {number} category */
  scoresOf(category) { return scoresOf(this.solved, category); }

  /** Add an event, and roll if a roll is due next and the dice are not real.
   * @param {string} text an event, or `roll` for a roll by this page
   * @param {boolean[]} [held] which dice are kept
   * @returns {Promise<void>} rejected with a Refusal if the event is not allowed */
  async send(text, held) {
    if (text === "roll") this.roll();
    else this.push(text, held);
    if (!this.realDice && text.startsWith("keep")) this.roll();
    this.save();
  }

  /** @param {string} text @param {boolean[]} [held] */
  push(text, held) {
    this.stages.push(nextStage(this.rules, this.scorer, this.stage, parseEvent(this.rules, text), held));
    this.events.push(text);
  }

  roll() {
    const { dice, rolls, categories } = this.rules, { player, cards, rollsLeft } = this.stage;
    const first = ((player * categories.length + filled(cards[player])) * rolls + rolls - rollsLeft) * dice;
    const faces = Array.from({ length: dice }, (_, i) => this.stage.dice[i] || this.throws[first + i]);
    this.push(eventText(this.rules, { kind: "roll", dice: faces }));
  }

  /** Take back the last choice, the first roll of a turn, or a new game. */
  async undo() {
    if (!this.events.length) return this.restore({ ...this.before, before: null });
    const pop = () => { this.stages.pop(); return this.events.pop() ?? ""; };
    if (pop().startsWith("roll") && this.events.at(-1)?.startsWith("keep")) pop();
    this.save();
  }

  /** All decisions so far. @returns {import("./replay.js").Step[]} */
  get decisions() {
    const { rules, solved, stages, scorer } = this;
    return this.events.flatMap((text, i) => {
      const event = parseEvent(rules, text), stage = stages[i], options = optionsAt(solved, stage);
      if (event.kind === "roll") return [];
      return { stage, possible: scorer(stage.cards[stage.player], stage.dice, stage.rollsLeft), options, chosen: optionOf(options, event) };
    });
  }

  /** @param {() => void} done */
  replay(done) {
    const { rules, players, people, objective, decisions, solved, stages } = this;
    return new Replay({ rules, players, people, objective, steps: decisions, starts: stages[0].cards.map((card) => expectedScore(solved, card)) }, done);
  }

  /** @param {() => void} done */
  practice(done) {
    const mistakes = this.decisions.filter(({ chosen }) => gradeOf(this.rules, chosen.loss)).sort((a, b) => b.chosen.loss - a.chosen.loss);
    return this.quiz(mistakes, { title: "Your mistakes", repeats: true }, "", done);
  }

  /** Return the present stage as the puzzle of a day.
   * @param {string} day @param {string} link */
  puzzle(day, link) {
    const { stage, possible, options } = this;
    return this.quiz([{ stage, possible, options }], { day, isToday: day === today(), link }, `puzzle ${day}`);
  }

  /** @param {(Omit<import("./replay.js").Step, "chosen"> & {chosen?: Option})[]} steps
   * @param {Partial<import("./quiz.js").Questions>} more @param {string} place @param {() => void} [done] */
  quiz(steps, more, place, done) {
    const { rules, objective } = this, held = Array(rules.dice).fill(false);
    const questions = steps.map(({ stage, possible, options, chosen }) => ({
      line: "", stage: { ...stage, cards: [stage.cards[stage.player]], player: 0, saved: [0], held }, possible: [...possible], options,
      chosen: chosen ? eventText(rules, eventOf(chosen)) : "",
    }));
    return new Quiz({ rules, objective, title: "", questions, repeats: false, bounds: {}, day: "", isToday: false, link: "", saves: null, ...more }, place, done);
  }

  /** Review the finished game of every player.
   * @returns {Review[]} */
  reviews() {
    const { rules, solved, players, stages } = this, first = stages[0];
    const reviews = players.map((player, p) => ({
      player, total: totalOf(rules, this.stage.cards[p]), start: expectedScore(solved, first.cards[p]), luck: 0, lost: 0,
      choices: 0, optimal: 0, worst: /** @type {Mistake | null} */ (null), turns: /** @type {number[]} */ ([]),
    }));
    const spent = players.map(() => 0);
    for (const { stage, options, chosen } of this.decisions) {
      const review = reviews[stage.player], turn = filled(stage.cards[stage.player]) + 1;
      const loss = chosen.loss > solved.tie ? chosen.loss : 0;
      review.choices += 1;
      review.optimal += loss ? 0 : 1;
      review.lost += loss;
      spent[stage.player] += loss;
      if (loss > (review.worst?.loss ?? 0))
        review.worst = { turn, dice: sorted(stage.dice), loss, chosen, best: options[0] };
      if (chosen.category !== undefined) review.turns.push(spent.splice(stage.player, 1, 0)[0]);
    }
    for (const review of reviews) review.luck = review.total - review.start + review.lost;
    return reviews;
  }

  /** What is kept of the game. */
  get saved() {
    const { players, events, throws, realDice, before, stages: [start, ...later] } = this;
    const helds = later.map(({ held }) => held); /* an event does not say which of equal dice is kept */
    return { players, events, throws, realDice, helds, start, before };
  }
  save() { remember(this.place, this.saved); }

  /** @param {Stage} [start] of the game, if that matters */
  recall(start) {
    const found = recalled(this.place), isSame = !start || JSON.stringify(found?.start) === JSON.stringify(start);
    if (!found?.start || !isSame) return false;
    this.restore(found);
    return true;
  }

  /** @param {LocalGame["saved"]} saved */
  restore({ players, events, throws, realDice, helds, start, before = null }) {
    Object.assign(this, { players, throws, realDice, before, events: [], stages: [start] });
    for (const [i, text] of events.entries()) this.push(text, helds[i]);
    this.save();
  }
}
