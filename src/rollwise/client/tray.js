/* The dice, and the keys to enter the faces of real dice. */

import { made } from "./dom.js";
import { t } from "./languages.js";

/** What the dice area shows. `next` is the die whose face is entered next, or -1.
 * @typedef {{dice: number[], held: boolean[], hinted: boolean[], canHold: boolean, next: number}} Shown
 */

export class Tray {
  /** @param {import("./game.js").Rules} rules @param {HTMLElement} parent @param {HTMLElement} keys
   * @param {{hold: (die: number) => void, enter: (symbol: number) => void}} actions */
  constructor(rules, parent, keys, { hold, enter }) {
    this.rules = rules;
    this.keys = keys;
    this.enter = enter;
    parent.style.setProperty("--dice", String(rules.dice));
    /** @type {number[][]} the symbols of each die */
    this.symbols = rules.kinds.flatMap(({ dice, symbols }) => Array(dice).fill(symbols));
    this.dice = this.symbols.map((symbols, i) => {
      const die = made("button", parent, { className: this.isOrdinary(symbols) ? "die" : "die other", onclick: () => hold(i) });
      made("span", die, { className: "face", ariaHidden: "true" });
      Object.assign(die.dataset, { held: t("kept"), hint: t("keep") });
      return die;
    });
    /** @type {number[]} the symbols of the keys */
    this.keyed = [];
    this.showKeys(this.symbols[0]);
  }

  /** @param {number[]} symbols */
  isOrdinary(symbols) { return symbols[0] <= this.rules.faces; }

  /** Show one key for each face of a die.
   * @param {number[]} symbols */
  showKeys(symbols) {
    if (this.keyed === symbols) return;
    this.keyed = symbols;
    this.keys.replaceChildren();
    for (const symbol of symbols)
      made("button", this.keys, { textContent: String(this.rules.numbers[symbol - 1]), onclick: () => this.enter(symbol) });
  }

  /** Return the symbol of a typed digit for the die whose face is entered next.
   * @param {string} digit */
  typedSymbol(digit) { return this.keyed.find((symbol) => String(this.rules.numbers[symbol - 1]) === digit); }

  /** @param {Shown} shown */
  show({ dice, held, hinted, canHold, next }) {
    const { numbers, colors, faces } = this.rules;
    if (next >= 0) this.showKeys(this.symbols[next]);
    this.dice.forEach((die, i) => {
      const symbol = dice[i] || 0, face = /** @type {HTMLElement} */ (die.firstChild), symbols = this.symbols[i];
      const number = numbers[symbol - 1], isOrdinary = this.isOrdinary(symbols), hasPips = isOrdinary && faces <= 6;
      die.dataset.face = symbol ? String(number) : "";
      die.dataset.color = symbol ? String(colors[symbol - 1] ?? 0) : "0";
      face.className = hasPips ? `face pips p${symbol}` : "face";
      if (hasPips) face.replaceChildren(...Array.from({ length: symbol }, () => document.createElement("i")));
      else if (isOrdinary) face.textContent = die.dataset.face;
      else face.dataset.number = die.dataset.face;
      die.classList.toggle("next", i === next);
      die.classList.toggle("best", hinted[i]);
      die.ariaPressed = String(held[i]);
      die.ariaDisabled = String(!symbol || !canHold);
      const words = this.dieWords(i, symbol ? number : undefined);
      die.ariaLabel = held[i] ? `${words}, ${t("kept")}` : words;
    });
  }

  /** @param {number} i @param {number | undefined} number undefined if the die is not rolled */
  dieWords(i, number) {
    const { numbers } = this.rules, symbols = this.symbols[i], die = i + 1, least = numbers[symbols[0] - 1], most = numbers[symbols[symbols.length - 1] - 1];
    if (this.isOrdinary(symbols)) return number === undefined ? t("Die {{die}}, not rolled", { die }) : t("Die {{die}} shows {{number}}", { die, number });
    if (number === undefined) return t("Die {{die}} of {{least}} to {{most}}, not rolled", { die, least, most });
    return t("Die {{die}} shows {{number}} of {{least}} to {{most}}", { die, number, least, most });
  }

  /** Let some dice fall.
   * @param {boolean[]} which */
  toss(which) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    which.forEach((isTossed, i) => {
      const turned = `rotate(${i % 2 ? 200 : -160}deg) translateY(-40px) scale(.9)`;
      if (isTossed)
        this.dice[i].animate([{ transform: turned, opacity: 0.4 }, { transform: "none" }], { duration: 280 + 40 * i, easing: "ease-out" });
    });
  }
}
