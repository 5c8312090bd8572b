/* Positions with all their options, asked one after another: a puzzle, a test, or one's own mistakes. */

import { marked, optionOf, parseEvent } from "./game.js";
import { recalled, remember } from "./dom.js";
import { dayWords, decimal, t, tn } from "./languages.js";
import { capital, gradeOf, gradeWords, optionWords, questionWords, quizText } from "./words.js";
import { reasonFor } from "./reasons.js";
import { TableGame } from "./table_game.js";

/** @typedef {import("./game.js").Box} Box
 * @typedef {import("./game.js").Stage} Stage
 * @typedef {import("./turn.js").Option} Option
 */

/** A position to decide: `line` is its notation, if a server knows reasons, `options` are best first, and `chosen` is the
 * event that was chosen in a game, or "".
 * @typedef {{line: string, stage: Stage, possible: [number, Box][], options: Option[], chosen: string}} Question
 */

/** What a page says about its questions.
 * @typedef {object} Questions
 * @property {import("./game.js").Rules} rules
 * @property {string} title
 * @property {Question[]} questions
 * @property {TableGame["objective"]} [objective]
 * @property {boolean} repeats whether a question is asked again until its answer is good
 * @property {Record<string, number>} bounds the highest loss of each rating, best first; empty if answers are not rated
 * @property {string} day the date, if this is the puzzle of a day, or ""
 * @property {boolean} isToday whether it is the puzzle of today
 * @property {string} link where others find the same questions, or ""
 * @property {Record<string, string> | null} saves what identifies the session on the server, which saves its answers
 */

const DAY = 86_400_000; /* milliseconds */

export class Quiz extends TableGame {
  /** @param {Questions} data @param {string} place what the answers belong to, when the page is loaded again, or ""
   * @param {(() => void)} [done] called at the end instead of the result */
  constructor(data, place, done) {
    super(data.rules, ["You"]);
    this.data = data;
    this.place = place;
    this.done = done;
    /** @type {number[]} the numbers of the questions to come; the first is asked */
    this.ahead = [...data.questions.keys()];
    this.last = 0;
    /** @type {Option[]} the first answer to each question, which counts */
    this.firsts = [];
    /** @type {string[]} all answers, also those to repeated questions */
    this.given = [];
    /** @type {Option | null} the answer to the question that is asked */
    this.answer = null;
    /** @type {boolean[] | undefined} the dice that the answer keeps */
    this.kept = undefined;
    /** @type {number | undefined} a question that is looked at again */
    this.looked = undefined;
    /** @type {[line: string, action: string][]} the answers that the server has not saved yet */
    this.unsaved = [];
    this.trouble = "";
    this.show = () => {};
    this.recall();
    this.tell();
  }

  get number() { return this.looked ?? this.ahead[0] ?? this.last; }
  get question() { return this.data.questions[this.number]; }
  get chosen() { return this.looked === undefined && this.ahead.length ? this.answer : this.firsts[this.number]; }
  get stage() {
    const { stage } = this.question, { chosen } = this, keep = chosen?.keep ?? [];
    return { ...stage, held: (chosen && chosen === this.answer && this.kept) || marked(stage.dice, keep) || stage.held };
  }
  get possible() { return new Map(this.question.possible); }
  get options() { return this.chosen ? this.question.options : []; }
  get marks() { return this.data.questions.map((_, n) => (this.firsts[n] ? gradeOf(this.rules, this.firsts[n].loss) : null)); }
  /** Whether the question was answered before. All are asked once before any is asked again. */
  get isRepeated() { return this.given.length - Number(this.answer !== null) >= this.data.questions.length; }
  get isFinished() { return this.looked === undefined && !this.ahead.length; }
  get note() { return this.chosen ? "" : this.trouble; }
  get prompt() { return questionWords(this.rules, this.stage); }
  get remark() {
    const { rules, trouble, question: { chosen, options } } = this;
    return trouble || !chosen ? trouble : t("In the game: {{option}}.", { option: optionWords(rules, optionOf(options, parseEvent(rules, chosen))) });
  }
  get isQuestion() { return true; }
  get objective() { return this.data.objective ?? super.objective; }
  get canLeave() { return this.done !== undefined; }
  get title() { return this.data.day ? t("Puzzle of {{day}}", { day: dayWords(this.data.day) }) : t(this.data.title); }
  get heading() {
    const { length } = this.data.questions;
    return length === 1 ? "" : this.isRepeated && this.looked === undefined && !this.isFinished ? t("Second try") : t("Question {{number}}/{{questions}}", { number: this.number + 1, questions: length });
  }
  get next() {
    if (this.looked !== undefined || this.isFinished) return t("Result");
    if (!this.answer) return "";
    return this.ahead.length > 1 || this.isAskedAgain ? t("Next") : this.done ? t("Done") : t("Show the result");
  }
  /** Whether the question is asked once more at the end. */
  get isAskedAgain() { return this.data.repeats && this.answer !== null && gradeOf(this.rules, this.answer.loss) > 0; }

  /** @param {string} text @param {boolean[]} [held] */
  async send(text, held) {
    if (!this.isRepeated) this.unsaved.push([this.question.line, text]);
    this.judge(text, held);
    this.save();
    this.tell();
  }

  /** @param {string} text @param {boolean[]} [held] */
  judge(text, held) {
    this.answer = optionOf(this.question.options, parseEvent(this.rules, text));
    this.kept = held;
    this.firsts[this.number] ??= this.answer;
    this.given.push(text);
  }

  async goOn() {
    if (this.looked !== undefined) this.looked = undefined;
    else if (this.answer) this.advance();
    this.save();
    if (this.isFinished) this.leave();
  }

  leave() { this.done?.(); }

  advance() {
    if (this.isAskedAgain) this.ahead.push(this.number);
    this.last = this.number;
    this.ahead.shift();
    this.answer = null;
    if (this.isFinished && this.data.isToday) extendStreak(this.data.day);
  }

  /** @param {number} number */
  goTo(number) { this.looked = number; }

  /** Let the server save the answers that it has not saved yet, also those before a reload. */
  async tell() {
    const { unsaved, data: { saves } } = this;
    for (let [first] = unsaved; saves && first; [first] = unsaved) {
      const body = new URLSearchParams({ ...saves, position: first[0], action: first[1] });
      const reply = await fetch("/practice/answer", { method: "POST", body, keepalive: true }).catch(() => null);
      const trouble = reply?.ok ? "" : t("Your answer is not saved yet. Check the connection.");
      if (trouble !== this.trouble) {
        this.trouble = trouble;
        this.show();
      }
      if (trouble) return; /* the next answer tries it again */
      if (unsaved[0] === first) unsaved.shift();
      this.save();
    }
  }

  /** @param {string} action */
  async why(action) {
    const { line } = this.question;
    return line ? reasonFor(this.rules, line, action) : [];
  }

  result() {
    const { rules, data, firsts, objective: { tie } } = this, losses = firsts.map(({ loss }) => (loss > tie ? loss : 0));
    const lost = losses.reduce((sum, loss) => sum + loss, 0), right = losses.filter((loss) => !loss).length, { length } = firsts;
    const lostWords = lost ? t("{{points}} points lost", { points: decimal(lost, 2) }) : t("no points lost");
    const title = length > 1 ? t("{{right}} of {{questions}} correct", { right, questions: length }) : right ? t("Correct") : capital(gradeWords(gradeOf(rules, lost)));
    const words = [`${capital(lostWords)}.`];
    if (length === 1) words.unshift(t("Your choice: {{option}}. Best: {{best}}.", { option: optionWords(rules, firsts[0]), best: optionWords(rules, data.questions[0].options[0]) }));
    const { last, days } = streak();
    if (data.isToday && last === data.day) words.push(tn(days, "Puzzles solved: {{count}} day.", "Puzzles solved: {{count}} days in a row."));
    const rated = Object.entries(data.bounds).find(([, limit]) => lost <= limit);
    return {
      title, parts: [{ title: "", rating: Object.keys(data.bounds).length ? rated?.[0] ?? "random" : "", words }],
      bounds: data.bounds, scale: t("Points lost in these questions"), note: "", isPerfect: !lost,
      decisions: length > 1 ? firsts.map((chosen, number) => ({ number, dice: data.questions[number].stage.dice, chosen, best: data.questions[number].options[0] })) : [],
      share: () => quizText(rules, this.title, `${title}, ${lostWords}`, losses, data.link),
    };
  }

  save() {
    if (this.place) remember(`answers ${this.place}`, [this.given, this.answer !== null, this.data.saves ? this.unsaved : []], true);
  }

  /** Give the answers again that were given before the page was loaded again. */
  recall() {
    const [given, isShown, unsaved] = recalled(`answers ${this.place}`, true) ?? [];
    if (!given) return;
    try {
      this.unsaved = unsaved;
      for (const text of given) {
        if (this.answer) this.advance();
        this.judge(text);
      }
      if (this.answer && !isShown) this.advance();
    } catch {
      this.begin(); /* they belong to other questions, which were at this place before */
    }
  }

  /** Ask all questions again. */
  begin() {
    remember(`answers ${this.place}`, null, true);
    location.reload();
  }
}

/** Return the last day on which the puzzle of the day was solved, and the days in a row until then.
 * @returns {{last: string, days: number}} */
const streak = () => recalled("puzzles") ?? { last: "", days: 0 };

/** Count a day on which the puzzle of the day was solved.
 * @param {string} today */
function extendStreak(today) {
  const { last, days } = streak(), yesterday = new Date(Date.parse(today) - DAY).toISOString().slice(0, 10);
  if (last !== today) remember("puzzles", { last: today, days: last === yesterday ? days + 1 : 1 });
}
