/* Sentences, in English and with a catalog of another language. */

import assert from "node:assert/strict";
import test from "node:test";

import { decimal, setLanguage, t, tn } from "../../../src/rollwise/client/languages.js";
import { eventWords, gainWords, optionWords, progressWords, resultWords } from "../../../src/rollwise/client/words.js";

const category = (key, title) => ({ key, title, name: title, first: 0 });
const rules = {
  numbers: [1, 2, 3, 4, 5, 6], kinds: [{ dice: 2, symbols: [1, 2, 3, 4, 5, 6] }], columns: [], extra: { title: "Yahtzee bonus", points: 100, box: 0 },
  categories: [{ ...category("ones", "Ones"), first: 0 }, { ...category("chance", "Chance"), first: 1 }],
};
const plain = (text) => text.replaceAll("\u00a0", " ");
const CZECH = { "{{count}} points_one": "{{count}} bod", "{{count}} points_few": "{{count}} body", "{{count}} points_other": "{{count}} bodů", Roll: "Hodit" };

test.afterEach(() => setLanguage("en", {}));

for (const [name, event, gained, words] of [
  ["Ada", { kind: "score", category: 1 }, 1, "Ada: 1 point in Chance."],
  ["You", { kind: "score", category: 0 }, 25, "You: 25 points in Ones."],
  ["Ada", { kind: "keep", dice: [3, 3] }, 0, "Ada keeps 3 3."],
  ["You", { kind: "keep", dice: [] }, 0, "You keep no dice."],
  ["Ada", { kind: "roll", dice: [1, 2] }, 0, "Ada rolled 1 2."],
])
  test(`an event: ${words}`, () => assert.equal(plain(eventWords(rules, name, event, gained)), words));

test("what the best choice gains", () => {
  const gains = [["extra-bonus", 12.06], ["ones", 0.02], ["upper-bonus", 3]];
  assert.equal(gainWords(rules, gains), "The best choice gains 12.1 towards the Yahtzee bonus, <0.1 in Ones, 3.0 towards the bonus.");
  assert.equal(gainWords(rules, []), "");
});

test("the time that a solution needs", () => {
  assert.equal(progressWords("", null), "Preparing advice…");
  assert.equal(progressWords("Perfect", [0.256, 1]), "Perfect is waiting: computing… 26%, about 1 second left");
  assert.equal(progressWords("", [0.1, 240]), "Preparing advice: 10%, about 4 minutes left");
});

test("the winner of a game", () => {
  const stage = (...points) => ({ cards: points.map((number) => [{ points: number, extra: 0 }]) }), game = { ...rules, bonus: [], categories: rules.categories.slice(0, 1) };
  assert.equal(resultWords(game, ["You", "Ada"], stage(20, 15)), "You win, 20 – 15");
  assert.equal(resultWords(game, ["You", "Ada", "Ben"], stage(5, 15, 20)), "Ben wins, 20 – 15 – 5");
  assert.equal(resultWords(game, ["Ada", "Ben"], stage(9, 9)), "Ada and Ben tie with 9 points");
});

test("texts and numbers of another language", () => {
  setLanguage("cs", CZECH);
  assert.deepEqual([1, 3, 5].map((count) => tn(count, "{{count}} point", "{{count}} points")), ["1 bod", "3 body", "5 bodů"]);
  assert.equal(decimal(2.345, 1), "2,3");
  assert.equal(t("Roll"), "Hodit");
  assert.equal(t("constructor"), "constructor"); // a title of a rule file
  assert.equal(optionWords(rules, { category: 1 }), "score Chance"); // no translation yet
});
