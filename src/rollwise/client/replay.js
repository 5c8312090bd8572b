/* A finished game again, decision by decision, with a verdict on each and another try. */

import { filled, marked, optionOf, parseEvent } from "./game.js";
import { t } from "./languages.js";
import { gradeOf, luckWords, playedWords } from "./words.js";
import { Course } from "./course.js";
import { TableGame } from "./table_game.js";

/** @typedef {import("./game.js").Box} Box
 * @typedef {import("./game.js").Rules} Rules
 * @typedef {import("./game.js").Stage} Stage
 * @typedef {import("./turn.js").Option} Option
 */

/** A decision: the stage before it, its options, best first, and the one that was taken.
 * @typedef {{stage: Stage, possible: Map<number, Box>, options: Option[], chosen: Option}} Step
 */

/** A game with all its decisions, in the order of play. `people` are the players who are not computer opponents.
 * @typedef {{rules: Rules, players: string[], people: number[], starts: number[], steps: Step[], objective?: TableGame["objective"]}} Played
 */

export class Replay extends TableGame {
  /** @param {Played} played @param {() => void} done called when the player leaves */
  constructor({ rules, players, people, starts, steps, objective }, done) {
    super(rules, players);
    this.realDice = true; /* no dice are rolled here */
    this.aim = objective;
    this.humans = people;
    this.starts = starts;
    this.steps = steps;
    this.leave = done;
    this.number = 0;
    this.isTrying = false;
    /** @type {Option | null} the choice of another try */
    this.tried = null;
    /** @type {boolean[] | undefined} the dice that it keeps */
    this.kept = undefined;
    this.graph = new Course(steps.map((step) => this.markOf(step)), starts, rules.categories.length);
    this.graph.show(0);
  }

  /** @param {Step} step @returns {import("./course.js").Mark} */
  markOf({ stage, options, chosen }) {
    const turn = filled(stage.cards[stage.player]), rolled = stage.rolls - stage.rollsLeft;
    return {
      player: stage.player, grade: this.gradeAt(chosen),
      rolled: [turn + (rolled - 0.5) / stage.rolls, options[0].value],
      chosen: [chosen.keep ? turn + rolled / stage.rolls : turn + 1, chosen.value],
    };
  }

  /** @param {Option} option */
  gradeAt({ loss }) { return gradeOf(this.rules, loss); }

  get step() { return this.steps[this.number]; }
  get isLast() { return this.number === this.steps.length - 1; }
  get chosen() { return this.isTrying ? null : this.tried ?? this.step.chosen; }
  get stage() {
    const { stage } = this.step, { chosen } = this;
    return chosen ? { ...stage, held: (this.tried && this.kept) || marked(stage.dice, chosen.keep ?? []) || stage.held } : stage;
  }
  get possible() { return this.step.possible; }
  get options() { return this.isTrying ? [] : this.step.options; }
  get values() { return this.starts.map((_, p) => this.valueOf(p)); }
  get objective() { return this.aim ?? super.objective; }
  get people() { return this.humans; }
  get course() { return this.graph; }
  get heading() {
    const { cards, player, rolls, rollsLeft } = this.step.stage, values = { turn: filled(cards[player]) + 1, roll: rolls - rollsLeft };
    return `${t("Turn {{turn}}, roll {{roll}}", values)} · ${this.number + 1}/${this.steps.length}`;
  }
  get next() { return this.isTrying ? "" : this.isLast ? t("Done") : t("Next"); }
  get prompt() { return this.step.stage.rollsLeft ? t("Try again: tap the dice to keep, or a category.") : t("Try again: choose a category."); }
  get remark() {
    const { tried, step: { chosen, options, stage } } = this;
    return tried ? playedWords(this.rules, this.objective.tie, chosen) : luckWords(options[0].value - this.valueBefore(stage.player));
  }
  get canRetry() { return !this.isTrying && this.step.options.length > 1; }
  get isAgain() { return this.isTrying || this.tried !== null; }
  get canUndo() { return this.number > 0 || this.isAgain; }
  get back() { return { sign: "‹", words: t("Previous") }; }
  get canLeave() { return true; }
  get further() {
    const mistake = this.nextMistake;
    return this.isTrying || mistake === undefined ? null : { words: t("Next mistake"), go: () => this.goTo(mistake) };
  }
  get keys() {
    const { number, steps, further } = this;
    return { ArrowLeft: () => this.goTo(number - 1), ArrowRight: () => this.goTo(number + 1), Home: () => this.goTo(0), End: () => this.goTo(steps.length - 1), m: () => further?.go() };
  }

  /** The next mistake or blunder of a person; after the last one, the first. */
  get nextMistake() {
    const all = [...this.steps.keys()], here = this.number;
    return [...all.slice(here + 1), ...all.slice(0, here)]
      .find((n) => this.gradeAt(this.steps[n].chosen) > 1 && this.people.includes(this.steps[n].stage.player));
  }

  /** Return the value of a player's game before the roll of this step.
   * @param {number} player */
  valueBefore(player) {
    const own = this.steps.slice(0, this.number).filter(({ stage }) => stage.player === player);
    return own.at(-1)?.chosen.value ?? this.starts[player];
  }

  /** @param {number} player */
  valueOf(player) { return player === this.step.stage.player ? this.step.options[0].value : this.valueBefore(player); }

  /** Show a decision.
   * @param {number} number counted from 0 */
  goTo(number) {
    this.number = Math.min(Math.max(number, 0), this.steps.length - 1);
    this.isTrying = false;
    this.tried = null;
    this.graph.show(this.number);
  }

  async goOn() {
    if (this.isLast) this.leave();
    else this.goTo(this.number + 1);
  }
  async undo() { this.goTo(this.isAgain ? this.number : this.number - 1); }
  async retry() { this.isTrying = true; }

  /** @param {string} text @param {boolean[]} [held] */
  async send(text, held) {
    this.tried = optionOf(this.step.options, parseEvent(this.rules, text));
    this.kept = held;
    this.isTrying = false;
  }
}
