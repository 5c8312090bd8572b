/* The client against the solved games and random games that rollwise exported as JSON. */

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";

import { Refusal, extraOf, firstStage, emptyCard, isOver, nextStage, parseEvent, sorted, totalOf } from "../../../src/rollwise/client/game.js";
import { expectedScore, optionsAt, scorerOf, scoresOf } from "../../../src/rollwise/client/local.js";
import { stageAt } from "../../../src/rollwise/client/position.js";
import { readSolved } from "../../../src/rollwise/client/turn.js";

const folder = process.env.ROLLWISE_EXPORTED;
assert.ok(folder, "the folder of the exported games is missing");

for (const file of readdirSync(folder)) {
  const { rules, solved: packed, value, positions, games } = JSON.parse(readFileSync(join(folder, file), "utf8"));
  const solved = await readSolved(packed), rounding = 0.5 / solved.scale + 1e-9;

  test(`${file}: ${positions.length} positions have the options of the solution`, () => {
    assert.ok(Math.abs(expectedScore(solved, emptyCard(rules)) - value) <= rounding);
    for (const { line, options } of positions) {
      const found = optionsAt(solved, stageAt(rules, (k) => scoresOf(solved, k), line));
      assert.equal(found.length, options.length);
      for (const { keep, category, value, loss } of found) {
        const expected = options.find((option) => option.category === category && option.keep?.join() === keep?.join());
        assert.ok(Math.abs(value - expected.value) <= rounding, `${value}, not ${expected.value}`);
        assert.ok(Math.abs(loss - expected.loss) <= 2 * rounding);
        if (loss === 0) assert.ok(expected.loss <= 2 * rounding);
      }
    }
  });

  test(`${file}: texts that are no positions are refused`, () => {
    const [{ line }] = positions, first = rules.categories[0].key, full = rules.categories.map(({ key }) => `${key}=0`).join();
    for (const text of ["", "6", "dice 1", "dice x", `${line} | other 1`, "rolls-left 9", "rolls-left 0.5", "card -1", `card ${first}=7.5`, `card ${full}`, "card extra-bonus=1"])
      assert.throws(() => stageAt(rules, (k) => scoresOf(solved, k), text), Refusal, text);
  });

  test(`${file}: ${games.length} games have the scorecards of their records`, () => {
    for (const { players, events } of games) {
      const scorer = scorerOf(solved);
      let stage = firstStage(rules, players.map(() => emptyCard(rules)));
      for (const { event, player, dice, left, cards, legal } of events) {
        stage = nextStage(rules, scorer, stage, parseEvent(rules, event));
        assert.equal(stage.player, isOver(stage) ? stage.player : player);
        assert.deepEqual(sorted(stage.dice.filter(Boolean)), dice);
        assert.equal(stage.rollsLeft, left);
        for (const [p, card] of stage.cards.entries()) {
          assert.deepEqual(card.map((box) => box?.points ?? null), cards[p].boxes);
          assert.deepEqual([extraOf(card), totalOf(rules, card)], [cards[p].extra, cards[p].total]);
        }
        if (!legal) continue;
        const possible = [...scorer(stage.cards[player], stage.dice, left)].map(([k, box]) => [k, box.points, box.extra]);
        assert.deepEqual(possible, legal);
      }
    }
  });
}
