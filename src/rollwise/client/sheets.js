/* The sheets of the table: options, rules, players, points, result. */

import { at, asked, made, recalled, remember } from "./dom.js";
import { decimal, t, tn } from "./languages.js";
import { capital, diceWords, gainWords, nameOf, optionWords, pointsWords, titleOf } from "./words.js";
import { rowsOf } from "./scorecard.js";

/** @typedef {import("./game.js").Rules} Rules
 * @typedef {import("./turn.js").Option} Option
 * @typedef {import("./table.js").TableGame} TableGame
 * @typedef {import("./words.js").Gain} Gain
 */

/** Show all options, and ask for one.
 * @param {TableGame} game @param {Promise<Gain[]>} why what the best choice gains
 * @returns {Promise<Option | undefined>} */
export async function askOption({ rules, objective: { tie }, options, possible, columns, chosen, remark }, why) {
  const head = /** @type {HTMLElement} */ (document.querySelector("#options thead tr"));
  head.replaceChildren();
  for (const textContent of [t("Option"), ...columns.map((title) => t(title))]) made("th", head, { scope: "col", textContent });
  const rows = /** @type {HTMLElement} */ (document.querySelector("#options tbody"));
  rows.replaceChildren();
  for (const [i, option] of options.entries()) {
    const isBest = option.loss <= tie, row = made("tr", rows, { className: isBest ? "best" : "" });
    row.classList.toggle("chosen", option === chosen);
    const words = optionWords(rules, option, possible), textContent = option === chosen ? t("{{option}} (yours)", { option: words }) : words;
    const button = made("button", made("td", row), { value: `${i}`, textContent });
    button.setAttribute("form", "options-form");
    for (const textContent of option.cells?.map(numberWords) ?? [decimal(option.value, 2), isBest ? "–" : decimal(option.loss, 2)]) made("td", row, { textContent });
  }
  showGain("options-reason", rules, why, remark);
  /** @type {HTMLElement} */ (document.querySelector("#options .scroll")).scrollTop = 0;
  const answer = await asked("options");
  return answer ? options[Number(answer)] : undefined;
}

/** Return a number of a server, such as `<0.01`, in the language of the page.
 * @param {string} text */
const numberWords = (text) => text.replace(/\d+\.(\d+)/, (number, { length }) => decimal(Number(number), length));

/** Show what the best choice gains, as soon as it is known.
 * @param {string} id of the element @param {Rules} rules @param {Promise<Gain[]>} why @param {string} [remark] what is known besides */
async function showGain(id, rules, why, remark = "") {
  at(id).textContent = remark;
  at(id).textContent = `${gainWords(rules, await why)} ${remark}`.trim();
}

/** Return what a category brings on average, over all its slots.
 * @param {Rules} rules @param {number[]} slots */
function averageOf({ categories }, slots) {
  const averages = slots.flatMap((k) => categories[k].average ?? []);
  return averages.length ? averages.reduce((sum, average) => sum + average, 0) / averages.length : null;
}

/** Explain a category: what it needs, what it pays, and what it brings.
 * @param {TableGame} game @param {number} category */
export function showCategory(game, category) {
  const show = () => fillCategory(game.rules, category);
  show();
  game.fetchAverages().then(show);
  return asked("category");
}

/** @param {Rules} rules @param {number} category */
function fillCategory(rules, category) {
  const { needs, pays } = rules.categories[category], text = at("category-text");
  const slots = rowsOf(rules).find((row) => row.includes(category)) ?? [category], average = averageOf(rules, slots);
  at("category-title").textContent = titleOf(rules, category);
  text.replaceChildren();
  const facts = [[t("Needs:"), t(needs)], [t("Pays:"), /^\d+$/.test(pays) ? pointsWords(Number(pays)) : t(pays)]];
  if (average !== null)
    facts.push([t("Average:"), t("{{points}} points in optimal play", { points: decimal(average, 1) })]);
  if (slots.length > 1) facts.push([t("Slots:"), tn(slots.length, "can be filled {{count}} time", "can be filled {{count}} times")]);
  for (const [name, fact] of facts) {
    const line = made("p", text);
    made("b", line, { textContent: `${name} ` });
    line.append(`${fact}.`);
  }
}

/** @param {TableGame} game */
export function showRules(game) {
  fillRules(game.rules);
  game.fetchAverages().then(() => fillRules(game.rules));
  return asked("rules");
}

/** @param {Rules} rules */
function fillRules(rules) {
  const body = at("rules-categories");
  body.replaceChildren();
  at("rules-average").hidden = at("rules-averages").hidden = rules.categories.every(({ average }) => average === null);
  for (const slots of rowsOf(rules)) {
    const { needs, pays } = rules.categories[slots[0]], row = made("tr", body), cell = made("td", row), average = averageOf(rules, slots);
    made("b", cell, { textContent: titleOf(rules, slots[0]) });
    made("small", cell, { textContent: t("{{needs}}: {{pays}}", { needs: t(needs), pays: t(pays) }) });
    if (average !== null) made("td", row, { textContent: decimal(average, 1) });
  }
}

/** @param {Rules} rules */
export function showKeys(rules) {
  const codes = rowsOf(rules).map(([k]) => `${rules.categories[k].code} ${titleOf(rules, k)}`);
  at("codes").textContent = t("To score, type the code of a category: {{codes}}.", { codes: codes.join(", ") });
  return asked("keys");
}

/** Show a welcome where the page has one, but only once.
 * @returns {Promise<string>} `real` for a game with real dice, or nothing */
export async function welcome() {
  if (!at("welcome") || recalled("welcome")) return "";
  remember("welcome", true); /* before it closes: a reload at that moment does not show it again */
  return asked("welcome");
}

/** Ask who plays, and where there is a choice, with which dice.
 * @param {string[]} players those of the last game @param {boolean} realDice
 * @returns {Promise<{choice: string, players: string[], realDice: boolean}>} */
export async function askPlayers(players, realDice) {
  const real = at("real");
  if (real) real.checked = realDice;
  const fields = /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll("#new .name")]);
  fields.forEach((field, p) => {
    field.ariaLabel = t("Player {{number}}", { number: p + 1 });
    field.value = nameOf(players[p] ?? "");
  });
  const choice = await asked("new"), names = fields.map(({ value }) => value.replace(/[,:;#]/g, " ").trim()).filter(Boolean);
  const unique = names.map((name, p) => (names.indexOf(name) === p ? (name === nameOf("You") ? "You" : name) : `${name} ${p + 1}`));
  return { choice, players: unique.length ? unique : ["You"], realDice: real ? real.checked : realDice };
}

/** Ask for one of some numbers of points.
 * @param {string} title @param {number[]} points @param {string} clear the words of a button that clears, or ""
 * @returns {Promise<string>} the points, `clear`, or nothing */
export function askPoints(title, points, clear) {
  const choices = at("points-choices");
  at("points-title").textContent = title;
  choices.replaceChildren();
  for (const number of points) made("button", choices, { textContent: String(number), value: String(number) });
  if (clear) made("button", choices, { textContent: clear, value: "clear", className: "wide" });
  return asked("points");
}

/** Warn before a choice with a loss.
 * @param {Rules} rules @param {Option} chosen @param {string} words @param {Promise<Gain[]>} why what the best choice gains
 * @returns {Promise<string>} back, show, or go */
export function warn(rules, chosen, words, why) {
  const choice = optionWords(rules, chosen);
  at("warning-title").textContent = t("{{option}}?", { option: capital(choice) });
  at("warning-text").textContent = words;
  showGain("warning-reason", rules, why);
  at("anyway").textContent = t("Play anyway: {{option}}", { option: choice });
  return asked("warning");
}

/** Fill the sheet with the result of a game, or of some questions.
 * @param {TableGame} game */
export function fillResult(game) {
  const { title, parts, bounds, scale, note, decisions, isPerfect, share: textFor } = game.result(), text = at("end-text"), practice = at("practice");
  at("end-title").textContent = title;
  text.replaceChildren();
  for (const { title: heading, rating, words } of parts) {
    const part = made("section", text);
    if (heading) made("h3", part, { textContent: heading });
    if (rating) showScale(part, Object.keys(bounds), rating);
    for (const textContent of words) made("p", part, { textContent });
  }
  if (note) made("p", text, { textContent: note });
  if (decisions.length) showDecisions(text, game.rules, game.objective.tie, decisions);
  const limits = Object.entries(bounds).map(([rating, limit]) => t("{{rating}} up to {{points}}", { rating: t(rating), points: decimal(limit, 1) })).join("; ");
  if (limits) made("small", text, { textContent: t("{{scale}}: {{limits}}, random above that.", { scale, limits }) });
  if (practice) practice.hidden = isPerfect;
  at("share").textContent = t("Share the result");
  at("share").onclick = () => share(textFor(publicAddress()));
}

/** Show decisions in a table whose rows are buttons.
 * @param {HTMLElement} parent @param {Rules} rules @param {number} tie @param {import("./table_game.js").Decision[]} decisions */
function showDecisions(parent, rules, tie, decisions) {
  const table = made("table", parent), head = made("tr", made("thead", table)), body = made("tbody", table);
  for (const textContent of [t("Your choice"), t("Best"), t("Points lost")]) made("th", head, { scope: "col", textContent });
  for (const { number, dice, chosen, best } of decisions) {
    const row = made("tr", body), isBest = chosen.loss <= tie, cell = made("td", row);
    const button = made("button", cell, { value: `${number}`, textContent: t("{{dice}}: {{option}}", { dice: diceWords(rules, dice), option: optionWords(rules, chosen) }) });
    button.setAttribute("form", "end-form");
    for (const textContent of isBest ? ["", "–"] : [optionWords(rules, best), decimal(chosen.loss, 2)]) made("td", row, { textContent });
  }
}

/** Show the scale of ratings with the rating of a player.
 * @param {HTMLElement} parent @param {string[]} words best first, without the last @param {string} rating */
function showScale(parent, words, rating) {
  made("p", parent, { textContent: t("Rating: {{rating}}.", { rating: t(rating) }) });
  const scale = made("div", parent, { className: "scale", ariaHidden: "true" });
  for (const word of [...words, "random"]) made("span", scale, { textContent: t(word), className: word === rating ? "yours" : "" });
}

/** Show the link to the game for other devices, or how to get one, and then who plays in this window. */
export async function invite() {
  const send = at("send-link");
  if (send) send.onclick = () => share(at("link").value, send);
  if (await asked("invite") === "seat") asked("seat");
}

/** Return the address at which other people find these games; empty if only this machine can open it. */
function publicAddress() {
  const { protocol, hostname, origin, pathname } = location;
  const isPublic = protocol.startsWith("http") && !/^(localhost|127\..*|\[::1\])$/.test(hostname);
  return isPublic ? origin + pathname.replace(/^\/play\/.*/, "/") : "";
}

/** @param {string} text @param {HTMLElement} [button] shows what happened */
async function share(text, button = at("share")) {
  try {
    if (typeof navigator.share === "function") return await navigator.share({ text });
    await navigator.clipboard.writeText(text);
    button.textContent = t("Copied");
  } catch {
    button.textContent = t("Not shared"); /* refused, or the player closed the sheet of the system */
  }
}
