/* The table: shows a game and turns taps and keys into its events. */

import { Refusal, awaitsRoll, emptyCard, eventText, filled, isOver, marked, totalOf } from "./game.js";
import { asked, at, made, recalled, remember } from "./dom.js";
import { askOption, askPlayers, askPoints, fillResult, invite, showCategory, showKeys, showRules, warn } from "./sheets.js";
import { accompanyRoll, celebrate, isLively } from "./effects.js";
import { gradeOf, hintWords, nextWords, titleOf, warningWords } from "./words.js";
import { Scorecard, showScorecards } from "./scorecard.js";
import { Tray } from "./tray.js";
import { find } from "./local.js";

/** @typedef {import("./game.js").Box} Box
 * @typedef {import("./game.js").Card} Card
 * @typedef {import("./game.js").GameEvent} GameEvent
 * @typedef {import("./turn.js").Option} Option
 */

/** The key of each die, from left to right. */
const DIE_KEYS = "1234567890-=";
/** The most rolls of a turn that are shown as dots. */
const MOST_DOTS = 4;
/** How long a further tap belongs to a double tap, in milliseconds. */
const BURST = 500;

/** A game at the table, wherever it is computed.
 * @typedef {object} TableGame
 * @property {import("./game.js").Rules} rules
 * @property {{meaning: string, chance: string, risk: number, tie: number}} objective
 * @property {string[]} players
 * @property {import("./game.js").Stage} stage
 * @property {Map<number, Box>} possible the legal scores
 * @property {Option[]} options best first; empty while there is no advice
 * @property {(number | null)[]} values the expected final score of every player
 * @property {boolean} canUndo
 * @property {boolean} realDice
 * @property {string} note what is wrong at the moment, or ""
 * @property {boolean} isWaiting whether the player to move is not played in this window
 * @property {boolean} canHurry whether a computer opponent is to move
 * @property {boolean} isPreparing whether advice is to come
 * @property {string} message the last event in words
 * @property {string} progress how far the advice is, or why there is none
 * @property {import("./server.js").Outlook | null} outlook
 * @property {string[]} seats
 * @property {number[]} people the players who are not computer opponents
 * @property {{note: string, bounds: Record<string, number>}} ending what is known besides the reviews
 * @property {() => void} hurry
 * @property {(event: string) => Promise<string>} why what the best choice gains over another one
 * @property {(text: string, held?: boolean[]) => Promise<void>} send rejected with a Refusal
 * @property {() => Promise<void>} undo
 * @property {(on: boolean) => void} useRealDice
 * @property {(players: string[], cards?: Card[]) => void} begin
 * @property {(category: number) => Box[]} scoresOf the possible scores of a category, to enter by hand
 * @property {() => import("./local.js").Review[]} reviews
 * @property {() => Promise<void>} fetchAverages adds the average of each category to the rules, if it is known
 */

/** Scorecards that are entered by hand.
 * @typedef {{players: string[], cards: Card[], player: number}} Draft
 */

export class Table {
  /** @param {TableGame} game */
  constructor(game) {
    this.game = game;
    this.isHinted = this.isBusy = false;
    /** @type {number | undefined} a category that the next tap scores */
    this.proposed = undefined;
    this.tapped = -Infinity; /* when a category was proposed or scored, in milliseconds */
    this.refusal = this.reason = this.code = "";
    this.refreshes = 0;
    this.wasOver = isOver(game.stage);
    /** @type {number[]} the symbols of real dice entered so far */
    this.typed = [];
    /** @type {Draft | null} */
    this.draft = null;
    this.hasTutor = Boolean(recalled("tutor"));
    this.card = new Scorecard(game.rules, at("card"), {
      choose: (slots) => this.choose(slots), explain: (k) => showCategory(game, k), chooseExtra: () => this.enterExtra(),
    });
    this.tray = new Tray(game.rules, at("dice"), at("faces"), { hold: (i) => this.hold(i), enter: (symbol) => this.enter(symbol) });
    /** @type {boolean[]} which dice the player means to keep */
    this.held = [];
    this.listen();
    this.lay();
    const [place, held] = recalled("held", true) ?? [];
    if (place === this.place) this.setHeld(held);
  }

  listen() {
    let pressed = -Infinity; /* several fast clicks roll once */
    at("roll").onclick = (/** @type {MouseEvent} */ { detail, timeStamp }) => {
      const isBurst = detail > 1 && timeStamp - pressed < BURST;
      pressed = this.draft ? -Infinity : timeStamp;
      if (!isBurst) this.roll();
    };
    /* A browser also counts clicks at the same place on different buttons, such as one of a dialog. */
    document.addEventListener("click", ({ target }) => { if (!at("roll").contains(target)) pressed = -Infinity; }, true);
    at("hint").onclick = () => this.hint();
    at("say").onclick = () => { if (this.offer) this.takeUp(this.offer); };
    at("all").onclick = () => this.showAll();
    at("undo").onclick = () => this.undo();
    at("menu-button").onclick = () => this.menu();
    at("dice").onclick = () => this.hurry();
    for (const [name, isOn] of Object.entries({ tutor: this.hasTutor, effects: recalled("effects") !== false, sound: Boolean(recalled("sound")) })) {
      at(name).checked = isOn;
      at(name).onchange = () => {
        remember(name, at(name).checked);
        this.hasTutor = at("tutor").checked;
      };
    }
    const real = at("real"); /* the dice of a game on a server are chosen when it begins */
    if (real) {
      real.checked = this.game.realDice;
      real.onchange = () => this.act(async () => this.game.useRealDice(real.checked));
    }
    document.addEventListener("keydown", (event) => this.key(event));
    addEventListener("resize", () => this.showWords());
  }

  /** Build the scorecard for the players of the game, and show everything. */
  lay() {
    this.card.lay(this.draft?.players ?? this.game.players);
    this.refresh();
  }

  /* --- state --- */

  get stage() {
    const { stage, rules } = this.game, { draft } = this;
    return draft ? { ...stage, ...draft, dice: [], held: [], rollsLeft: rules.rolls } : stage;
  }
  get canHold() { return this.stage.rollsLeft > 0 && !isOver(this.stage) && !this.isBusy; }
  get isEntering() { return !this.draft && !this.game.isWaiting && this.game.realDice && awaitsRoll(this.stage); }
  /** The faces of the dice; entered faces fill the gaps. */
  get faces() {
    const { stage, typed } = this, blanks = stage.dice.length ? stage.dice : this.tray.dice.map(() => 0);
    let next = 0;
    return blanks.map((die) => die || (typed[next++] ?? 0));
  }
  get keep() { return this.stage.dice.filter((_, i) => this.held[i]).sort((a, b) => a - b); }
  /** The option that a tap on the words takes, unless the dice are held already. */
  get offer() {
    const { options } = this.game, [best] = options;
    if (this.proposed !== undefined) return options.find(({ category }) => category === this.proposed);
    return this.isHinted && best.keep?.join() !== this.keep.join() ? best : undefined;
  }
  /** The page and the stage to which held dice belong. */
  get place() { return location.pathname + JSON.stringify(this.stage); }
  /** @param {Option} option */
  isBest(option) { return option.loss <= this.game.objective.tie; }

  /** Change the game, and show it. A refused event leaves the view as it was, with a sentence.
   * @param {() => Promise<void>} change @param {{isUndo?: boolean, isRoll?: boolean}} [what] */
  async act(change, { isUndo = false, isRoll = false } = {}) {
    if (this.isBusy) return;
    const { dice } = this.stage, before = this.refreshes;
    this.isBusy = true;
    at("dice").classList.toggle("rolling", isRoll && !this.game.realDice);
    this.showActions(); /* a tap has an effect at once, however slow the server is */
    try {
      await change();
      if (this.refreshes === before) this.refresh(); /* else a server has sent the events, and the player may have gone on */
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.refresh(error.message);
    }
    const { dice: after, held } = this.stage;
    if (!isUndo && !this.game.realDice && after.length && !after.includes(0) && after !== dice) {
      this.tray.toss(held.map((isHeld) => !isHeld));
      accompanyRoll(held.filter((isHeld) => !isHeld).length);
    }
  }

  /** Show what has come from elsewhere; what the player was about to do stays if it is still possible.
   * @param {boolean} isLater whether there are new events */
  update(isLater) {
    if (isLater) this.refresh();
    else this.show();
    for (const sheet of [at("warning"), at("options")]) if (isLater && sheet.open) sheet.close(); /* another window has gone on */
    if (at("end").open) fillResult(this.game);
    else if (isLater && isOver(this.stage) && !this.wasOver) this.showEnd();
  }

  refresh(refusal = "") {
    this.refreshes += 1;
    this.isHinted = this.isBusy = false;
    this.proposed = undefined;
    this.typed = [];
    this.code = this.reason = "";
    this.refusal = refusal;
    this.held = [...this.stage.held];
    this.show();
  }

  /* --- input --- */

  /** @param {number} i */
  hold(i) {
    if (this.stage.dice[i] && this.canHold && !awaitsRoll(this.stage)) this.setHeld(this.held.map((isHeld, j) => isHeld !== (i === j)));
  }

  /** Hold some dice. They are still held after a reload, and when the player comes back to the page.
   * @param {boolean[]} held */
  setHeld(held) {
    this.held = held;
    this.proposed = undefined;
    remember("held", [this.place, held], true);
    this.show();
  }

  /** Hold the dice of an option. A category is scored by a second tap, because a score ends the turn.
   * @param {Option} option */
  takeUp(option) {
    const { keep, category } = option, held = keep && marked(this.stage.dice, keep);
    if (this.isBusy) return;
    if (held) return this.setHeld(held);
    if (category === undefined || (category === this.proposed && this.isBurst)) return;
    if (category === this.proposed) return this.choose([category]);
    this.tapped = performance.now();
    this.proposed = category;
    this.isHinted &&= this.isBest(option); /* its reason is for the best choice */
    this.show();
  }

  /** Whether a tap belongs to the one that proposed or scored a category. */
  get isBurst() { return performance.now() - this.tapped < BURST; }

  roll() {
    const { stage, keep, game } = this;
    if (this.draft) return this.nextDraft();
    if (isOver(stage)) return this.showEnd();
    if (game.isWaiting) return this.hurry();
    if (this.isEntering) return;
    if (awaitsRoll(stage)) return this.act(() => game.send("roll"), { isRoll: true });
    if (stage.rollsLeft && keep.length < game.rules.dice) return this.take({ kind: "keep", dice: keep });
  }

  /** End the pauses of a computer opponent. */
  hurry() {
    if (this.game.canHurry) this.game.hurry();
  }

  /** Take an action, unless the tutor makes the player think again.
   * @param {GameEvent} event */
  async take(event) {
    const { held, game } = this;
    if (!this.isBusy && await this.allows(event)) await this.act(() => game.send(eventText(game.rules, event), held), { isRoll: event.kind === "keep" });
  }

  /** @param {GameEvent} event */
  async allows(event) {
    const { game } = this;
    if (this.hasTutor && game.isPreparing) {
      this.refresh("The tutor is not ready yet. Choose again in a moment, or switch the tutor off.");
      return false;
    }
    if (!this.hasTutor || !game.options.length) return true;
    const chosen = find(game.options, event);
    if (!gradeOf(game.rules, chosen.loss)) return true;
    const answer = await warn(game.rules, chosen, warningWords(game.rules, game.options[0], chosen), game.why(eventText(game.rules, event)));
    if (answer === "show" && !this.isHinted) this.hint();
    return answer === "go";
  }

  /** Enter the face of a real die.
   * @param {number} symbol */
  enter(symbol) {
    const { game } = this;
    if (!this.isEntering) return;
    this.typed.push(symbol);
    const { faces } = this;
    if (faces.includes(0)) this.show();
    else this.act(() => game.send(eventText(game.rules, { kind: "roll", dice: faces })));
  }

  async undo() {
    if (this.isBusy) return;
    if (this.typed.pop()) this.show();
    else if (this.proposed !== undefined) {
      this.proposed = undefined;
      this.show();
    } else if (this.draft) this.finishDraft(null);
    else if (this.game.canUndo) {
      const { held } = this.stage;
      await this.act(() => this.game.undo(), { isUndo: true });
      if (this.stage.dice.length && held.some(Boolean)) this.setHeld(held);
    }
  }

  /** Score in a category, enter its points, or explain it.
   * @param {number[]} slots */
  async choose(slots) {
    const { game } = this, due = slots.find((k) => game.possible.has(k));
    if (this.draft) await this.enterPoints(this.draft, slots);
    else if (due === undefined) {
      if (!this.isBurst) await showCategory(game, slots[0]); /* a double tap scores and explains nothing */
    } else {
      this.tapped = performance.now();
      await this.take({ kind: "score", category: due });
      if (isOver(this.stage) && !at("end").open) await this.showEnd();
    }
  }

  /** Show the hint, take it, and then hide it. */
  async hint() {
    const { refreshes } = this;
    if (this.draft || !this.game.options.length) return;
    if (this.offer) return this.takeUp(this.offer);
    this.isHinted = !this.isHinted;
    this.reason = "";
    this.show();
    const reason = this.isHinted ? await this.why() : "";
    if (!reason || !this.isHinted || refreshes !== this.refreshes) return;
    this.reason = reason;
    this.showWords();
  }

  /** Return what the best choice gains over the next best one. */
  async why() {
    const { game } = this, next = game.options.find((option) => !this.isBest(option));
    if (!next) return "";
    const { keep, category = 0 } = next;
    return game.why(eventText(game.rules, keep ? { kind: "keep", dice: keep } : { kind: "score", category }));
  }

  async showAll() {
    const { game } = this;
    if (this.draft || !game.options.length) return;
    const option = await askOption(game.rules, game.objective.tie, game.options, this.why());
    if (option) this.takeUp(option);
  }

  async showEnd() {
    const { game, stage } = this, totals = stage.cards.map((card) => totalOf(game.rules, card));
    if (!this.wasOver && totals.length > 1 && game.people.some((p) => totals[p] === Math.max(...totals))) celebrate();
    this.wasOver = true;
    fillResult(game);
    if (await asked("end") === "again") this.begin(this.game.players);
  }

  async menu() {
    at("all-cards").hidden = this.game.players.length < 2;
    const wish = await asked("menu");
    if (wish === "invite") invite();
    if (wish === "rules") showRules(this.game);
    if (wish === "keys") showKeys(this.game.rules);
    if (wish === "cards") showScorecards(this.game.rules, this.game.players, this.game.stage);
    if (wish !== "new") return;
    const { choice, players } = await askPlayers(this.game.players);
    if (choice === "start") this.begin(players);
    if (choice === "enter") this.beginDraft(players);
  }

  /** @param {string[]} players @param {Card[]} [cards] */
  begin(players, cards) {
    this.draft = null;
    this.wasOver = false;
    this.game.begin(players, cards);
    this.lay();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (document.querySelector("dialog[open]") || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (this.code) return this.type(event);
    const symbol = this.tray.typedSymbol(event.key), die = DIE_KEYS.indexOf(event.key);
    if (event.key === "h") this.hint();
    else if (event.key === "o") this.showAll();
    else if (event.key === "r" || (event.key === " " && event.target === document.body)) this.roll();
    else if (event.key === "t") at("tutor").click();
    else if (event.key === "?") showKeys(this.game.rules);
    else if (event.key === "u" || event.key === "Backspace") this.undo();
    else if (this.isEntering && symbol) this.enter(symbol);
    else if (die < 0) return this.type(event);
    else if (!this.isEntering) this.hold(die);
    event.preventDefault();
  }

  /** Add a key to the code of a category, and choose the category when no other one is meant.
   * @param {KeyboardEvent} event */
  type(event) {
    const { game } = this, isEnter = event.key === "Enter", isLetter = /^[a-z0-9]$/i.test(event.key);
    if (!isLetter && !(this.code && (isEnter || event.key === "Escape" || event.key === "Backspace"))) return;
    event.preventDefault();
    const code = isLetter ? this.code + event.key.toLowerCase() : isEnter ? this.code : event.key === "Backspace" ? this.code.slice(0, -1) : "";
    const meant = [...game.possible.keys()].filter((k) => game.rules.categories[k].code.startsWith(code));
    const chosen = meant.find((k) => game.rules.categories[k].code === code && (isEnter || meant.length === 1));
    this.code = chosen === undefined && meant.length && !isEnter ? code : "";
    this.refusal = this.code ? `Category: ${code}_ (Enter to confirm, Esc to cancel)` : code && chosen === undefined ? `No open category has the code “${code}”.` : "";
    this.show();
    if (chosen !== undefined) this.choose([chosen]);
  }

  /* --- scorecards entered by hand --- */

  /** @param {string[]} players */
  beginDraft(players) {
    this.draft = { players, cards: players.map(() => emptyCard(this.game.rules)), player: 0 };
    this.lay();
  }
  nextDraft() {
    const { draft } = this;
    if (!draft) return;
    if (draft.player + 1 < draft.players.length) { draft.player += 1; this.refresh(); }
    else this.finishDraft(draft);
  }
  /** @param {Draft | null} draft */
  finishDraft(draft) {
    if (draft && !draft.cards.every((card) => card.every(Boolean))) return this.begin(draft.players, draft.cards);
    this.draft = null;
    this.lay();
  }

  /** Enter the points of the next free slot, or clear the last one.
   * @param {Draft} draft @param {number[]} slots */
  async enterPoints(draft, slots) {
    const { rules } = this.game, card = draft.cards[draft.player], { categories } = rules;
    const open = slots.find((k) => !card[k]), last = [...slots].reverse().find((k) => card[k]);
    const isNext = open !== undefined && (categories[open].before < 0 || card[categories[open].before]);
    const canClear = last !== undefined && !categories.some(({ before }, k) => before === last && card[k]);
    const slot = slots.length > 1 ? (isNext ? open : undefined) : isNext ? open : canClear ? last : undefined;
    if (slot === undefined && !canClear) return showCategory(this.game, slots[0]);
    const scores = slot === undefined ? [] : this.game.scoresOf(slot);
    const answer = await askPoints(titleOf(rules, slots[0]), scores.map(({ points }) => points), canClear ? "Clear" : "");
    if (answer === "clear" && last !== undefined) card[last] = null;
    else if (answer && slot !== undefined) card[slot] = scores.find(({ points }) => String(points) === answer) ?? null;
    this.show();
  }

  async enterExtra() {
    const { draft } = this, { extra } = this.game.rules;
    if (!draft || !extra) return;
    const card = draft.cards[draft.player], box = card[extra.box];
    if (!box?.points) return;
    const answer = await askPoints(extra.title, Array.from({ length: filled(card) }, (_, n) => n * extra.points), "");
    if (answer) card[extra.box] = { ...box, extra: Number(answer) };
    this.show();
  }

  /* --- display --- */

  show() {
    const { game, stage, draft, proposed } = this, { rules } = game;
    this.isHinted &&= game.options.length > 0; /* another window might have taken the seat */
    const best = this.isHinted ? game.options.filter((option) => this.isBest(option)) : [];
    const boxes = proposed === undefined ? best.flatMap(({ category }) => category ?? []) : [proposed];
    this.card.show(stage, draft ? new Map() : game.possible, new Set(boxes), Boolean(draft));
    this.glow(rules, game.possible);
    const keep = best[0]?.keep;
    this.tray.show({
      dice: this.faces, held: this.held, hinted: (keep && marked(stage.dice, keep)) || this.faces.map(() => false),
      canHold: this.canHold, next: this.isEntering ? this.faces.indexOf(0) : -1,
    });
    this.showPlayers();
    this.showActions();
    at("turn").textContent = draft ? "Scorecard so far" : isOver(stage) ? "Game over" : `Turn ${filled(stage.cards[stage.player]) + 1}/${rules.categories.length}`;
    this.showWords();
  }

  /** Let the best category of n of a kind glow.
   * @param {import("./game.js").Rules} rules @param {Map<number, Box>} possible */
  glow(rules, possible) {
    const { dice } = this.stage, isSame = isLively() && dice.length > 2 && dice[0] > 0 && dice.every((die) => die === dice[0]);
    const most = Math.max(...[...possible.values()].map(({ points }) => points));
    for (const { row, slots } of this.card.rows ?? [])
      row.classList.toggle("glow", isSame && rules.kinds.length === 1 && slots.some((k) => possible.get(k)?.points === most));
  }

  showPlayers() {
    const { stage, game, draft } = this, players = draft?.players ?? game.players, { values } = game;
    at("players").replaceChildren();
    at("players").classList.toggle("many", players.length > 4);
    players.forEach((player, p) => {
      const plate = made("span", at("players"), { className: p === stage.player && players.length > 1 ? "plate mine" : "plate" });
      const total = totalOf(game.rules, stage.cards[p]), value = draft || isOver(stage) ? null : values[p];
      if (players.length > 1) made("span", plate, { className: "name", textContent: player });
      made("b", plate, { className: "total", textContent: players.length > 1 ? String(total) : `${total} points`, ariaLabel: `${player}: ${total} points` });
      if (value !== null) made("span", plate, { className: "expected", textContent: `→ ${value.toFixed(players.length > 1 ? 0 : 1)}`, ariaLabel: `${game.objective.meaning} ${value.toFixed(1)}` });
      if (game.outlook && value !== null) made("span", plate, { className: "share", textContent: game.outlook.shares[p] });
      if (game.seats[p] !== "free") made("span", plate, { className: `seat ${game.seats[p]}`, role: "img", ariaLabel: game.seats[p] === "here" ? "here" : "not here" });
    });
    const bar = at("outlook"), { outlook } = game;
    bar.hidden = !outlook;
    if (!outlook) return;
    bar.ariaLabel = `Win probability ${outlook.how}: ${players.map((player, p) => `${player} ${outlook.shares[p]}`).join(", ")}`;
    bar.firstChild.style.width = `${100 * outlook.first}%`;
  }

  showActions() {
    const { stage, game, isEntering, draft, isBusy, offer } = this, again = game.rules.dice - this.keep.length, isAwaited = awaitsRoll(stage);
    document.body.classList.toggle("asks", isEntering);
    document.body.classList.toggle("busy", isBusy);
    at("faces").hidden = !isEntering;
    at("roll").hidden = at("hint").hidden = isEntering;
    at("undo").ariaDisabled = String(!draft && !this.typed.length && this.proposed === undefined && !game.canUndo);
    at("hint").ariaDisabled = at("all").ariaDisabled = String(Boolean(draft) || !game.options.length);
    at("hint").textContent = offer ? "✓" : "?";
    at("hint").ariaLabel = offer ? "Take the hint" : "Hint";
    const isWaiting = game.isWaiting && !isOver(stage);
    const mustScore = !draft && !isOver(stage) && !isAwaited && (!stage.rollsLeft || !again);
    at("roll").ariaDisabled = String(isBusy || mustScore || (isWaiting && !game.canHurry));
    at("roll").textContent = draft ? (draft.player + 1 < draft.players.length ? `Next: ${draft.players[draft.player + 1]}` : "Done")
      : isOver(stage) ? "Result" : isWaiting ? (game.canHurry ? "Skip" : "Please wait") : isAwaited ? "Roll" : mustScore ? "Choose a category"
        : again === game.rules.dice ? "Roll all dice" : `Roll ${again} ${again > 1 ? "dice" : "die"}`;
    if (isOver(stage) || draft || mustScore) return;
    if (stage.rolls > MOST_DOTS) made("small", at("roll"), { textContent: `${stage.rollsLeft} left` });
    else
      for (let i = 0; i < stage.rolls; i++) made("i", at("roll"), { className: i < stage.rollsLeft ? "on" : "", ariaHidden: "true" });
  }

  showWords() {
    const { game, stage, draft, isHinted, proposed } = this, say = at("say"), [words, more] = say.children;
    const hint = isHinted ? hintWords(game.rules, game.objective.tie, game.options, this.reason) : null;
    const second = proposed === undefined ? "" : `Tap again to score ${titleOf(game.rules, proposed)}.`;
    const player = (draft?.players ?? game.players)[stage.player];
    const theirs = !game.isWaiting || isOver(stage) ? "" : game.canHurry ? game.message : `${player} plays.`;
    words.textContent = second || hint?.words || this.refusal || game.note || theirs || (draft ? this.draftWords(draft)
      : nextWords(game.rules, stage, player, { isReal: game.realDice, isEntering: this.isEntering, players: game.players.length }));
    const message = game.isWaiting && game.canHurry && !game.note ? "" : game.message;
    say.classList.toggle("coming", !hint && Boolean(game.progress));
    say.classList.toggle("hint", isHinted || proposed !== undefined);
    more.textContent = hint ? `${hint.reason} ${hint.next}` : game.progress || message;
    if (hint && say.scrollHeight > say.clientHeight) more.textContent = hint.reason; /* all options show the next best one, too */
  }

  /** @param {Draft} draft */
  draftWords({ players, player, cards }) {
    const whose = players.length > 1 ? `${players[player]}: tap` : "Tap", done = filled(cards[player]);
    return `${whose} a category, then choose its points.${done ? ` ${done} entered.` : ""}`;
  }
}
