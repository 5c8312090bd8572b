"""Check the payoff line of M. Mince, Using Markov Chains … to Play Yahtzee.

``rollwise.studies.published.mince`` compares each printed number; these tests check the numbers
without the errors of the paper, the transcript, custom payoffs, and other games.
"""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, product

import numpy as np
import pytest

from rollwise.decision_analysis import Multisets, Turn, target_turn
from rollwise.errors import IllegalError, InputError
from rollwise.game.actions import Keep
from rollwise.game.dice_notation import parse_dice
from rollwise.game.position import Position
from rollwise.game.scorecard import legal_moves
from rollwise.rules import load_rules
from rollwise.strategies import PayoffLine
from rollwise.strategies.payoff_line import (
    PAPER,
    CustomPayoffs,
    PayoffModel,
    paper_after,
    paper_chain,
    payoff_chain,
    payoff_model,
)
from rollwise.studies.published.mince import (
    CHOSEN,
    GAMES,
    NOT_CHOSEN,
    REASONS,
    turns,
    variants,
)

RULES = load_rules("yahtzee")
CORRECTED, EXACT = (payoff_model(RULES, v) for v in ("corrected", "exact"))


class TestChains:
    def test_first_rolls_and_one_reroll(self) -> None:
        # This enumerates all ordered rolls.
        def shares(kept: tuple[int, ...], wanted: set[int]) -> list[Fraction]:
            rolls = [{*kept, *roll} for roll in product(range(1, 7), repeat=5 - len(kept))]
            counts = Counter(len(roll & wanted) for roll in rolls)
            return [Fraction(counts[n], len(rolls)) for n in range(len(wanted) + 1)]

        for length, wanted in ((4, {1, 2, 3, 4}), (5, {1, 2, 3, 4, 5})):
            chain = payoff_chain(length)
            assert chain.after(chain.start, 0) == shares((), wanted)
            assert chain.chain.matrix()[2] == shares((1, 2), wanted)
        kinds = payoff_chain("of-a-kind")
        assert [p * 7776 for p in kinds.after(kinds.start, 0)] == [720, 5400, 1500, 150, 6]
        assert kinds.after("2", 2)[-1] == Fraction(113, 3888)

    def test_large_straight_from_12566(self) -> None:
        # The paper asks for the straight 2 3 4 5 6. The brute force tries every set of dice.
        wanted = {2, 3, 4, 5, 6}

        @cache
        def completed(kept: tuple[int, ...]) -> Fraction:
            rolls = list(product(range(1, 7), repeat=5 - len(kept)))
            return Fraction(sum(wanted <= {*kept, *roll} for roll in rolls), len(rolls))

        @cache
        def best(roll: tuple[int, ...]) -> Fraction:
            return max(completed(kept) for n in range(6) for kept in combinations(roll, n))

        def value(kept: tuple[int, ...]) -> Fraction:
            rolls = Counter(
                tuple(sorted((*kept, *roll))) for roll in product(range(1, 7), repeat=5 - len(kept))
            )
            return Fraction(sum(best(roll) * n for roll, n in rolls.items())) / sum(rolls.values())

        kept = {kept for n in range(6) for kept in combinations((1, 2, 5, 6, 6), n)}
        assert max(map(value, kept)) == value((2, 5, 6)) == Fraction(53, 324)
        assert payoff_chain(5).after("3", 2)[-1] == Fraction(53, 324)
        turn = Turn(Multisets(), lambda dice: int(wanted <= set(dice)))
        assert turn.moves(2)["12566"] == ("256",)
        # If the straight 1 2 3 4 5 also counts, it is better to keep only 2 and 5.
        either = target_turn("large-straight")
        assert either.moves(2)["12566"] == ("25",)
        assert f"{float(either.keep_value('25', 2)):.3%}" == "18.416%"

    @pytest.mark.parametrize(
        ("kind", "printed"),
        [
            ("of-a-kind", "0.000917 0.25646 0.45252 0.24478 0.04603"),
            (4, "0.000753 0.055304 0.496277 0.448829"),
            (5, "0.000003057 0.0041696 0.1735440 0.6254531 0.1968299"),  # without a factor of 10
        ],
    )
    def test_the_printed_results_follow_from_the_errors(self, kind: int, printed: str) -> None:
        numbers = printed.split()
        for number, p in zip(numbers, paper_after(kind, 2)[1:], strict=True):
            unit = 10.0 ** -len(number.partition(".")[2])
            assert float(number) == pytest.approx(p, abs=unit)
        matrix, _ = paper_chain(kind)
        assert matrix[1, 1] == PAPER[kind][0] / 1296


class TestLine:
    def test_lines_without_errors(self) -> None:
        lines = [f"{p.line.slope:.4f} {p.line.intercept:.4f}" for p in (CORRECTED, EXACT)]
        assert lines == ["-2.3709 0.5061", "-2.1611 0.5018"]

    def test_exact_probabilities_equal_decision_analysis(self) -> None:
        ours = {RULES.keys[p.category]: p.exact for p in EXACT.whole_turns()}
        targets = {"sixes": "3x6+"} | {key: key for key in RULES.keys[6:] if key != "chance"}
        for key, target in targets.items():
            assert ours[key] == pytest.approx(float(target_turn(target).value))

    def test_errors_of_the_first_roll(self) -> None:
        points = CORRECTED.aims(range(13), (1, 2, 2, 6, 6), 2)
        corrected = {RULES.keys[p.category]: p.probability for p in points}
        # The probability of the full house is for one roll. With two rolls, it is 5 / 9.
        assert corrected["full-house"] == pytest.approx(5 / 9)
        # T allows a change of face. Two sixes become three or more with probability 1 − (25 / 36)³.
        assert corrected["sixes"] == pytest.approx(1 - (25 / 36) ** 3)
        # The printed probability is for exactly three of a kind, but four and five also count.
        exactly = 0.4629629, 0.1993312, 0.0290637
        assert corrected["three-of-a-kind"] == pytest.approx(sum(exactly))


class TestOtherPayoffs:
    CUSTOM: CustomPayoffs = (("sixes", 30.0), ("large-straight", 60.0))

    def test_payoffs_replace_those_of_the_paper(self) -> None:
        changed = payoff_model(RULES, "corrected", self.CUSTOM)
        expected = {RULES.keys[p.category]: p.payoff for p in CORRECTED.whole_turns()}
        # The complete payoff is given, so no part of the bonus is added to the sixes.
        expected |= {"sixes": 30 / 375, "large-straight": 60 / 375}
        points = changed.whole_turns()
        assert {RULES.keys[p.category]: p.payoff for p in points} == expected
        # The line is the least-squares line of the new points, from the normal equations.
        x, y = (np.array([getattr(p, name) for p in points]) for name in ("payoff", "probability"))
        slope = ((x - x.mean()) @ (y - y.mean())) / ((x - x.mean()) @ (x - x.mean()))
        assert changed.line.slope == pytest.approx(slope, abs=1e-12)
        assert changed.line.intercept == pytest.approx(y.mean() - slope * x.mean(), abs=1e-12)
        roll = Position("yahtzee", "33366")
        assert PayoffLine().action(roll) == Keep((3, 3, 3, 6, 6))
        assert PayoffLine(custom={"threes": 40}).action(roll) == Keep((3, 3, 3))

    def test_other_games(self) -> None:
        with pytest.raises(
            IllegalError, match="no payoff for the category two-pairs of yatzy; choose another"
        ):
            PayoffModel(load_rules("yatzy"), "corrected")
        custom = {"one-pair": 10, "two-pairs": 18, "full-house": 21}
        custom |= {"small-straight": 15, "large-straight": 20}
        model = payoff_model(load_rules("yatzy"), "corrected", tuple(custom.items()))
        points = {model.rules.keys[p.category]: p.points for p in model.whole_turns()}
        assert points.items() > custom.items()

    @pytest.mark.parametrize("key", ["sixties", "chance"])
    def test_bad_payoffs(self, key: str) -> None:
        with pytest.raises(InputError, match=f"a custom payoff belongs to '{key}': expected"):
            PayoffModel(RULES, "corrected", ((key, 24.0),))

    @pytest.mark.parametrize(("name", "box"), [("crag", "odd-straight"), ("generala", "straight")])
    def test_categories_without_probability_are_refused(self, name: str, box: str) -> None:
        with pytest.raises(IllegalError, match=f"no probability for the category {box} of {name}"):
            PayoffModel(load_rules(name), "published")

    def test_only_chance_open(self) -> None:
        assert PayoffLine().aim(RULES, (1 << 12) - 1, (1, 2, 3, 4, 6), 2) is None

    def test_a_face_that_does_not_show_is_chosen_last(self) -> None:
        only_aces = (1 << 13) - 1 - 1
        assert PayoffLine().aim(RULES, only_aces, (2, 2, 3, 4, 6), 2) == "ones"


class TestTranscript:
    """Tests of what the list of differences says about the printed game."""

    def test_goals(self) -> None:
        models = variants()
        agreed, stays_open = [0] * len(models), {}
        yahtzee = RULES.category_index("yahtzee")
        for player in GAMES:
            for turn, (card, rolls, choices, _) in enumerate(turns(player), start=1):
                is_open = [k for k in range(13) if not card.filled >> k & 1]
                for n, dice in enumerate(rolls.split()[:2]):
                    roll, goal = parse_dice(RULES, dice), RULES.category_index(choices.split()[n])
                    for i, model in enumerate(models):
                        best, *_ = model.aims(is_open, roll, 2 - n)
                        agreed[i] += best.category == goal
                    if goal == yahtzee and card.filled >> yahtzee & 1:
                        best, *_ = models[-1].aims([*is_open, yahtzee], roll, 2 - n)
                        stays_open[player, turn, f"goal {n + 1}"] = best.category == yahtzee
        assert agreed == [26, 38, 40]  # of 52
        assert stays_open == {
            (player, turn, goal): reason == CHOSEN
            for (player, turn), reasons in REASONS.items()
            for goal, reason in reasons.items()
            if reason in (CHOSEN, NOT_CHOSEN)
        }

    def test_boxes_if_upper_points_count_more(self) -> None:
        for player in GAMES:
            for card, rolls, _, after in turns(player):
                moves = legal_moves(RULES, card.state, parse_dice(RULES, rolls.split()[2]))
                worth = {m.category: m.points * (1.4 if m.category < 6 else 1) for m in moves}
                scored = (card.filled ^ after.filled).bit_length() - 1
                assert worth[scored] == max(worth.values())

    def test_a_choice_that_contradicts_the_text(self) -> None:
        # After the first roll 6 6 1 4 4 with the sixes open, the transcript chooses three of a
        # kind. After 1 6 2 2 6, section 7 chooses the sixes.
        filled = 1 << RULES.category_index("full-house")
        assert PayoffLine("published").aim(RULES, filled, (1, 4, 4, 6, 6), 2) == "sixes"
