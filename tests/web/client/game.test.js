/* Events of a game, without a solved game. */

import assert from "node:assert/strict";
import test from "node:test";

import {
  Refusal, bonusAt, emptyCard, eventText, firstStage, marked, nextStage, nextTurn, parseEvent, totalOf,
} from "../../../src/rollwise/client/game.js";

const category = (key, section) => ({ key, title: key, section, needs: "", pays: "", average: null, first: 0, before: -1, column: 0, row: key, name: key });
const rules = {
  name: "two", title: "Two", dice: 3, faces: 6, kinds: [{ dice: 3, symbols: [1, 2, 3, 4, 5, 6] }], numbers: [1, 2, 3, 4, 5, 6],
  rolls: 2, saved: "", hasExtraRolls: false, columns: [], colors: [], extra: null, grades: [0.2, 1, 5],
  bonus: [{ threshold: 5, points: 10 }, { threshold: 8, points: 20 }],
  categories: [category("ones", "upper"), category("chance", "lower")],
};

/** Chance is the sum of the dice, and Ones the number of ones. */
const scorer = (card, dice) => new Map(card.flatMap((box, k) =>
  box ? [] : [[k, { points: dice.reduce((sum, die) => sum + (k ? die : Number(die === 1)), 0), extra: 0, outcome: 1 }]]));
const after = (...texts) => texts.reduce((stage, text) => nextStage(rules, scorer, stage, parseEvent(rules, text)), firstStage(rules, [emptyCard(rules), emptyCard(rules)]));

test("a player with a full scorecard has no turn", () => {
  const full = [1, 2].map((points) => ({ points, extra: 0, outcome: 0 })), open = emptyCard(rules);
  assert.deepEqual([0, 1, 2].map((player) => nextTurn(rules, [open, full, open], player).player), [2, 2, 0]);
});

test("kept dice stay in their places", () => {
  const stage = after("roll 525", "keep 5");
  assert.deepEqual([stage.dice, stage.held], [[5, 0, 0], [true, false, false]]);
  assert.deepEqual(nextStage(rules, scorer, stage, parseEvent(rules, "roll 615")).dice, [5, 6, 1]);
  const second = nextStage(rules, scorer, after("roll 525"), parseEvent(rules, "keep 5"), [false, false, true]);
  assert.deepEqual(second.dice, [0, 0, 5]);
});

for (const [texts, words] of [
  [["keep 1"], "Roll the dice first."],
  [["roll 123", "roll 123"], "Choose dice to keep, or a category."],
  [["roll 12"], "Enter 3 dice."],
  [["roll 123", "keep 4"], "You can keep only dice that you rolled."],
  [["roll 123", "keep 123"], "Keep fewer dice, or choose a category."],
  [["roll 123", "keep 1", "roll 234"], "The roll does not contain the kept dice."],
  [["roll 123", "keep -", "roll 234", "keep 2"], "No rolls are left. Choose a category."],
  [["roll 123", "score chance", "roll 123", "score chance", "roll 123", "score chance"], "You cannot score in this category now."],
  [["roll 127"], "“roll 127” is not an event of this game."],
  [["score fives"], "“score fives” is not an event of this game."],
])
  test(`refused: ${texts.join("; ")}`, () => {
    assert.throws(() => after(...texts), (error) => error instanceof Refusal && error.message === words);
  });

test("events are written as in game records", () => {
  for (const text of ["roll 123", "keep 12", "keep -", "score ones"]) assert.equal(eventText(rules, parseEvent(rules, text)), text);
  const faces = [...Array(13).keys()].slice(1), large = { ...rules, faces: 12, kinds: [{ dice: 3, symbols: faces }], numbers: faces };
  assert.deepEqual(parseEvent(large, "roll 10,2,12").dice, [10, 2, 12]);
});

test("dice of another kind follow a plus sign", () => {
  const kinds = [...rules.kinds, { dice: 1, symbols: [7, 8, 9] }], mixed = { ...rules, kinds, numbers: [...rules.numbers, 0, 5, 10] };
  assert.deepEqual(parseEvent(mixed, "roll 126+10").dice, [1, 2, 6, 9]);
  for (const text of ["roll 126+10", "keep 12+", "keep +5", "keep -"]) assert.equal(eventText(mixed, parseEvent(mixed, text)), text);
  for (const text of ["roll 126+6", "roll 12+5+1", "roll 10"]) assert.throws(() => parseEvent(mixed, text), Refusal);
});

test("each column has its own bonus", () => {
  const columns = ["down", "up"], categories = columns.map((name, column) => ({ ...category(`${name}-ones`, "upper"), column }));
  const box = (points) => ({ points, extra: 0, outcome: 0 }), double = { ...rules, columns, categories };
  assert.equal(totalOf(double, [box(4), box(4)]), 8);
  assert.equal(totalOf(double, [box(5), box(8)]), 13 + 10 + 20);
});

test("a hint marks as many dice as it keeps", () => {
  assert.deepEqual(marked([6, 1, 6, 6], [6, 6]), [true, false, true, false]);
  assert.equal(marked([6, 1], [6, 6]), null);
});

test("the highest step of the bonus counts", () => {
  assert.deepEqual([4, 5, 7, 8].map((total) => bonusAt(rules, total)), [0, 10, 10, 20]);
});
