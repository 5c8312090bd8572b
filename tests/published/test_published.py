"""Published numbers: one class a source, one method a table."""

from dataclasses import replace

import pytest

from rollwise.curiosities.published import checks
from rollwise.game.notation import format_action, parse_position
from rollwise.game.reference import Reference
from rollwise.rules import load_rules
from rollwise.solving.objectives import BEST_CASE, EXPECTED, WORST_CASE
from rollwise.solving.solver import solve


class TestVerify:
    def test_every_published_number_holds(self) -> None:
        results = list(checks(solve))
        assert len(results) >= 20
        assert [result for result in results if not result.holds] == []

    def test_a_wrong_number_is_a_miss(self) -> None:
        result = next(checks(solve))
        assert not replace(result, ours=result.ours + 1e-6).holds


class TestPublishedToOneMillionth:
    """The first table of published numbers, within 1e-6 (1e-9 where more digits are printed)."""

    @pytest.mark.parametrize(
        ("name", "value", "tolerance"),
        [
            ("yahtzee", 254.5896094820, 1e-9),
            ("yahtzee-forced-joker", 254.5877287345, 1e-9),
            ("yahtzee-no-joker", 253.9702412, 1e-6),
            ("yahtzee-plain", 245.8707745, 1e-6),
            ("kniffel-holderied", 245.904728, 1e-6),
            ("yahtzee-plain-no-bonus", 229.638, 5e-4),  # as many digits as there are
            ("yatzy", 248.4399893779, 1e-9),
            ("yatzy-pair-in-two-pairs", 248.6328539, 1e-6),
            ("yatzy-fh5", 248.4680909, 1e-6),
            ("yatzy-tp4", 248.6440589, 1e-6),
            ("yatzy-fh5-tp4", 248.6748827, 1e-6),
            ("yacht-dice", 191.774369, 1e-6),
        ],
    )
    def test_expected_score(self, name: str, value: float, tolerance: float) -> None:
        assert abs(solve(load_rules(name)).value() - value) < tolerance


class TestVerhoeff:
    """T. Verhoeff, Optimal Solitaire Yahtzee Strategies (1999)."""

    def test_micro_yahtzee(self) -> None:
        # With one box left, doubling is worth 7 and squaring 91/6; the first roll r takes the
        # better of 2r + 91/6 and r² + 7.
        rules = load_rules("micro-yahtzee")
        by_hand = sum(max(2 * r + 91 / 6, r * r + 7) for r in range(1, 7)) / 6
        assert solve(rules).value() == pytest.approx(by_hand, abs=1e-12)
        assert float(Reference(rules).value()) == pytest.approx(by_hand, abs=1e-12)

    def test_first_turn_values(self) -> None:
        rules = load_rules("yahtzee")
        solution = solve(rules)
        printed = {
            ("11666", 2): {"keep 666": 265.12, "score full-house": 253.91},
            ("11346", 1): {
                "keep 34": 245.17,
                "keep 11": 245.14,
                "keep 4": 244.96,
                "keep 3": 244.74,
                "keep -": 244.55,
                "keep 6": 244.52,
            },
            ("66661", 0): {"score sixes": 268.23, "score four-of-a-kind": 260.54},
        }
        for (dice, rolls_left), values in printed.items():
            options = solution.options(parse_position(rules, f"{dice} | rolls-left {rolls_left}"))
            ours = {format_action(rules, option.action): option.value for option in options}
            for action, value in values.items():
                assert abs(ours[action] - value) <= 0.005, (dice, action)


class TestExtremes:
    def test_best_case(self) -> None:
        assert solve(load_rules("yahtzee"), BEST_CASE).value() == 1575
        assert solve(load_rules("yahtzee-plain"), BEST_CASE).value() == 375

    def test_worst_case_is_below_and_best_case_above(self) -> None:
        for name in ("yahtzee", "yatzy", "yacht-dice"):
            rules = load_rules(name)
            worst, mean, best = (
                solve(rules, objective).value() for objective in (WORST_CASE, EXPECTED, BEST_CASE)
            )
            assert worst < mean < best
