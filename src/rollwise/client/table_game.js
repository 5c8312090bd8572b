/* What the table asks of a game, wherever it is computed: here, on a server, or from a list of positions. */

import { emptyCard, firstStage, filled, isFull, isOver } from "./game.js";
import { t } from "./languages.js";
import { gradeOf, nameOf, resultWords, reviewWords, shareText, startWords } from "./words.js";

/** @typedef {import("./game.js").Box} Box
 * @typedef {import("./game.js").Card} Card
 * @typedef {import("./game.js").Rules} Rules
 * @typedef {import("./game.js").Stage} Stage
 * @typedef {import("./turn.js").Option} Option
 * @typedef {import("./local.js").Review} Review
 */

/** A decision that the result lists; `number` is its place among all.
 * @typedef {{number: number, dice: number[], chosen: Option, best: Option}} Decision
 */

/** What the table shows at the end. The bounds are the highest loss of each rating, best first.
 * @typedef {object} Result
 * @property {string} title
 * @property {{title: string, rating: string, words: string[]}[]} parts
 * @property {Record<string, number>} bounds
 * @property {string} scale what the bounds are, in words
 * @property {string} note
 * @property {Decision[]} decisions
 * @property {boolean} isPerfect whether there is no mistake to practice
 * @property {(address: string) => string} share the text to share, with the address of the games
 */

/** A game at the table. Each kind of game overrides what it knows. */
export class TableGame {
  /** @param {Rules} rules @param {string[]} players */
  constructor(rules, players) {
    this.rules = rules;
    this.players = players;
    this.realDice = false;
  }

  /** What values are, and the largest difference of two equal ones. */
  get objective() { return { meaning: "expected final score", tie: 1e-9, unit: "" }; }

  /** @returns {Stage} */
  get stage() { return firstStage(this.rules, this.players.map(() => emptyCard(this.rules))); }
  /** The legal scores. @returns {Map<number, Box>} */
  get possible() { return new Map(); }
  /** All options, best first; empty while there is no advice. @returns {Option[]} */
  get options() { return []; }
  /** The titles of the cells of an option. */
  get columns() { return ["Value", "Points lost"]; }
  /** The option that was taken here, which the table explains; null while the player chooses. @returns {Option | null} */
  get chosen() { return null; }
  /** The expected final score of every player. @returns {(number | null)[]} */
  get values() { return this.players.map(() => null); }
  /** @returns {import("./server.js").Outlook | null} */
  get outlook() { return null; }
  get seats() { return this.players.map(() => "free"); }
  /** The players who are not computer opponents. */
  get people() { return [...this.players.keys()]; }

  /** What the header says. */
  get heading() {
    const { stage, rules } = this;
    const card = stage.cards[stage.player];
    return isOver(stage) ? t("Game over") : isFull(card) ? "" : t("Turn {{turn}}/{{turns}}", { turn: filled(card) + 1, turns: rules.categories.length });
  }
  /** The words of the large button where it does not roll, or "". */
  get next() { return ""; }
  /** What a second large button says and does. @returns {{words: string, go: () => void} | null} */
  get further() { return null; }
  /** What the button says that takes back the last action. */
  get back() { return { sign: "↶", words: t("Undo") }; }
  /** What keys of this kind of game do. @returns {Record<string, () => void>} */
  get keys() { return {}; }
  /** The values during the game, which the header shows. @returns {import("./course.js").Course | null} */
  get course() { return null; }
  /** What the table asks of the player where it is not the next move of a game, or "". */
  get prompt() { return ""; }
  /** What else is known about the options, or "". */
  get remark() { return ""; }
  /** What is wrong at the moment, or "". */
  get note() { return ""; }
  /** The last event in words. */
  get message() { return ""; }
  /** How far the advice is, or why there is none. */
  get progress() { return ""; }
  get canUndo() { return false; }
  /** Whether the player to move is not played in this window. */
  get isWaiting() { return false; }
  /** Whether the player can choose again where a choice is shown. */
  get canRetry() { return false; }
  /** Whether another game was left for this one. */
  get canLeave() { return false; }
  /** Whether a computer opponent is to move. */
  get canHurry() { return false; }
  /** Whether advice is to come. */
  get isPreparing() { return false; }
  /** Whether the best choice is always shown, and dice of other turns can be entered. */
  get isAdvising() { return false; }
  /** Whether there are no hints, and nothing is taken back. */
  get isQuestion() { return false; }
  /** Whether a tap on a category changes the scorecard by hand, and a tap on a player gives them the turn. */
  get isOpen() { return false; }
  /** The grade of each question, null for those to come; empty in a game. @returns {(number | null)[]} */
  get marks() { return []; }
  /** Whether there is nothing left to do but to look at the result. */
  get isFinished() { return isOver(this.stage); }

  /** Take an event.
   * @param {string} _text @param {boolean[]} [_held] which dice are kept
   * @returns {Promise<void>} rejected with a Refusal */
  async send(_text, _held) {}
  async undo() {}
  /** Hide the choice that is shown, and let the player choose. */
  async retry() {}
  /** Return to the game that was left. */
  leave() {}
  /** Do what the large button says. */
  async goOn() {}
  /** Change the number of rolls left. */
  async changeRolls() {}
  /** End the pauses of a computer opponent. */
  hurry() {}
  /** Give another player the turn.
   * @param {number} _player */
  async turnTo(_player) {}
  /** @param {string[]} _players @param {boolean} _realDice @param {Card[]} [_cards] scorecards that were begun elsewhere */
  begin(_players, _realDice, _cards) {}
  /** Return what the best option gains over another one, if that is known.
   * @param {string} _event @returns {Promise<import("./words.js").Gain[]>} */
  async why(_event) { return []; }
  /** Add the average of each category to the rules, if it is known. */
  async fetchAverages() {}
  /** Return the possible scores of a category, to enter by hand.
   * @param {number} _category @returns {Box[]} */
  scoresOf(_category) { return []; }
  /** Change the scorecard in a category, or in the extra bonus, by hand.
   * @param {number[]} _slots empty for the bonus */
  async edit(_slots) {}
  /** Show a decision of the result, or of the game that is reviewed.
   * @param {number} _number */
  goTo(_number) {}
  /** Return this finished game, decision by decision.
   * @param {() => void} _done called when the player has seen enough @returns {TableGame} */
  replay(_done) { return this; }
  /** Return the mistakes of this finished game as questions.
   * @param {() => void} _done called after the last one @returns {TableGame} */
  practice(_done) { return this; }

  /** @returns {Review[]} */
  reviews() { return []; }
  /** What is known about the end besides the reviews.
   * @returns {{note: string, bounds: Record<string, number>}} */
  get ending() { return { note: "", bounds: {} }; }

  /** @returns {Result} */
  result() {
    const { rules, objective, players, stage, people } = this, reviews = this.reviews(), { note, bounds } = this.ending;
    const title = resultWords(rules, players, stage), reviewed = reviews.filter((_, p) => people.includes(p)).sort((a, b) => b.total - a.total);
    const [start, ...others] = new Set(reviewed.map((review) => startWords(objective.meaning, review.start))); /* they differ where scorecards were begun elsewhere */
    return {
      title, bounds, scale: t("Points lost per game"), note: [others.length ? "" : start, note].filter(Boolean).join(" "), decisions: [],
      parts: reviewed.map((review) => ({
        title: players.length > 1 ? t("{{name}}: {{points}}", { name: nameOf(review.player), points: review.total }) : "", rating: review.rating ?? "", words: reviewWords(rules, review),
      })),
      isPerfect: reviewed.length > 0 && reviewed.every(({ worst }) => !worst || !gradeOf(rules, worst.loss)),
      share: (address) => shareText(rules, title, reviews, address),
    };
  }
}
