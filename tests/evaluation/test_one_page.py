"""Check that the code and the printed page describe the same one-page strategy."""

import re
from collections.abc import Iterator
from functools import cached_property

import numpy as np
import pytest

from one_page_sheet import MARK, SHEET, printed
from rollwise import evaluate, load_rules
from rollwise.errors import IllegalError
from rollwise.game.scorecard import Dice
from rollwise.model.arrays import build
from rollwise.solving.turn_policy import Cards
from rollwise.strategies import OnePage
from rollwise.strategies.one_page import FACES, load_page

RULES = load_rules("yahtzee")
MODEL = build(RULES)
WORDS = {"3 of a kind": "three-of-a-kind", "4 of a kind": "four-of-a-kind"}
Row = list[str]


class Reader:
    """An interpreter of the printed page, independent of the strategy's code."""

    def __init__(self, text: str) -> None:
        tables = [part.splitlines() for part in text.strip().split("\n\n")]
        cells = [[[c.strip() for c in row.strip("|").split("|")] for row in t] for t in tables]
        self.lines, self.upper, self.lower = (table[2:] for table in cells)

    def keep(self, roll: Dice, open_keys: set[str], left: int) -> Dice:
        return next(
            keep
            for words, when in self.lines
            if all(self.true(part, open_keys, left) for part in filter(None, when.split("; ")))
            for keep in self.keeps(words, roll, open_keys)
        )

    def true(self, part: str, open_keys: set[str], left: int) -> bool:
        if part.endswith(" roll"):
            return part == {2: "first roll", 1: "second roll"}[left]
        named, _, state = part.rpartition(" ")
        keys = [WORDS.get(name, name.lower().replace(" ", "-"))
                for name in re.split(" or | and ", named)]  # fmt: skip
        if state == "open":
            return any(key in open_keys for key in keys)
        return not any(key in open_keys for key in keys)

    def keeps(self, words: str, roll: Dice, open_keys: set[str]) -> Iterator[Dice]:
        """Yield the dice of a roll that these words keep; yield nothing if they do not apply."""
        number = {face: roll.count(face) for face in set(roll)}
        if words.startswith("nothing"):
            yield ()
        elif words == "5s and 6s":
            if max(roll) > 4:
                yield tuple(die for die in roll if die in (5, 6))
        elif words in ("full house", "two pairs"):
            counts = {"full house": [2, 3], "two pairs": [1, 2, 2]}[words]
            if sorted(number.values()) == counts:
                yield tuple(die for die in roll if number[die] > 1)
        elif words.endswith("in a row") or words == "234 or 345":
            rows = {
                "five in a row": ["23456", "12345"],
                "four in a row": ["3456", "2345", "1234"],
                "234 or 345": ["345", "234"],
                "four of five in a row": ["23456", "12345"],
                "three of four in a row": ["2345", "3456", "1234"],
            }[words]
            needed = {"fi": 5, "fo": 4, "th": 3, "23": 3}[words[:2]]
            for row in rows:
                shown = tuple(int(face) for face in row if int(face) in number)
                if len(shown) == needed:
                    yield shown
                    return
        else:
            alike, _, rest = words.partition(" (")
            least = {"four of a kind": 4, "three of a kind": 3, "pair": 2, "highest face": 1}
            faces = [int(face) for face in re.findall(r"(\d)s", rest)] or [1, FACES]
            candidates = range(faces[0], faces[-1] + 1)
            if words.endswith("if open)"):
                candidates = [face for face in candidates if RULES.keys[face - 1] in open_keys]  # type: ignore
            enough = [face for face in candidates if number.get(face, 0) >= least[alike]]
            if enough:
                yield (max(enough),) * number[max(enough)]

    def worth(self, k: int, points: int, pace: int) -> int:
        if k < FACES:
            row = FACES * pace + points // (k + 1)
            return int(self.upper[row][k + 1].replace("−", "-"))
        _, priced, nothing = self.lower[k - FACES]
        if not points:
            return int(nothing.replace("−", "-"))
        sign, price = priced.split()[1:]
        return points - int(price) if sign == "−" else points + int(price)


class TestOnePage:
    @cached_property
    def reader(self) -> Reader:
        return Reader("\n\n".join(map(str.strip, MARK.findall(SHEET.read_text("utf-8")))))

    def test_the_printed_page_matches_the_strategy(self) -> None:
        assert tuple(MARK.findall(SHEET.read_text(encoding="utf-8"))) == printed(load_page())

    def test_the_page_keeps_the_same_dice(self) -> None:
        rng, player, dice = np.random.default_rng(3), OnePage(), MODEL.lattice
        for c in rng.choice(MODEL.n_classes - 2, 25).tolist():
            turns = player.turns(Cards.one(MODEL, c, int(MODEL.first_lane_C[c])))
            open_keys = {
                RULES.keys[k] for k in np.flatnonzero(MODEL.open_categories(np.array([c]))[0])
            }
            for left, keep_R in zip((2, 1), turns.keeps[0], strict=True):
                for r in rng.choice(len(dice.rolls), 20).tolist():
                    expected = self.reader.keep(dice.rolls[r], open_keys, left)
                    assert dice.points[keep_R[r]] == expected

    def test_the_page_scores_in_the_same_category(self) -> None:
        rng, player, dice = np.random.default_rng(4), OnePage(), MODEL.lattice
        for c in rng.choice(MODEL.n_classes - 2, 25).tolist():
            lane = int(rng.integers(MODEL.first_lane_C[c], MODEL.last_lane_C[c] + 1))
            (category_E,) = player.turns(Cards.one(MODEL, c, lane)).categories
            open_K = MODEL.open_categories(np.array([c]))[0]
            above = lane - sum(3 * face for face in range(1, FACES + 1) if not open_K[face - 1])
            even = load_page().pace
            pace = 0 if above < -even else 2 if above > even else 1
            for r in rng.choice(len(dice.rolls), 20).tolist():
                if len(set(dice.rolls[r])) == 1:
                    continue  # a possible joker, whose points the page does not cover
                held = MODEL.points_O[MODEL.option_T_V_K[0, r]]
                values = {k: self.reader.worth(k, int(held[k]), pace)
                         for k in np.flatnonzero(open_K).tolist()}  # fmt: skip
                assert category_E[r] == max(values, key=lambda k: values[k])

    @pytest.mark.parametrize(
        ("rules", "what"),
        [
            ("kismet", "the strategy one-page plays only the"),
            ("crag", "the strategy one-page plays only the"),
        ],
    )
    def test_other_categories_are_refused(self, rules: str, what: str) -> None:
        with pytest.raises(IllegalError, match=what):
            evaluate("one-page", rules)

    @pytest.mark.slow
    def test_beats_all_published_heuristics(self) -> None:
        assert evaluate(OnePage(), RULES, cache=True).distribution.mean > 244.87
