/* The course of a game: the expected final score of each player as a line, with a dot for every mistake. */

import { t } from "./languages.js";

const SVG = "http://www.w3.org/2000/svg";

/** How far from a mistake a tap selects it, in pixels. */
const REACH = 22;

/** A decision on the line of a player: the turns played and the value after the roll, then after the choice.
 * @typedef {{player: number, rolled: [number, number], chosen: [number, number], grade: number}} Mark
 */

/** @param {string} tag @param {Element} parent @param {Record<string, string | number>} attributes */
function drawn(tag, parent, attributes) {
  const element = parent.appendChild(document.createElementNS(SVG, tag));
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

export class Course {
  /** @param {Mark[]} marks in the order of play @param {number[]} starts the value at the start of each player
   * @param {number} turns */
  constructor(marks, starts, turns) {
    const values = [...starts, ...marks.flatMap(({ rolled, chosen }) => [rolled[1], chosen[1]])];
    const high = Math.max(...values), span = high - Math.min(...values) || 1;
    /** @param {[number, number]} point @returns {[number, number]} in percent */
    const place = ([turn, value]) => [100 * turn / turns, 100 * (high - value) / span];
    this.marks = marks.map((mark) => ({ ...mark, at: place(mark.chosen) }));
    this.element = document.createElementNS(SVG, "svg");
    this.element.classList.add("course");
    this.element.ariaLabel = t("Expected final score during the game");
    this.element.role = "img";
    const lines = drawn("svg", this.element, { viewBox: "0 0 100 100", preserveAspectRatio: "none", width: "100%", height: "100%" });
    this.lines = starts.map((start, p) => {
      const own = marks.filter(({ player }) => player === p);
      const points = [place([0, start]), ...own.flatMap(({ rolled, chosen }) => [place(rolled), place(chosen)])];
      return drawn("polyline", lines, { points: points.join(" ") });
    });
    this.cursor = drawn("line", this.element, { class: "cursor", y2: "100%" });
    this.dots = this.marks.filter(({ grade }) => grade).map(({ player, grade, at: [x, y] }) =>
      ({ player, dot: drawn("circle", this.element, { "data-grade": grade, cx: `${x}%`, cy: `${y}%`, r: 2 + grade / 2 }) }));
    this.here = drawn("circle", this.element, { class: "here", r: 6 });
  }

  /** Return the decision that a tap selects: a mistake in reach, or the nearest one.
   * @param {MouseEvent} event */
  nearest({ clientX, clientY }) {
    const { left, top, width, height } = this.element.getBoundingClientRect();
    const away = this.marks.map(({ at: [x, y] }) => Math.hypot(left + width * x / 100 - clientX, top + height * y / 100 - clientY));
    const inReach = away.filter((distance, n) => this.marks[n].grade && distance < REACH);
    return away.indexOf(Math.min(...(inReach.length ? inReach : away)));
  }

  /** @param {number} number of a decision */
  show(number) {
    const { player, at: [x, y] } = this.marks[number];
    this.lines.forEach((line, p) => { line.classList.toggle("mine", p === player); });
    for (const { player: owner, dot } of this.dots) dot.classList.toggle("mine", owner === player);
    for (const name of ["x1", "x2"]) this.cursor.setAttribute(name, `${x}%`);
    this.here.setAttribute("cx", `${x}%`);
    this.here.setAttribute("cy", `${y}%`);
  }
}
