"use strict";
/* The user interface: display and input. All computations about the game are in turn.js. */

const at = (id) => document.getElementById(id);
const made = (tag, parent, words = {}) => parent.appendChild(Object.assign(document.createElement(tag), words));
const signed = (number) => (number < 0 ? "−" : "+") + Math.abs(number).toFixed(2);

/** Return a new game state: the scorecard, the dice (0: not known yet), and the losses so far.

    `throws` are the dice of the whole game, so that undo takes back a choice but not the luck. */
function newState(game) {
  return {
    card: game.categories.map(() => 0), throws: Array.from({ length: throwsOf(game) }, () => randomFace(game.faces)),
    dice: [], kept: game.dice ? Array(game.dice).fill(false) : [], left: game.rerolls,
    lost: 0, choices: 0, worst: null,
  };
}
function throwsOf(game) {
  return game.categories.length * (game.rerolls + 1) * game.dice;
}
function randomFace(faces) {
  const most = 256 - 256 % faces, [byte] = crypto.getRandomValues(new Uint8Array(1));
  return byte < most ? 1 + byte % faces : randomFace(faces);
}

class App {
  constructor(game) {
    this.game = game;
    this.shelf = `rollwise ${game.rules} ${game.objective}`;
    this.past = [];
    this.state = newState(game);
    this.settings = { tutor: false, real: false };
    this.hinted = false;
    this.recall();
    this.lay();
    this.show();
  }

  /* --- state --- */

  get isOver() { return this.state.card.every((o) => o); }
  get turn() { return this.state.card.filter((o) => o).length; }
  get isRolled() { return this.state.dice.length > 0 && this.state.dice.every((die) => die); }
  get place() { return placeOf(this.game, this.state.card); }
  get total() { return this.place.score + this.game.bonus_L[this.place.lane]; }
  get keep() { return this.state.dice.filter((_, i) => this.state.kept[i]).sort((a, b) => a - b); }

  /** All options, best first; empty before a roll. */
  get options() {
    const { card, dice, left } = this.state, asked = JSON.stringify([card, dice, left]);
    if (this.asked !== asked) {
      this.asked = asked;
      this.known = this.isRolled && !this.isOver ? optionsOf(this.game, card, dice, left) : [];
    }
    return this.known;
  }
  get best() { return this.options[0]; }
  isBest(option) { return option.loss <= this.game.tie; }

  /** The value of optimal play from here, points so far included. */
  get value() { return this.best ? this.best.value : this.place.score + remaining(this.game, this.place); }

  words({ category, keep }) {
    if (keep) return keep.length ? `keep ${keep.join(" ")}` : "roll all dice again";
    return `score ${this.game.categories[category].title}`;
  }

  /* --- input --- */

  /** Change the state by a step that can be undone. */
  step(change) {
    this.past.push(JSON.stringify(this.state));
    change(this.state);
    this.hinted = false;
    this.show();
  }
  undo() {
    if (!this.past.length) return;
    this.state = JSON.parse(this.past.pop());
    this.hinted = false;
    this.show();
  }
  begin() { this.step(() => { this.state = newState(this.game); }); }

  hold(i) {
    const { dice, kept, left } = this.state;
    if (!dice[i] || !left || this.isOver) return;
    kept[i] = !kept[i];
    this.show();
  }

  async roll() {
    const { dice, left } = this.state;
    if (this.isOver) return this.begin();
    if (!dice.length) return this.step((state) => this.cast(state, state.dice.concat(state.kept.map(() => 0))));
    if (!this.isRolled || !left || this.keep.length === this.game.dice) return;
    const chosen = this.options.find(({ keep }) => keep && keep.join() === this.keep.join());
    if (await this.allows(chosen)) this.step((state) => {
      this.count(state, chosen);
      state.left -= 1;
      this.cast(state, state.dice.map((die, i) => (state.kept[i] ? die : 0)));
    });
  }

  /** Fill in the faces of the dice, unless the player rolls real dice. */
  cast(state, dice) {
    const first = (this.turn * (this.game.rerolls + 1) + this.game.rerolls - state.left) * this.game.dice;
    state.dice = this.settings.real ? dice : dice.map((die, i) => die || state.throws[first + i]);
    if (!this.settings.real) dice.forEach((die, i) => { if (!die) this.toss(i); });
  }
  toss(i) {
    const turned = `rotate(${i % 2 ? 200 : -160}deg) translateY(-40px) scale(.9)`;
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches)
      this.dice[i].animate([{ transform: turned, opacity: .4 }, { transform: "none" }], { duration: 280 + 40 * i, easing: "ease-out" });
  }

  /** Enter the face of a real die. */
  tell(face) {
    const blank = this.state.dice.indexOf(0);
    if (blank >= 0) this.step((state) => { state.dice[blank] = face; });
  }

  async score(k) {
    const chosen = this.options.find(({ category }) => category === k);
    if (!chosen || !(await this.allows(chosen))) return;
    this.step((state) => {
      this.count(state, chosen);
      state.card[k] = chosen.outcome;
      Object.assign(state, { dice: [], kept: state.kept.map(() => false), left: this.game.rerolls });
    });
    if (this.isOver) this.end();
  }

  count(state, { loss, ...chosen }) {
    state.choices += 1;
    if (loss <= this.game.tie) return;
    state.lost += loss;
    if (!state.worst || loss > state.worst.loss)
      state.worst = { loss, turn: this.turn + 1, dice: [...state.dice].sort(), words: this.words(chosen), best: this.words(this.best) };
  }

  /** Return whether to make a choice; the tutor asks first if it has a loss. The dialog is modal. */
  async allows(chosen) {
    if (!this.settings.tutor || this.isBest(chosen)) return true;
    at("warning-text").textContent =
      `Best: ${this.words(this.best)}, worth ${this.best.value.toFixed(2)}. ` +
      `Yours: ${this.words(chosen)}, worth ${chosen.value.toFixed(2)}. It loses ${chosen.loss.toFixed(2)}.`;
    at("anyway").textContent = `Still ${this.words(chosen)}`;
    return await asked("warning") === "go";
  }

  hint() {
    if (!this.best) return;
    this.hinted = !this.hinted;
    this.show();
  }

  showOptions() {
    if (!this.best) return;
    const rows = document.querySelector("#options tbody");
    rows.replaceChildren();
    for (const option of this.options) {
      const row = made("tr", rows, { className: this.isBest(option) ? "best" : "" });
      made("td", row, { textContent: this.words(option) });
      made("td", row, { textContent: option.value.toFixed(2) });
      made("td", row, { textContent: this.isBest(option) ? "–" : option.loss.toFixed(2) });
    }
    document.querySelector("#options .scroll").scrollTop = 0;
    asked("options");
  }

  async end() {
    const { lost, choices, worst } = this.state, start = remaining(this.game, placeOf(this.game, []));
    const luck = this.total - start + lost;
    at("end-title").textContent = `${this.total} points`;
    at("end-text").replaceChildren();
    const say = (textContent) => made("p", at("end-text"), { textContent });
    say(`At the start the ${this.game.meaning} was ${start.toFixed(1)}; the dice brought ${signed(luck)}.`);
    say(lost ? `Your ${choices} choices lost ${lost.toFixed(2)}.` : `Your ${choices} choices lost nothing: best play throughout.`);
    if (worst) say(`What cost most: in turn ${worst.turn}, with ${worst.dice.join(" ")}, ${worst.words} (−${worst.loss.toFixed(2)}). Better: ${worst.best}.`);
    if (await asked("end") === "again") this.begin();
  }

  async menu() {
    if (await asked("menu") === "new") this.begin();
  }
  set(name, on) {
    this.settings[name] = on;
    if (name === "real" && !on && this.state.dice.includes(0))
      this.step((state) => this.cast(state, state.dice));
    this.show();
  }

  key(event) {
    if (document.querySelector("dialog[open]") || event.ctrlKey || event.metaKey || event.altKey) return;
    const digit = Number(event.key);
    if (event.key === "h") this.hint();
    else if (event.key === "o") this.showOptions();
    else if (event.key === "r") this.roll();
    else if (event.key === "u" || event.key === "Backspace") this.undo();
    else if (!(digit > 0)) return;
    else if (this.state.dice.includes(0)) { if (digit <= this.game.faces) this.tell(digit); }
    else this.hold(digit - 1);
    event.preventDefault();
  }

  /* --- display --- */

  /** Build the page once. */
  lay() {
    const { game } = this, upper = game.categories.some(({ section }) => section === "upper");
    const parts = upper ? ["upper", "lower"].map((section) => made("div", at("card"), { className: section }))
      : [made("div", at("card"), { className: game.categories.length > 16 ? "grid many" : "grid" })];
    at("card").classList.toggle("long", game.categories.length > 13);
    this.boxes = game.categories.map(({ title, section }, k) => {
      const box = made("button", upper && section === "lower" ? parts[1] : parts[0], { className: "box", onclick: () => this.score(k) });
      made("span", box, { className: "title", textContent: title });
      made("span", box, { className: "points" });
      return box;
    });
    if (game.thresholds.length) {
      this.bonus = made("div", parts[0], { className: "sum" });
      const words = made("span", this.bonus, { className: "title", textContent: "Bonus " });
      made("small", words, { id: "upper" });
      made("small", words, { id: "missing" });
      made("i", made("div", words, { className: "bar" }));
      made("span", this.bonus, { className: "points" });
    }
    const sum = made("div", at("card"), { className: "sum total" });
    made("span", sum, { className: "title", textContent: "Total" });
    made("small", sum);
    made("span", sum, { className: "points", id: "total" });
    this.dice = Array.from({ length: game.dice }, (_, i) => {
      const die = made("button", at("dice"), { className: "die", onclick: () => this.hold(i) });
      made("span", die, { className: "face", ariaHidden: "true" });
      return die;
    });
    at("dice").style.setProperty("--dice", game.dice);
    for (let face = 1; face <= game.faces; face++)
      made("button", at("faces"), { textContent: face, onclick: () => this.tell(face) });
    at("roll").onclick = (event) => { if (event.detail < 2) this.roll(); };  /* several fast clicks roll once */
    at("hint").onclick = () => this.hint();
    at("all").onclick = () => this.showOptions();
    at("undo").onclick = () => this.undo();
    at("menu-button").onclick = () => this.menu();
    for (const name of ["tutor", "real"]) {
      at(name).checked = this.settings[name];
      at(name).onchange = () => this.set(name, at(name).checked);
    }
    document.addEventListener("keydown", (event) => this.key(event));
  }

  show() {
    this.boxes.forEach((box, k) => this.showBox(box, k));
    this.showSums();
    this.dice.forEach((die, i) => this.showDie(die, i));
    this.showActions();
    at("turn").textContent = this.isOver ? "The end" : `Turn ${this.turn + 1}/${this.boxes.length}`;
    at("expected").textContent = `${this.isOver ? "" : "→ "}${this.value.toFixed(1)}`;
    at("expected").ariaLabel = `${this.game.meaning} ${this.value.toFixed(1)}`;
    at("say").textContent = this.sentence();
    at("say").classList.toggle("hint", this.hinted);
    this.remember();
  }

  showBox(box, k) {
    const { points, extra } = this.game, o = this.state.card[k];
    const option = this.options.find(({ category }) => category === k);
    const shown = o || option?.outcome;
    box.dataset.state = o ? "filled" : option ? "possible" : "open";
    box.classList.toggle("best", this.hinted && Boolean(option) && this.isBest(option));
    box.lastChild.textContent = !shown ? "" : o ? points[o] : points[shown] + extra[shown];
    box.ariaDisabled = String(!option);
    box.ariaLabel = `${this.game.categories[k].title}${o ? `, ${points[o]} points, filled` : option ? `, score ${box.lastChild.textContent}` : ", open"}`;
  }

  showSums() {
    const { game } = this, { card } = this.state;
    const sum = (of, wanted) => card.reduce((all, o, k) => all + (o && wanted(k) ? of[o] : 0), 0);
    const extra = sum(game.extra, () => true);
    at("total").textContent = this.total;
    at("total").previousSibling.textContent = extra ? `with ${extra} of extra bonus` : "";
    if (!this.bonus) return;
    const upper = sum(game.points, (k) => game.categories[k].section === "upper");
    const goal = game.thresholds.find((one) => upper < one) ?? game.thresholds.at(-1);
    at("upper").textContent = `${upper}/${goal}`;
    at("missing").textContent = upper < goal ? `${goal - upper} to go` : "reached";
    this.bonus.querySelector("i").style.width = `${Math.min(100, 100 * upper / goal)}%`;
    this.bonus.lastChild.textContent = game.bonus_L[this.place.lane];
  }

  showDie(die, i) {
    const { dice, kept, left } = this.state, face = dice[i] ?? 0;
    die.dataset.face = face || "";
    die.firstChild.textContent = face > 6 ? face : "";
    die.firstChild.className = face > 6 ? "face" : `face pips p${face}`;
    if (face && face <= 6) die.firstChild.replaceChildren(...Array.from({ length: face }, () => document.createElement("i")));
    die.classList.toggle("next", this.settings.real && dice.indexOf(0) === i);
    die.classList.toggle("best", this.hinted && this.hintedDice().has(i));
    die.ariaPressed = String(Boolean(kept[i]));
    die.ariaDisabled = String(!face || !left);
    die.ariaLabel = face ? `Die ${i + 1} shows ${face}${kept[i] ? ", kept" : ""}` : `Die ${i + 1}, not rolled`;
  }

  /** Return the places of the dice that the best option keeps. */
  hintedDice() {
    const wanted = [...(this.best?.keep ?? [])], found = new Set();
    this.state.dice.forEach((die, i) => {
      const place = wanted.indexOf(die);
      if (place >= 0) { wanted.splice(place, 1); found.add(i); }
    });
    return found;
  }

  showActions() {
    const { dice, left } = this.state, asks = dice.includes(0), again = this.game.dice - this.keep.length;
    document.body.classList.toggle("asks", asks);
    at("faces").hidden = !asks;
    at("roll").hidden = at("hint").hidden = asks;
    at("undo").ariaDisabled = String(!this.past.length);
    at("hint").ariaDisabled = at("all").ariaDisabled = String(!this.best);
    at("roll").ariaDisabled = String(!this.isOver && this.isRolled && (!left || !again));
    at("roll").textContent = this.isOver ? "Play again" : !dice.length ? (this.settings.real ? "Type the first roll" : "Roll")
      : !left ? "Choose a box" : !again ? "Choose a box" : again === this.game.dice ? "Roll all again" : `Roll ${again} ${again > 1 ? "dice" : "die"}`;
    if (!this.isOver) for (let i = 0; i <= this.game.rerolls; i++)
      made("i", at("roll"), { className: i < left + (dice.length ? 0 : 1) ? "on" : "", ariaHidden: "true" });
  }

  sentence() {
    if (this.isOver) return `The game is over: ${this.total} points.`;
    if (this.state.dice.includes(0)) return "What do your dice show? Tap or type it.";
    if (!this.isRolled) return this.settings.real ? "Roll your dice." : this.turn ? "Next turn." : "Good luck.";
    if (!this.hinted) return this.state.left ? "Tap the dice to keep, or a box." : "Tap the box to score.";
    const [best, second] = this.options, words = this.words(best);
    const then = second ? `\n${this.isBest(second) ? `as good: ${this.words(second)}` : `next best ${signed(-second.loss)}`}` : "";
    return `${words[0].toUpperCase()}${words.slice(1)}: ${best.value.toFixed(2)}${then}`;
  }

  /* --- storage; a browser might refuse it to a local file --- */

  remember() {
    try {
      localStorage.setItem(this.shelf, JSON.stringify([this.state, this.past.slice(-200), this.settings]));
    } catch { /* storage is refused */ }
  }
  recall() {
    try {
      const found = JSON.parse(localStorage.getItem(this.shelf));
      if (found) [this.state, this.past, this.settings] = found;
    } catch { /* nothing is stored */ }
  }
}

/** Open a dialog and return the value it was closed with. */
function asked(id) {
  const sheet = at(id);
  sheet.returnValue = "";
  sheet.showModal();
  return new Promise((answer) => sheet.addEventListener("close", () => answer(sheet.returnValue), { once: true }));
}

const app = readGame(JSON.parse(at("data").textContent)).then((game) => new App(game));
