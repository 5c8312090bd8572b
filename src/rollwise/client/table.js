/* The table: shows a game and turns taps and keys into its events. */

import { Refusal, awaitsRoll, eventOf, eventText, isOver, marked, optionOf, totalOf } from "./game.js";
import { asked, at, made, recalled, remember } from "./dom.js";
import { askOption, askPlayers, fillResult, invite, showCategory, showKeys, showRules, warn } from "./sheets.js";
import { accompanyRoll, celebrate, isLively } from "./effects.js";
import { decimal, t, tn } from "./languages.js";
import { gradeOf, hintWords, nameOf, nextWords, outlookWords, pointsWords, titleOf, verdictWords, warningWords } from "./words.js";
import { Scorecard, showScorecards } from "./scorecard.js";
import { Draft } from "./draft.js";
import { Tray } from "./tray.js";

/** @typedef {import("./game.js").Box} Box
 * @typedef {import("./game.js").GameEvent} GameEvent
 * @typedef {import("./turn.js").Option} Option
 * @typedef {import("./table_game.js").TableGame} TableGame
 */

/** The key of each die, from left to right. */
const DIE_KEYS = "1234567890-=";
/** The most rolls of a turn that are shown as dots. */
const MOST_DOTS = 4;
/** How long a further tap belongs to a double tap, in milliseconds. */
const BURST = 500;

export class Table {
  /** @param {TableGame} game */
  constructor(game) {
    this.game = this.played = game; /* they differ while scorecards are entered, or a finished game is reviewed */
    this.isHinted = this.isBusy = false;
    /** @type {number | undefined} a category that the next tap scores */
    this.proposed = undefined;
    this.tapped = -Infinity; /* when a category was proposed or scored, in milliseconds */
    this.refusal = this.code = "";
    /** @type {import("./words.js").Gain[]} what the best choice gains */
    this.gains = [];
    this.refreshes = 0;
    this.wasOver = isOver(game.stage);
    /** @type {number[]} the symbols of real dice entered so far */
    this.typed = [];
    this.hasTutor = Boolean(at("tutor") && recalled("tutor"));
    this.card = new Scorecard(game.rules, at("card"), {
      choose: (slots) => this.choose(slots), explain: (k) => showCategory(this.game, k), chooseExtra: () => this.edit([]),
    });
    this.tray = new Tray(game.rules, at("dice"), at("faces"), { hold: (i) => this.hold(i), enter: (symbol) => this.enter(symbol) });
    /** @type {boolean[]} which dice the player means to keep */
    this.held = [];
    /** @type {HTMLElement | null} the button that was last pressed by mouse or touch */
    this.pressed = null;
    this.listen();
    this.lay();
    const [place, held] = recalled("held", true) ?? [];
    if (place === this.place && !game.chosen) this.setHeld(held);
  }

  listen() {
    let pressed = -Infinity; /* several fast clicks roll once */
    at("roll").onclick = (/** @type {MouseEvent} */ { detail, timeStamp }) => {
      const isBurst = detail > 1 && timeStamp - pressed < BURST;
      pressed = this.game.next ? -Infinity : timeStamp;
      if (!isBurst) this.roll();
    };
    /* A browser also counts clicks at the same place on different buttons, such as one of a dialog. */
    document.addEventListener("click", ({ target }) => { if (!at("roll").contains(target)) pressed = -Infinity; }, true);
    at("hint").onclick = () => this.hint();
    at("left").onclick = () => this.act(() => this.game.changeRolls());
    at("say").onclick = () => { if (this.offer) this.takeUp(this.offer); };
    at("all").onclick = () => this.showAll();
    at("undo").onclick = () => this.undo();
    at("further").onclick = () => this.move(() => this.game.further?.go());
    at("players").onclick = (/** @type {MouseEvent & {target: Node}} */ event) => {
      const { course } = this.game;
      if (course?.element.contains(event.target)) this.move(() => this.game.goTo(course.nearest(event)));
    };
    at("menu-button").onclick = () => this.menu();
    at("dice").onclick = () => this.hurry();
    for (const [name, isOn] of Object.entries({ tutor: this.hasTutor, effects: recalled("effects") !== false, sound: Boolean(recalled("sound")) })) {
      const box = at(name);
      if (!box) continue; /* advice has no tutor */
      box.checked = isOn;
      box.onchange = () => {
        remember(name, box.checked);
        if (name === "tutor") this.hasTutor = box.checked;
      };
    }
    /* A button keeps the focus after a press by mouse, and Space still rolls. */
    document.body.onpointerdown = (/** @type {any} */ { target }) => { this.pressed = target.closest("button"); };
    document.addEventListener("keydown", (event) => this.key(event));
    addEventListener("resize", () => this.showWords());
  }

  /** Build the scorecard for the players of the game, and show everything. */
  lay() {
    this.card.lay(this.game.players);
    this.refresh();
  }

  /** Show another game at this table.
   * @param {TableGame} game */
  sit(game) {
    this.game = game;
    this.wasOver = isOver(game.stage);
    this.lay();
  }

  /* --- state --- */

  get stage() { return this.game.stage; }
  get canHold() { return this.stage.rollsLeft > 0 && !this.game.chosen && !isOver(this.stage) && !this.isBusy; }
  get isEntering() { return !this.game.isWaiting && this.game.realDice && awaitsRoll(this.stage); }
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
      this.refresh(error instanceof Refusal ? error.message : "");
      if (!(error instanceof Refusal)) throw error;
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
    this.code = "";
    this.gains = [];
    this.refusal = refusal;
    this.held = [...this.stage.held];
    this.show();
    if (this.game.chosen || this.isHinted) this.explain();
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
    this.isHinted &&= held.some(Boolean); /* a hint to keep dice that is not taken hides, so that all can be rolled */
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

  /** What the large button says, and what it does; nothing while a category must be chosen or another player moves. */
  get main() {
    const { stage, game, keep } = this, again = game.rules.dice - keep.length;
    if (game.next) return { words: game.next, go: () => this.goOn() };
    if (isOver(stage)) return { words: t("Result"), go: () => this.showEnd() };
    if (game.isWaiting) return game.canHurry ? { words: t("Skip"), go: () => game.hurry(), rolls: true } : { words: t("Please wait"), rolls: true };
    if (this.isEntering) return { words: "" };
    if (awaitsRoll(stage)) return { words: t("Roll"), go: () => this.act(() => game.send("roll"), { isRoll: true }), rolls: true };
    const [best] = this.isHinted ? game.options : [], isDue = !stage.rollsLeft || !keep.length, category = this.proposed ?? (isDue ? best?.category : undefined);
    if (best?.keep?.length && !keep.length) return { words: t("Keep them"), go: () => this.takeUp(best) };
    if (category !== undefined) return { words: t("Score it"), go: () => this.choose([category]) };
    if (!stage.rollsLeft || !again) return { words: t("Choose a category") };
    const words = again === game.rules.dice ? t("Roll all dice") : tn(again, "Roll {{count}} die", "Roll {{count}} dice");
    return { words, go: () => this.take({ kind: "keep", dice: keep }), rolls: !game.isAdvising };
  }

  roll() {
    if (!this.isBusy) this.main.go?.();
  }

  /** Go to another place of the game; no dice are rolled.
   * @param {() => void} go */
  move(go) { return this.act(async () => go(), { isUndo: true }); }

  async goOn() {
    const { game } = this;
    await this.act(() => game.goOn());
    if (game === this.game && game.isFinished) await this.showEnd();
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
      this.refresh(t("The tutor is not ready yet. Choose again in a moment, or switch the tutor off."));
      return false;
    }
    if (!this.hasTutor || !game.options.length) return true;
    const chosen = optionOf(game.options, event);
    if (!gradeOf(game.rules, chosen.loss)) return true;
    const answer = await warn(game.rules, chosen, warningWords(game.rules, game.options[0], chosen), game.why(eventText(game.rules, event)));
    if (answer === "show" && !this.isHinted) this.hint();
    return answer === "go";
  }

  /** Enter the face of a real die.
   * @param {number} symbol */
  enter(symbol) {
    const { game } = this;
    if (!this.isEntering || this.isBusy) return;
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
    } else if (this.game.canUndo) {
      const { held } = this.stage, { players } = this.game;
      await this.act(async () => {
        await this.game.undo();
        if (this.game.players !== players) this.lay(); /* a new game was taken back */
      }, { isUndo: true });
      if (this.stage.dice.length && held.some(Boolean) && !this.game.chosen) this.setHeld(held);
    }
  }

  /** Change the scorecard by hand.
   * @param {number[]} slots empty for the bonus of all rolls */
  async edit(slots) {
    if (this.game.isOpen) await this.act(() => this.game.edit(slots));
  }

  /** Score in a category, enter its points, or explain it.
   * @param {number[]} slots */
  async choose(slots) {
    const { game } = this, due = slots.find((k) => game.possible.has(k));
    if (game.isOpen) {
      if (!this.isBurst) await this.edit(slots); /* a double tap scores and changes nothing */
    } else if (due === undefined || game.chosen) {
      if (!this.isBurst) await showCategory(game, slots[0]); /* a double tap scores and explains nothing */
    } else {
      this.tapped = performance.now();
      await this.take({ kind: "score", category: due });
      if (isOver(this.stage) && !at("end").open) await this.showEnd();
    }
  }

  /** Show the hint, take it, and then hide it; where a choice is shown, let the player try again. */
  async hint() {
    const { game } = this;
    if (game.chosen && game.canRetry) return this.act(() => game.retry());
    if (game.chosen || !game.options.length) return;
    if (this.offer) return this.takeUp(this.offer);
    this.isHinted = !this.isHinted;
    this.refusal = "";
    this.gains = [];
    this.show();
    if (this.isHinted) await this.explain();
  }

  /** Say what the best choice gains, as soon as it is known. */
  async explain() {
    const { refreshes } = this, gains = await this.why();
    if (!gains.length || refreshes !== this.refreshes || !(this.isHinted || this.game.chosen)) return;
    this.gains = gains;
    this.showWords();
  }

  /** Return what the best choice gains over a worse choice of the player, or else over the next best one. */
  async why() {
    const { game } = this, { chosen } = game;
    const next = chosen && !this.isBest(chosen) ? chosen : game.options.find((option) => !this.isBest(option));
    if (!next) return [];
    return game.why(eventText(game.rules, eventOf(next)));
  }

  async showAll() {
    const { game } = this;
    if (!game.options.length) return;
    const option = await askOption(game, this.why());
    if (option && !game.chosen) this.takeUp(option);
  }

  async showEnd() {
    const { game, stage } = this, totals = stage.cards.map((card) => totalOf(game.rules, card));
    if (isOver(stage) && !this.wasOver && totals.length > 1 && game.people.some((p) => totals[p] === Math.max(...totals))) celebrate();
    this.wasOver = true;
    fillResult(game);
    const answer = await asked("end");
    if (answer === "again") this.begin(game.players, game.realDice);
    else if (answer === "replay" || answer === "practice") this.look(answer);
    else if (/^\d+$/.test(answer)) {
      game.goTo(Number(answer));
      this.refresh();
    }
  }

  async menu() {
    const leave = at("leave"); /* a page of a review has a link */
    if (leave) leave.hidden = !this.game.canLeave;
    at("all-cards").hidden = this.game.players.length < 2;
    const wish = await asked("menu");
    if (wish === "question") asked("question");
    if (wish === "leave") this.game.leave();
    if (wish === "invite") invite();
    if (wish === "rules") showRules(this.game);
    if (wish === "keys") showKeys(this.game.rules);
    if (wish === "cards") showScorecards(this.game);
    if (wish === "new") this.askGame(this.played.realDice);
  }

  /** Ask for a new game, or for one in progress.
   * @param {boolean} isReal whether its dice are real, unless the player chooses others */
  async askGame(isReal) {
    const { choice, players, realDice } = await askPlayers(this.played.players, isReal);
    if (choice === "start") this.begin(players, realDice);
    if (choice === "enter") this.draft(players, realDice);
  }

  /** Let the players enter scorecards by hand, and go on with them.
   * @param {string[]} players @param {boolean} realDice */
  draft(players, realDice) {
    const { played } = this;
    this.sit(new Draft(played, players, (cards) => {
      if (cards) played.begin(players, realDice, cards);
      this.sit(played);
    }));
  }

  /** Show the decisions of the finished game, or ask those that were mistakes, and then show its result again.
   * @param {"replay" | "practice"} how */
  look(how) {
    const { played } = this;
    this.sit(played[how](() => {
      this.sit(played);
      this.showEnd();
    }));
  }

  /** @param {string[]} players @param {boolean} realDice */
  begin(players, realDice) {
    this.played.begin(players, realDice);
    this.sit(this.played);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const go = this.game.keys[event.key];
    if (document.querySelector("dialog[open]") || event.ctrlKey || event.metaKey || event.altKey || (event.repeat && !go)) return;
    if (this.code) return this.type(event);
    const symbol = this.tray.typedSymbol(event.key), die = DIE_KEYS.indexOf(event.key);
    if (go) this.move(go);
    else if (event.key === "h") this.hint();
    else if (event.key === "o") this.showAll();
    else if (event.key === "r" || (/^( |Enter)$/.test(event.key) && event.target === document.body)) this.roll();
    else if (event.key === " " && this.pressed && event.target === this.pressed) { this.pressed.blur(); this.roll(); }
    else if (event.key === "Tab") { this.pressed = null; return; }
    else if (event.key === "t") at("tutor")?.click();
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
    this.refusal = this.code ? t("Category: {{code}}_ (Enter to confirm, Esc to cancel)", { code }) : code && chosen === undefined ? t("No open category has the code “{{code}}”.", { code }) : "";
    this.show();
    if (chosen !== undefined) this.choose([chosen]);
  }

  /* --- display --- */

  show() {
    const { game, stage, proposed } = this, { rules, chosen } = game;
    this.isHinted ||= game.isAdvising && proposed === undefined;
    this.isHinted &&= game.options.length > 0; /* another window might have taken the seat */
    const best = this.isHinted || chosen ? game.options.filter((option) => this.isBest(option)) : [];
    const boxes = proposed === undefined ? best.flatMap(({ category }) => category ?? []) : [proposed];
    this.card.show(stage, { possible: game.possible, best: new Set(boxes), chosen: chosen?.category, isOpen: game.isOpen });
    this.glow(rules, chosen ? new Map() : game.possible);
    const keep = (best.find((option) => option === chosen) ?? best[0])?.keep;
    this.tray.show({
      dice: this.faces, held: this.held, hinted: (keep && marked(stage.dice, keep)) || this.faces.map(() => false),
      canHold: this.canHold, next: this.isEntering ? this.faces.indexOf(0) : -1,
    });
    this.showPlayers();
    this.showActions();
    at("turn").textContent = game.heading;
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
    const { stage, game } = this, { players, values, marks } = game, canPass = game.isOpen && players.length > 1;
    const focused = [...at("players").children].indexOf(/** @type {HTMLElement} */ (document.activeElement));
    at("players").replaceChildren();
    at("players").classList.toggle("many", players.length > 4 && !game.course);
    players.forEach((player, p) => {
      const isMine = p === stage.player && players.length > 1;
      const plate = made(canPass ? "button" : "span", at("players"), { className: isMine ? "plate mine" : "plate" });
      if (canPass) Object.assign(plate, { ariaPressed: String(isMine), onclick: () => { if (!isMine) this.move(() => game.turnTo(p)); } });
      if (canPass && p === focused) plate.focus();
      const total = totalOf(game.rules, stage.cards[p]), value = isOver(stage) ? null : values[p], { meaning, unit } = game.objective, name = nameOf(player);
      if (players.length > 1) made("span", plate, { className: "name", textContent: name, ariaHidden: "true" });
      made("b", plate, { className: "total", textContent: players.length > 1 ? String(total) : pointsWords(total), ariaLabel: `${name}: ${pointsWords(total)}` });
      if (value !== null) made("span", plate, { className: "expected", textContent: `→ ${decimal(value, players.length > 1 ? 0 : 1)}${unit}`, ariaLabel: `${t(meaning)} ${decimal(value, 1)}${unit}` });
      if (game.outlook && value !== null) made("span", plate, { className: "share", textContent: game.outlook.shares[p] });
      if (game.seats[p] !== "free") made("span", plate, { className: `seat ${game.seats[p]}`, role: "img", ariaLabel: game.seats[p] === "here" ? t("here") : t("not here") });
    });
    if (marks.length > 1) {
      const label = t("{{answered}} of {{questions}} answered", { answered: marks.filter((mark) => mark !== null).length, questions: marks.length });
      const bar = made("span", at("players"), { className: "marks", role: "img", ariaLabel: label });
      for (const mark of marks) made("i", bar).dataset.grade = mark === null ? "" : String(mark);
    }
    if (game.course) at("players").append(game.course.element);
    const bar = at("outlook"), { outlook } = game;
    bar.hidden = !outlook;
    if (!outlook) return;
    bar.ariaLabel = outlookWords(players, outlook);
    bar.firstChild.style.width = `${100 * outlook.first}%`;
  }

  showActions() {
    const { stage, game, isEntering, isBusy, offer } = this, { words, go, rolls } = this.main, roll = at("roll");
    const { further, back } = game, retries = game.chosen !== null && game.canRetry;
    document.body.classList.toggle("asks", isEntering);
    document.body.classList.toggle("busy", isBusy);
    at("faces").hidden = !isEntering;
    roll.hidden = isEntering;
    at("hint").hidden = isEntering || game.isAdvising || game.isQuestion;
    at("undo").hidden = game.isQuestion;
    at("left").hidden = isEntering || !game.isAdvising || isOver(stage);
    const left = t("{{rolls}} left", { rolls: stage.rollsLeft });
    at("left").textContent = left;
    at("left").ariaLabel = `${left}: ${t("change the number of rolls")}`;
    at("undo").ariaDisabled = String(!this.typed.length && this.proposed === undefined && !game.canUndo);
    at("all").ariaDisabled = String(!game.options.length);
    at("undo").textContent = back.sign;
    at("undo").ariaLabel = back.words;
    at("further").hidden = !further;
    at("further").textContent = further?.words ?? "";
    at("hint").ariaDisabled = String(!retries && (!game.options.length || Boolean(game.chosen)));
    at("hint").classList.toggle("retry", retries);
    at("hint").textContent = retries ? `↺ ${t("Try again")}` : offer ? "✓" : "?";
    at("hint").ariaLabel = retries ? t("Try again") : offer ? t("Take the hint") : t("Hint");
    roll.ariaDisabled = String(isBusy || !go);
    roll.textContent = words;
    if (!rolls) return;
    if (stage.rolls > MOST_DOTS) made("small", roll, { textContent: left });
    else
      for (let i = 0; i < stage.rolls; i++) made("i", roll, { className: i < stage.rollsLeft ? "on" : "", ariaHidden: "true" });
  }

  showWords() {
    const { game, stage, isHinted, proposed } = this, { rules, chosen } = game, say = at("say"), [words, more] = say.children;
    const hint = isHinted && !this.refusal ? hintWords(rules, game.objective, game.options, game.possible, this.gains) : null;
    const verdict = chosen ? verdictWords(rules, game.objective.tie, game.options, chosen, game.possible, this.gains) : null;
    const second = proposed === undefined ? "" : t("Tap again to score {{category}}.", { category: titleOf(rules, proposed) });
    const player = game.players[stage.player];
    const theirs = !game.isWaiting || isOver(stage) ? "" : game.canHurry ? game.message : t("{{name}} plays.", { name: nameOf(player) });
    words.textContent = second || hint?.words || this.refusal || game.note || verdict?.words || theirs || game.prompt
      || nextWords(rules, stage, player, { isReal: game.realDice, isEntering: this.isEntering, players: game.players.length });
    const message = game.isWaiting && game.canHurry && !game.note ? "" : game.message;
    say.classList.toggle("coming", !hint && Boolean(game.progress));
    say.classList.toggle("hint", isHinted || proposed !== undefined);
    say.classList.toggle("verdict", Boolean(chosen));
    say.parentElement.dataset.grade = verdict ? String(verdict.grade) : "";
    const explained = hint ?? verdict, rest = hint ? hint.rest : game.remark;
    const [long, short] = explained?.reasons ?? ["", ""]; /* all options show the rest */
    const most = hint ? [`${long} ${rest}`] : [`${long} ${rest}`, `${short} ${rest}`];
    for (const fitting of explained ? [...most, long, short, ""] : [game.progress || message]) {
      more.textContent = fitting.trim();
      if (say.scrollHeight <= say.clientHeight) break;
    }
  }
}
