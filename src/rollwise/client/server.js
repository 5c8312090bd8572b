/* A game on a server, which checks every event and sends the events of all windows and its advice. */

import { Refusal, parseEvent } from "./game.js";
import { t } from "./languages.js";
import { eventWords, progressWords } from "./words.js";
import { TableGame } from "./table_game.js";

/** @typedef {import("./game.js").Box} Box
 * @typedef {import("./game.js").Stage} Stage
 * @typedef {import("./turn.js").Option} Option
 */

/** The win probabilities of two players.
 * @typedef {{first: number, shares: string[], assumes: "win" | "points" | "strategy"}} Outlook
 */

/** The state of a game, as the server sends it after every change.
 * @typedef {object} State
 * @property {string[]} events
 * @property {Stage} stage
 * @property {[number, Box][]} possible
 * @property {Option[]} options
 * @property {(number | null)[]} values
 * @property {boolean} canUndo
 * @property {boolean} isWaiting whether a computer opponent is to move
 * @property {boolean} isPreparing whether advice is to come
 * @property {{event: string, player: number, gained: number} | null} last the last event, and the points that it brought
 * @property {boolean} isUndone whether an event was taken back after it
 * @property {string} trouble the last error
 * @property {string} unsolved why there is no advice
 * @property {boolean} isSolving whether the solution is to come
 * @property {[share: number, seconds: number] | null} estimate how much of it is done, and the time left
 * @property {Outlook | null} outlook
 * @property {string[]} seats
 * @property {import("./local.js").Review[]} reviews empty until the finished game is reviewed
 * @property {string} unreviewed why there is no review
 * @property {Record<string, number> | null} scale the highest loss of each rating, best first; null until it is known
 */

const PATIENCE = 1000; /* milliseconds until the next attempt to connect */

/** Choose who plays in this browser: one player, or all players without a device.
 * @param {string} address of a game @param {number | ""} player */
export const takeSeat = (address, player) =>
  fetch(`${address}/seat`, { method: "POST", body: new URLSearchParams({ player: String(player) }), redirect: "manual" });

export class ServerGame extends TableGame {
  /** @param {import("./game.js").Rules} rules @param {{players: string[], people: number[], realDice: boolean, own: number | ""}} setting @param {string} address */
  constructor(rules, { players, people, realDice, own }, address) {
    super(rules, players);
    this.humans = people;
    this.isMine = true; /* whether the player to move may be played in this window */
    this.realDice = realDice;
    this.own = own; /* the player whose seat this browser has */
    this.address = address;
    /** @type {State | null} */
    this.state = null;
    /** @type {Map<number, {done: (answer: any) => void, refuse: (why: Refusal) => void}>} the requests without an answer */
    this.requests = new Map();
    this.number = 0;
    this.lost = "";
    this.connected = Promise.resolve();
    /** @type {(isLater: boolean) => void} called with whether there are new events */
    this.show = () => {};
  }

  /** Connect, and connect again when the connection is lost; resolved when the game has come.
   * @returns {Promise<void>} */
  connect() {
    this.connected = new Promise((ready) => this.attempt(ready));
    return this.connected;
  }

  /** @param {(value: void) => void} ready */
  attempt(ready) {
    let isOpen = false;
    this.socket = new WebSocket(this.address);
    this.socket.onmessage = ({ data }) => {
      isOpen = true;
      this.lost = "";
      this.receive(JSON.parse(data));
      ready();
    };
    this.socket.onclose = () => {
      for (const { refuse } of this.requests.values()) refuse(new Refusal(t("The connection was lost. Try again.")));
      this.requests.clear();
      this.lost = t("Connection lost. Connecting again…");
      if (isOpen) this.connected = new Promise((again) => setTimeout(() => this.attempt(again), PATIENCE));
      else setTimeout(() => this.attempt(ready), PATIENCE);
      this.show(false);
    };
  }

  /** @param {{state?: State, isMine?: boolean, id?: number, refused?: string, answer?: any}} message */
  receive({ state, isMine, id, refused, answer }) {
    if (state) {
      const isLater = state.events.join() !== this.state?.events.join();
      this.state = state;
      this.isMine = isMine ?? true;
      this.scores = new Map(state.possible);
      this.show(isLater);
    }
    const request = id === undefined ? undefined : this.requests.get(id);
    if (id !== undefined) this.requests.delete(id);
    if (refused) request?.refuse(new Refusal(refused));
    else request?.done(answer);
  }

  /** @returns {State} */
  get latest() {
    if (!this.state) throw new Error("the game has not come yet");
    return this.state;
  }
  get stage() { return this.latest.stage; }
  get people() { return this.humans; }
  get possible() { return this.isWaiting ? new Map() : this.scores ?? new Map(); }
  get options() { return this.isWaiting ? [] : this.latest.options; }
  get values() { return this.latest.values; }
  get canUndo() { return this.latest.canUndo; }
  get isWaiting() { return this.latest.isWaiting || !this.isMine; }
  get canHurry() { return this.latest.isWaiting; }
  get isPreparing() { return this.latest.isPreparing; }
  get note() { return this.lost || this.latest.trouble; }
  get message() {
    const { last, isUndone } = this.latest;
    if (isUndone) return t("Undone.");
    return last ? eventWords(this.rules, this.players[last.player], parseEvent(this.rules, last.event), last.gained) : "";
  }
  get progress() {
    const { unsolved, isSolving, isWaiting, estimate, stage } = this.latest;
    if (unsolved) return t("No advice: {{reason}}.", { reason: t(unsolved) });
    return isSolving ? progressWords(isWaiting ? this.players[stage.player] : "", estimate) : "";
  }
  get outlook() { return this.latest.outlook; }
  get seats() { return this.latest.seats; }
  get ending() {
    const { unreviewed, reviews, scale } = this.latest;
    const note = unreviewed ? t("The choices were not reviewed: {{reason}}.", { reason: t(unreviewed) }) : !reviews.length ? t("Reviewing every choice…") : scale ? "" : t("Computing the rating…");
    return { note, bounds: scale ?? {} };
  }

  /** Ask the server for something, as soon as it can be reached. It refuses what does not follow
   * the events that this window has seen.
   * @param {object} request @returns {Promise<any>} */
  async ask(request) {
    const after = this.latest.events.length, id = ++this.number;
    await this.connected;
    return new Promise((done, refuse) => {
      this.requests.set(id, { done, refuse });
      this.socket?.send(JSON.stringify({ id, after, ...request }));
    });
  }

  /** @param {string} text @returns {Promise<void>} */
  send(text) { return this.ask({ event: text }); }
  /** @returns {Promise<void>} */
  undo() { return this.ask({ event: "undo" }); }
  /** @param {string} event @returns {Promise<import("./words.js").Gain[]>} */
  why(event) { return this.ask({ event: `why ${event}` }).catch(() => []); }
  hurry() { this.ask({ event: "hurry" }).catch(() => {}); }
  reviews() { return this.latest.reviews; }

  /** Fetch the average points of each category, which the server knows once the game is solved. */
  async fetchAverages() {
    const { categories } = this.rules;
    if (categories.some(({ average }) => average !== null)) return;
    const reply = await fetch(`${location.pathname}/averages`).catch(() => null), averages = reply?.ok ? await reply.json() : {};
    for (const category of categories) category.average = averages[category.key] ?? null;
  }

  /** Begin another game of the same players, with the same ones in this window. */
  async begin() {
    try {
      const address = await this.ask({ event: "again" });
      if (this.people.length > 1) await takeSeat(address, this.own);
      location.href = address;
    } catch (error) {
      this.lost = error instanceof Error ? error.message : "";
      this.show(false);
    }
  }
}
