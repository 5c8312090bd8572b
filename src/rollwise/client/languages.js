/* The language of the page: its texts and numbers, and the choice of another language.
 *
 * A text is written in English where it is used, and is the key of its translations. The catalogs have the JSON format
 * of i18next, version 4: `{{name}}` stands for a value, and `_one`, `_few`, … for the plural forms of a language. */

import { at, recalled, remember, replaceAddress } from "./dom.js";

/** The translations of each language, by the English text. @typedef {Record<string, Record<string, string>>} Catalogs */
/** @typedef {Record<string, string | number>} Values */

/** The elements that can contain a text of the page; the others have names. */
const TRANSLATED = ":is(h1, h2, p, li, span, small, b, button, a, th, label, option):not([translate=no])";

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
export const dayWords = (day) => new Date(day).toLocaleDateString(language, { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });

/** Return the day of today, such as `2026-11-27`. */
export const today = () => new Date().toLocaleDateString("sv");

/** @param {string} tag of a language @param {Record<string, string>} texts its catalog */
export function setLanguage(tag, texts) {
  language = tag;
  catalog = new Map(Object.entries(texts));
  point = (1.5).toLocaleString(tag)[1];
  plurals = new Intl.PluralRules(tag);
}

/** Show the page in the language of the server, or an offline page in that of the player, and let the player choose another.
 * @param {Catalogs} catalogs of all languages but English, or of the one that the server has chosen
 * @param {() => void} [changed] called when another language is chosen, if the page has all of them */
export function chooseLanguage(catalogs, changed) {
  const known = Object.keys(catalogs), translations = translationsOf(catalogs), choice = at("language");
  /** @param {string} tag */
  const show = (tag) => {
    setLanguage(tag, catalogs[tag] ?? {});
    document.documentElement.lang = choice.value = tag;
    for (const translate of translations) translate();
  };
  show(changed ? preferred(["en", ...known]) : known[0] ?? "en");
  choice.onchange = () => {
    if (!changed) return location.replace(addressFor(choice.value)); /* the server remembers it */
    remember("language", choice.value);
    show(choice.value);
    changed();
  };
  if (new URLSearchParams(location.search).has("language")) replaceAddress(addressFor("")); /* others have their own language */
}

/** Return the language that the player has chosen, or else the first one of the browser that is known.
 * @param {string[]} known */
function preferred(known) {
  /** @param {string} tag */
  const primary = (tag) => tag.toLowerCase().split("-")[0];
  const wanted = [recalled("language") ?? "", ...navigator.languages].map(primary);
  return wanted.flatMap((tag) => known.filter((name) => primary(name) === tag))[0] ?? "en";
}

/** Return the address of the page in a language, or with none.
 * @param {string} tag */
function addressFor(tag) {
  const query = new URLSearchParams(location.search);
  query.delete("language");
  if (tag) query.set("language", tag);
  return location.pathname + (String(query) && `?${query}`);
}

/** Return functions that translate the page itself: elements whose whole content is a text of a catalog, and attributes.
 * @param {Catalogs} catalogs @returns {(() => void)[]} */
function translationsOf(catalogs) {
  /** @param {string} text @param {(translation: string) => void} set */
  const translation = (text, set) => (Object.values(catalogs).some((texts) => Object.hasOwn(texts, text)) ? () => set(t(text)) : []);
  const elements = [...document.querySelectorAll(TRANSLATED)].flatMap((element) =>
    translation(element.innerHTML.trim(), (text) => { element.innerHTML = text; }));
  const attributes = ["aria-label", "placeholder"].flatMap((name) => [...document.querySelectorAll(`[${name}]`)].flatMap((element) =>
    translation(element.getAttribute(name) ?? "", (text) => element.setAttribute(name, text))));
  return [...elements, ...attributes];
}
