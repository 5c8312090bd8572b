/* The scorecard: one row per category, one cell per player; with columns, one button per category. */

import { bonusAt, extraOf, totalOf, upperTotal } from "./game.js";
import { capital, nameOf, outlookWords, pointsWords, titleOf } from "./words.js";
import { asked, at, made } from "./dom.js";
import { t } from "./languages.js";

/** @typedef {import("./game.js").Rules} Rules
 * @typedef {import("./game.js").Card} Card
 * @typedef {import("./game.js").Box} Box
 * @typedef {import("./game.js").Stage} Stage
 * @typedef {{possible: Map<number, Box>, best: Set<number>, chosen: number | undefined, isOpen: boolean}} Offer
 * @typedef {{row: HTMLButtonElement, slots: number[], cells: HTMLElement[][]}} Row
 * @typedef {{note?: HTMLElement, cells: HTMLElement[], column: number, value: (stage: Stage, player: number) => number}} Sum
 */

const HIGHEST = 8, MOST_BESIDE = 3;
/** The number of players from which only one scorecard is shown. */
const MANY = 5;

/** Return the slots of every category that has its own row or button.
 * @param {Rules} rules @returns {number[][]} */
export function rowsOf({ categories }) {
  const firsts = categories.flatMap(({ first }, k) => (first === k ? [k] : []));
  return firsts.map((first) => categories.flatMap((category, k) => (category.first === first ? [k] : [])));
}

/** Return what follows the categories on a scorecard, such as the upper bonus of each column.
 * @param {Rules} rules @returns {{title: string, column: number, kind: "bonus" | "saved" | "extra", value: (stage: Stage, player: number) => number}[]} */
function sumsOf(rules) {
  const { columns, bonus, saved, extra } = rules, sums = /** @type {ReturnType<typeof sumsOf>} */ ([]);
  if (bonus.length)
    for (const [column, name] of (columns.length ? columns : [""]).entries()) {
      /** @param {Stage} stage @param {number} p */
      const value = ({ cards }, p) => bonusAt(rules, upperTotal(rules, cards[p], column));
      sums.push({ title: name ? `${t("Bonus")} (${t(name)})` : t("Bonus"), column, kind: "bonus", value });
    }
  if (saved) sums.push({ title: capital(t(saved)), column: -1, kind: "saved", value: (stage, p) => stage.saved[p] });
  if (extra) sums.push({ title: t(extra.title), column: -1, kind: "extra", value: ({ cards }, p) => extraOf(cards[p]) });
  return sums;
}

export class Scorecard {
  /** @param {Rules} rules @param {HTMLElement} parent
   * @param {{choose: (slots: number[]) => void, explain: (category: number) => void, chooseExtra: () => void}} actions */
  constructor(rules, parent, actions) {
    this.rules = rules;
    this.parent = parent;
    this.actions = actions;
  }

  /** Build the rows for some players.
   * @param {string[]} players */
  lay(players) {
    const { rules, parent } = this, { categories, columns } = rules;
    this.players = players;
    parent.replaceChildren();
    const isOwn = players.length >= MANY || columns.length > 0, shown = isOwn ? 1 : players.length;
    const across = rowsOf(rules).some((slots) => slots.length > 1) ? (shown > 2 ? 2 : 4) : 1;
    for (const [name, isOn] of Object.entries({ own: isOwn, columns: columns.length > 0, several: shown > 1 })) parent.classList.toggle(name, isOn);
    for (const [name, number] of Object.entries({ columns: columns.length, cells: columns.length || shown * across, across }))
      parent.style.setProperty(`--${name}`, String(number));
    /** @type {HTMLElement[][]} the cells of each player */
    this.cells = players.map(() => []);
    /** @type {Row[]} */
    this.rows = [];
    /** @type {Sum[]} */
    this.sums = [];
    /** @type {HTMLElement[]} */
    const upper = [], /** @type {HTMLElement[]} */ lower = [];
    if (columns.length)
      for (const key of new Set(categories.map(({ row }) => row))) {
        const isUpper = categories.some(({ row, section }) => row === key && section === "upper");
        (isUpper ? upper : lower).push(this.layLine(key));
      }
    else
      for (const slots of rowsOf(rules)) (categories[slots[0]].section === "upper" ? upper : lower).push(this.layRow(slots, this.parent, true));
    const sums = sumsOf(rules);
    const shorter = upper.length > lower.length ? lower : upper;
    if (columns.length && rules.bonus.length) shorter.push(this.layBonuses(sums.filter(({ kind }) => kind === "bonus")));
    for (const sum of sums) {
      if (sum.kind === "bonus" && columns.length) continue;
      const isExtra = sum.kind === "extra", element = this.laySum(sum);
      if (isExtra) element.onclick = () => this.actions.chooseExtra();
      (isExtra ? lower : shorter).push(element);
    }
    this.arrange(upper, lower);
  }

  /** Place the rows beside each other: by sections if that is not too high, and equally high otherwise.
   * @param {HTMLElement[]} upper @param {HTMLElement[]} lower */
  arrange(upper, lower) {
    const all = [...upper, ...lower], { columns } = this.rules, sides = Math.max(upper.length, lower.length);
    const isOne = all.length <= HIGHEST || columns.length > MOST_BESIDE;
    const most = columns.length ? 2 : MOST_BESIDE, bySection = sides <= HIGHEST && upper.length > 0;
    const number = isOne ? 1 : bySection ? 2 : Math.min(most, Math.ceil(all.length / HIGHEST));
    const height = isOne ? all.length : bySection ? sides : Math.ceil(all.length / number);
    const first = isOne ? all.length : bySection || (number === MOST_BESIDE && upper.length <= height && lower.length <= 2 * height) ? upper.length : height;
    const rest = all.slice(first), each = bySection ? height : Math.ceil(rest.length / Math.max(number - 1, 1));
    const stacks = [all.slice(0, first), ...Array.from({ length: number - 1 }, (_, i) => rest.slice(i * each, (i + 1) * each))];
    this.parent.dataset.stacks = String(number);
    this.parent.style.setProperty("--rows", String(height));
    this.parent.style.setProperty("--stacks", String(number));
    for (const [n, stack] of stacks.entries()) {
      if (columns.length || this.parent.classList.contains("several")) this.layHeads(n);
      stack.forEach((element, i) => {
        const isLast = i === stack.length - 1, span = bySection && isLast && element.classList.contains("sum") ? height - i : 1;
        element.style.gridArea = `${i + 2} / ${n + 1} / span ${span}`;
        element.classList.toggle("tall", span > 1);
        element.classList.toggle("last", i + span === height);
        element.classList.toggle("right", n > 0);
      });
    }
  }

  /** Show the titles of the columns, or the names of the players, above some rows.
   * @param {number} stack */
  layHeads(stack) {
    const heads = made("div", this.parent, { className: stack ? "heads right" : "heads", ariaHidden: "true" });
    heads.style.gridArea = `1 / ${stack + 1}`;
    made("span", heads, { className: "title" });
    if (this.rules.columns.length) for (const column of this.rules.columns) made("span", heads, { textContent: t(column) });
    else this.cellsIn(heads).forEach((cell, p) => { cell.textContent = nameOf(this.players?.[p] ?? ""); });
  }

  /** Add the row of a category that occurs in several columns.
   * @param {string} key */
  layLine(key) {
    const { categories, columns } = this.rules, line = made("div", this.parent, { className: "line" });
    const own = categories.flatMap(({ row }, k) => (row === key ? [k] : []));
    made("span", line, { className: "title", textContent: t(categories[own[0]].name) });
    for (const column of columns.keys()) {
      const k = own.find((k) => categories[k].column === column);
      if (k === undefined) made("span", line);
      else this.layRow([k], line, false);
    }
    return line;
  }

  /** @param {number[]} slots @param {HTMLElement} parent @param {boolean} hasTitle @returns {HTMLElement} */
  layRow(slots, parent, hasTitle) {
    const row = made("button", parent, { className: "box", onclick: () => this.actions.choose(slots) });
    if (hasTitle) made("span", row, { className: "title", textContent: titleOf(this.rules, slots[0]) });
    const explain = () => this.actions.explain(slots[0]);
    row.oncontextmenu = (event) => { event.preventDefault(); explain(); };
    row.onkeydown = (event) => { if (event.key === "i") explain(); };
    const cells = this.cellsIn(row).map((cell) => {
      cell.classList.toggle("slots", slots.length > 1);
      return slots.map(() => made("span", cell, { className: "points" }));
    });
    this.rows?.push({ row, slots, cells });
    return row;
  }

  /** @param {HTMLElement} row */
  cellsIn(row) {
    return (this.cells ?? []).map((cells) => {
      const cell = made("span", row, { className: "cell" });
      cells.push(cell);
      return cell;
    });
  }

  /** @param {ReturnType<typeof sumsOf>[0]} sum */
  laySum({ title, column, kind, value }) {
    const element = made("div", this.parent, { className: "sum" });
    const words = made("span", element, { className: "title", textContent: `${title} ` });
    const note = kind === "bonus" ? made("small", words) : undefined;
    this.sums?.push({ note, column, value, cells: this.cellsIn(element).map((cell) => made("span", cell, { className: "points" })) });
    return element;
  }

  /** Add one row with the upper bonus of each column.
   * @param {ReturnType<typeof sumsOf>} sums */
  layBonuses(sums) {
    const element = made("div", this.parent, { className: "line sum" });
    made("span", element, { className: "title", textContent: t("Bonus") });
    for (const { column, value } of sums) {
      const part = made("span", element, { className: "part" });
      const cells = this.cellsIn(part).map((cell) => made("span", cell, { className: "points" }));
      this.sums?.push({ note: made("small", part), column, value, cells });
    }
    return element;
  }

  /** Show scorecards, the possible scores, and which of them are best, or chosen.
   * @param {Stage} stage @param {Offer} offer */
  show(stage, offer) {
    for (const [p, cells] of (this.cells ?? []).entries()) for (const cell of cells) cell.classList.toggle("mine", p === stage.player);
    for (const row of this.rows ?? []) this.showRow(row, stage, offer);
    for (const { cells, note, column, value } of this.sums ?? []) {
      cells.forEach((cell, p) => {
        cell.textContent = String(value(stage, p));
        cell.classList.toggle("mine", p === stage.player);
      });
      if (note) this.showBonus(note, stage.cards[stage.player], column);
    }
  }

  /** @param {Row} row @param {Stage} stage @param {Offer} offer */
  showRow({ row, slots, cells }, { cards, player }, { possible, best, chosen, isOpen }) {
    const due = slots.find((k) => possible.has(k)), title = titleOf(this.rules, slots[0]);
    cells.forEach((slotCells, p) => {
      slotCells.forEach((cell, i) => {
        const box = cards[p][slots[i]], offered = p === player && slots[i] === due ? possible.get(slots[i]) : undefined;
        const score = box ? box.points : offered ? offered.points + offered.extra : "";
        cell.textContent = String(score);
        cell.dataset.state = box ? "filled" : offered ? "possible" : "open";
        cell.classList.toggle("zero", Boolean(offered) && score === 0);
        cell.classList.toggle("mine", p === player);
      });
    });
    const mine = slots.map((k) => cards[player][k]), offered = due === undefined ? undefined : possible.get(due);
    row.dataset.state = offered ? "possible" : mine.every(Boolean) ? "filled" : "open";
    row.classList.toggle("best", slots.some((k) => best.has(k)));
    row.classList.toggle("chosen", chosen !== undefined && slots.includes(chosen));
    row.classList.toggle("enter", isOpen);
    const heard = mine.flatMap((box) => (box ? pointsWords(box.points) : []));
    if (mine.every(Boolean)) heard.push(t("filled"));
    if (offered) heard.push(t("score {{points}}", { points: offered.points + offered.extra }));
    else if (!heard.length) heard.push(t("open"));
    const others = cards.flatMap((card, p) => (p === player ? [] : slots.flatMap((k) => (card[k] ? `${nameOf(this.players?.[p] ?? "")} ${card[k].points}` : []))));
    row.ariaLabel = [title, ...heard, ...others].join(", ");
  }

  /** @param {HTMLElement} note @param {Card} card @param {number} column */
  showBonus(note, card, column) {
    const { rules } = this, upper = upperTotal(rules, card, column);
    const goal = rules.bonus.find(({ threshold }) => upper < threshold) ?? rules.bonus[rules.bonus.length - 1];
    const missing = goal.threshold - upper;
    if (!note.firstChild) {
      for (const className of ["upper", "missing", "bar"]) made("span", note, { className });
      made("i", note.children[2]);
    }
    const [total, more, bar] = note.children; /* they stay, so that the bar grows */
    total.textContent = `${upper}/${goal.threshold}`;
    more.textContent = missing > 0 ? t("{{missing}} more for +{{points}}", { missing, points: goal.points }) : t("reached");
    /** @type {HTMLElement} */ (bar.firstChild).style.width = `${Math.min(100, 100 * upper / goal.threshold)}%`;
  }
}

/** Show the scorecards of all players in a sheet.
 * @param {import("./table_game.js").TableGame} game */
export function showScorecards({ rules, players, stage, outlook }) {
  const head = at("cards-players"), body = at("cards-rows");
  head.replaceChildren();
  body.replaceChildren();
  made("th", head, { scope: "col", textContent: t("Category") });
  for (const player of players) made("th", head, { scope: "col", textContent: nameOf(player) });
  /** @param {string} textContent @param {(player: number) => string | number} cell */
  const add = (textContent, cell) => {
    const row = made("tr", body);
    made("th", row, { scope: "row", textContent });
    for (const p of players.keys()) made("td", row, { textContent: String(cell(p)) });
  };
  for (const slots of rowsOf(rules))
    add(titleOf(rules, slots[0]), (p) => slots.flatMap((k) => stage.cards[p][k]?.points ?? []).join(" "));
  for (const { title, value } of sumsOf(rules)) add(title, (p) => value(stage, p));
  add(t("Total"), (p) => totalOf(rules, stage.cards[p]));
  at("cards-outlook").textContent = outlook ? outlookWords(players, outlook) : "";
  return asked("cards");
}
