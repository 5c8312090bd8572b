/* The language of the page: its texts and numbers, and the choice of another language.
 *
 * A text is written in English where it is used, and is the key of its translations. The catalogs have the JSON format
 * of i18next, version 4: `{{name}}` stands for a value, and `_one`, `_few`, … for the plural forms of a language. */

import { at, recalled, remember } from "./dom.js";

/** The translations of each language, by the English text. @typedef {Record<string, Record<string, string>>} Catalogs */
/** @typedef {Record<string, string | number>} Values */

const YEAR = 31_536_000; /* seconds */

let language = "en", point = ".", plurals = new Intl.PluralRules(language);
/** @type {Map<string, string>} */
let catalog = new Map();

/** @param {string} text @param {Values} values */
const withValues = (text, values) => text.replace(/\{\{(\w+)\}\}/g, (all, name) => String(values[name] ?? all));

/** Return a text in the language of the page.
 * @param {string} text in English, also one that a server has sent @param {Values} [values] */
export const t = (text, values = {}) => withValues(catalog.get(text) ?? text, values);

/** Return a text about some things, whose number is `{{count}}`.
 * @param {number} count @param {string} one the English text for one thing @param {string} other for other numbers, which
 * is the key of the translations @param {Values} [values] */
export function tn(count, one, other, values = {}) {
  const text = catalog.get(`${other}_${plurals.select(count)}`) ?? catalog.get(`${other}_other`) ?? (count === 1 ? one : other);
  return withValues(text, { count, ...values });
}

/** Return a number with some digits after the decimal point.
 * @param {number} number @param {number} digits */
export const decimal = (number, digits) => number.toFixed(digits).replace(".", point);

/** Return names as a list in a sentence.
 * @param {string[]} names */
export const listed = (names) => new Intl.ListFormat(language).format(names);

/** Return a day in words.
 * @param {string} day such as `2026-11-27` */
export const dayWords = (day) => new Date(day).toLocaleDateString(language, { dateStyle: "long", timeZone: "UTC" });

/** Use the language in the address, or that the player has chosen, or else the first one of the browser that is known.
 * @param {Catalogs} catalogs of all languages but English, or of the one that the server has chosen */
export function speak(catalogs) {
  const known = ["en", ...Object.keys(catalogs)], inAddress = new URLSearchParams(location.search).get("language");
  const wanted = [inAddress, recalled("language"), ...navigator.languages].filter(Boolean);
  const found = wanted.flatMap((tag) => known.find((name) => primary(name) === primary(tag)) ?? []);
  use(found[0] ?? "en", catalogs[found[0]] ?? {});
  translate();
  const choice = at("language");
  choice.value = language;
  choice.onchange = () => {
    remember("language", choice.value);
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs HTTPS
    document.cookie = `language=${choice.value}; path=/; max-age=${YEAR}; samesite=lax`;
    if (known.length > 2) location.search = `language=${choice.value}`; /* a browser can lose what a file stores before a reload */
    else location.reload();
  };
}

/** @param {string} tag of a language */
const primary = (tag) => tag.split("-")[0];

/** @param {string} tag of a language @param {Record<string, string>} texts its catalog */
export function use(tag, texts) {
  language = tag;
  catalog = new Map(Object.entries(texts));
  point = (1.5).toLocaleString(tag)[1];
  plurals = new Intl.PluralRules(tag);
}

/** Translate the texts of the page itself, which are elements whose whole content is a text of the catalog. */
function translate() {
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll("h1, h2, p, li, span, small, b, button, a, th, label, option")) {
    const text = catalog.get(element.innerHTML.trim());
    if (text) element.innerHTML = text;
  }
  for (const name of ["aria-label", "placeholder"])
    for (const element of document.querySelectorAll(`[${name}]`)) element.setAttribute(name, t(element.getAttribute(name) ?? ""));
}
