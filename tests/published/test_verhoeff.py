"""Verhoeff's tables, one method a table, and dlangk's densities, against the exact law.

T. Verhoeff, Optimal Solitaire Yahtzee Strategies (1999). His strategy takes the keep with fewer
dice where two are equally good; so does ours here, and every cell that this decides agrees.
"""

import json
from fractions import Fraction
from functools import cache

import pytest

from commands import run
from rollwise.evaluation.evaluate import Evaluation, evaluate
from rollwise.law import Law
from rollwise.rules import load_rules
from rollwise.solving.option import format_value
from rollwise.solving.solver import solve
from rollwise.strategies import Optimal, RandomCategory


@cache
def verhoeff(rules: str) -> Evaluation:
    """Return the exact law of the best play with Verhoeff's rule for ties."""
    return evaluate(Optimal(solve(load_rules(rules)), fewer_dice=True))


def digits(printed: str) -> float:
    """Return half a unit of the last printed digit."""
    return 0.5 * 10.0 ** -len(printed.partition(".")[2]) + 1e-12


def assert_prints(value: float, printed: str) -> None:
    """Check that a value rounds to the printed one."""
    assert abs(value - float(printed)) <= digits(printed), (value, printed)


WITH_BONUS = """
ones              1.88  1.22 10.84
twos              5.28  2.00  1.80
threes            8.57  2.71  0.95
fours            12.16  3.29  0.60
fives            15.69  3.85  0.50
sixes            19.19  4.64  0.53
three-of-a-kind  21.66  5.62  3.26
four-of-a-kind   13.10 11.07 36.34
full-house       22.59  7.38  9.63
small-straight   29.46  3.98  1.80
large-straight   32.71 15.44 18.22
yahtzee          16.87 23.64 66.26
chance           22.01  2.54  0.00
"""
"""As printed, but for the SD of the small straight: see the test of that slip."""

WITHOUT_BONUS = """
ones              1.82  1.14  9.19
twos              5.25  1.95  1.31
threes            8.57  2.65  0.59
fours            12.19  3.24  0.46
fives            15.74  3.81  0.40
sixes            19.29  4.61  0.45
three-of-a-kind  22.23  5.50  3.44
four-of-a-kind   13.04 11.44 39.38
full-house       22.86  6.99  8.54
small-straight   29.53  3.71  1.55
large-straight   33.04 15.16 17.40
yahtzee          15.89 23.28 68.21
chance           22.26  2.44  0.00
"""
"""As printed, but for the zeros of the sixes: see the test of that slip."""


class TestFinalScoresPerCategory:
    @pytest.mark.parametrize(
        ("rules", "table"), [("yahtzee", WITH_BONUS), ("yahtzee-plain", WITHOUT_BONUS)]
    )
    def test_categories(self, rules: str, table: str) -> None:
        categories = verhoeff(rules).categories
        rows = [line.split() for line in table.strip().splitlines()]
        assert [row[0] for row in rows] == list(categories)
        for key, mean, sd, zero in rows:
            assert_prints(categories[key].mean, mean)
            assert_prints(categories[key].sd, sd)
            assert_prints(100 * categories[key].zero, zero)

    def test_the_printed_sd_of_the_small_straight_is_a_slip(self) -> None:
        # The box holds 30 or 0, so the mean fixes the SD: printed are 29.46 and 3.99.
        lowest_mean = 29.455
        sd_of_it = (lowest_mean * (30 - lowest_mean)) ** 0.5
        assert sd_of_it < 4.01
        ours = verhoeff("yahtzee").categories["small-straight"]
        assert ours.sd == pytest.approx((ours.mean * (30 - ours.mean)) ** 0.5, abs=1e-9)
        assert_prints(ours.sd, "3.98")

    def test_the_printed_zeros_of_the_sixes_are_off_by_one(self) -> None:
        # Printed without extra bonus is 0.46 %. No rule for ties leads there.
        solution = solve(load_rules("yahtzee-plain"))
        for fewer_dice in (False, True):
            sixes = evaluate(Optimal(solution, fewer_dice=fewer_dice)).categories["sixes"]
            assert_prints(100 * sixes.zero, "0.4545")

    def test_totals(self) -> None:
        for rules, mean, sd in [
            ("yahtzee", "254.59", "59.61"),
            ("yahtzee-plain", "245.87", "39.82"),
        ]:
            assert_prints(verhoeff(rules).law.mean, mean)
            assert_prints(verhoeff(rules).law.sd, sd)

    @pytest.mark.parametrize(
        ("rules", "part", "mean", "sd", "none"),
        [
            ("yahtzee", "upper_bonus", "23.84", "16.31", "31.88"),
            ("yahtzee", "extra_bonus", "9.58", "34.08", "91.75"),  # printed: 91.76
            ("yahtzee", "alike", "0.46", "0.69", "63.24"),
            ("yahtzee", "jokers", "0.04", "0.19", "96.30"),
            ("yahtzee-plain", "upper_bonus", "24.14", "16.19", "31.02"),
            ("yahtzee-plain", "alike", "0.41", "0.61", "64.76"),
        ],
    )
    def test_bonuses_and_counts(self, rules: str, part: str, mean: str, sd: str, none: str) -> None:
        law = getattr(verhoeff(rules), part)
        assert_prints(law.mean, mean)
        assert_prints(law.sd, sd)
        assert_prints(100 * law.probability(0), none)


class TestDistribution:
    """Printed from 10^5 simulated games, in whole percent: off by half of one and three errors."""

    @pytest.mark.parametrize(
        ("rules", "bands", "cumulative"),
        [
            (
                "yahtzee",
                [0, 0, 2, 3, 9, 13, 14, 20, 19, 6, 5, 2, 1, 1, 2, 2, 1, 0, 0, 0],
                [0, 0, 2, 5, 14, 27, 41, 60, 80, 86, 90, 92, 93, 94, 96, 98, 99, 99, 99, 99],
            ),
            (
                "yahtzee-plain",
                [0, 0, 2, 3, 9, 13, 14, 21, 21, 8, 6, 3, 0],
                [0, 0, 2, 5, 14, 27, 40, 61, 82, 90, 97, 100, 100],
            ),
        ],
    )
    def test_bands_of_twenty(self, rules: str, bands: list[int], cumulative: list[int]) -> None:
        law = verhoeff(rules).law
        for band, (share, below) in enumerate(zip(bands, cumulative, strict=True)):
            low = 100 + 20 * band
            for ours, printed in [
                (law.at_least(low) - law.at_least(low + 20), share),
                (1 - law.at_least(low + 20), below),
            ]:
                error = 3 * (ours * (1 - ours) / 1e5) ** 0.5
                assert abs(100 * ours - printed) <= 0.5 + 100 * error, low


class TestQuantiles:
    """Printed from 10^6 simulated games: the quantile, or the score after it."""

    @pytest.mark.parametrize(
        ("rules", "printed"),
        [
            ("yahtzee", [152, 180, 195, 218, 248, 273, 319, 388, 474]),
            ("yahtzee-plain", [152, 180, 195, 218, 248, 271, 299, 317, 327]),
        ],
    )
    def test_quantiles(self, rules: str, printed: list[int]) -> None:
        law = verhoeff(rules).law
        shares = (0.01, 0.05, 0.10, 0.25, 0.50, 0.75, 0.90, 0.95, 0.99)
        for share, score in zip(shares, printed, strict=True):
            assert law.quantile(share) in (score - 1, score)

    def test_median(self) -> None:
        assert verhoeff("yahtzee").law.median == 248


class TestEarliestScoring:
    def test_turns(self) -> None:
        printed = {
            "ones": (1, 2), "twos": (1, 3), "threes": (1, 4), "fours": (1, 5), "fives": (1, 6),
            "sixes": (1, 9), "three-of-a-kind": (1, 7), "four-of-a-kind": (2, 2),
            "full-house": (1, 5), "small-straight": (1, 10), "large-straight": (1, 7),
            "yahtzee": (1, 3), "chance": (1, None),
        }  # fmt: skip
        categories = verhoeff("yahtzee").categories
        ours = {key: (row.first_scored, row.first_zero) for key, row in categories.items()}
        assert ours == printed


class TestDilemmas:
    @pytest.mark.parametrize(
        ("dice", "rolls_left", "action", "value", "sd"),
        [
            ("11666", 2, "keep 666", "265.12", "61"),
            ("11666", 2, "score full-house", "253.91", "57"),
            ("11346", 1, "keep 34", "245.17", "57"),
            ("11346", 1, "keep 11", "245.14", "57"),
            ("11346", 1, "keep 4", "244.96", "57"),
            ("11346", 1, "keep 3", "244.74", "57"),
            ("11346", 1, "keep -", "244.55", "57"),
            ("11346", 1, "keep 6", "244.52", "57"),
            ("16666", 0, "score sixes", "268.23", "53"),
            ("16666", 0, "score four-of-a-kind", "260.54", "54"),
            ("11111", 0, "score yahtzee", "320.84", "83"),
            ("11236", 2, "keep 6", "249.83", "58"),
            ("23446", 0, "score chance", "238.96", "57"),
        ],
    )
    def test_value_and_spread(
        self, dice: str, rolls_left: int, action: str, value: str, sd: str
    ) -> None:
        from rollwise.game.notation import parse_action, parse_position

        rules = load_rules("yahtzee")
        position = parse_position(rules, f"{dice} | rolls-left {rolls_left}")
        options = solve(rules, moments=True).options(position)
        option = next(o for o in options if o.action == parse_action(rules, action))
        assert option.sd is not None
        assert_prints(option.value, value)
        assert_prints(option.sd, sd)


class TestRandomPlay:
    def test_categories(self) -> None:
        printed = {
            "ones": "0.83", "twos": "1.67", "threes": "2.50", "fours": "3.33", "fives": "4.17",
            "sixes": "5.00", "three-of-a-kind": "3.73", "four-of-a-kind": "0.35",
            "full-house": "0.96", "small-straight": "4.63", "large-straight": "1.23",
            "yahtzee": "0.04", "chance": "17.50",
        }  # fmt: skip
        evaluation = evaluate(RandomCategory(), load_rules("yahtzee-plain-no-bonus"))
        for key, mean in printed.items():
            assert_prints(evaluation.categories[key].mean, mean)
        assert_prints(evaluation.law.mean, "45.95")

    def test_probabilities_of_a_fit(self) -> None:
        categories = evaluate(RandomCategory(), load_rules("yahtzee-plain-no-bonus")).categories
        for key, fits in [
            ("three-of-a-kind", 1656),
            ("four-of-a-kind", 156),
            ("full-house", 300),
            ("small-straight", 1200),
            ("large-straight", 240),
            ("yahtzee", 6),
        ]:
            assert categories[key].zero == pytest.approx(1 - fits / 7776, abs=1e-12)


class TestMinimum:
    def test_lowest_score(self) -> None:
        assert verhoeff("yahtzee").law.minimum == 12


class TestDlangkYatzy:
    """dlangk/yatzy: the exact density of Yatzy under the optimal strategy."""

    evaluation = staticmethod(cache(lambda: evaluate(Optimal(solve(load_rules("yatzy"))))))

    @pytest.mark.parametrize(
        ("score", "printed"), [(200, 0.91209), (250, 0.49131), (300, 0.09946), (320, 0.019644),
                               (340, 3.2146e-4)],
    )  # fmt: skip
    def test_tail(self, score: int, printed: float) -> None:
        # Theirs is the law of a strategy read from tables in single precision.
        assert self.evaluation().law.at_least(score) == pytest.approx(printed, rel=5e-5)

    def test_spread(self) -> None:
        assert self.evaluation().law.sd == pytest.approx(38.4964, abs=5e-4)

    def test_bonus(self) -> None:
        bonus = self.evaluation().upper_bonus
        assert isinstance(bonus, Law)
        assert_prints(100 * (1 - bonus.probability(0)), "89.8")

    def test_categories(self) -> None:
        printed = {
            "ones": "2.18", "twos": "5.67", "threes": "9.29", "fours": "12.79", "fives": "16.24",
            "sixes": "19.97", "one-pair": "11.19", "two-pairs": "19.38",
            "three-of-a-kind": "15.51", "four-of-a-kind": "13.66", "small-straight": "3.95",
            "large-straight": "9.72", "full-house": "21.46", "chance": "23.09", "yatzy": "19.40",
        }  # fmt: skip
        for key, mean in printed.items():
            # Nine of them to the last digit; the others are off by up to two units of it.
            assert abs(self.evaluation().categories[key].mean - float(mean)) < 0.0201


class TestCommands:
    """What the pages print, from the command line."""

    def test_value_of_a_card_before_the_roll(self) -> None:
        # A last turn for the square: 6 points so far for a double of 3, and 91/6 to come.
        command = ("value", "--rules", "micro-yahtzee", "--card", "double=6")
        data = json.loads(run(*command, "--json")[1])
        squares = [face * face for face in range(1, 7)]
        variance = Fraction(sum(s * s for s in squares), 6) - Fraction(sum(squares), 6) ** 2
        assert data["value"] == pytest.approx(6 + 91 / 6, abs=1e-12)
        assert data["sd"] == pytest.approx(float(variance) ** 0.5, abs=1e-9)
        assert run(*command)[1].splitlines()[1] == "expected final score 21.166667 ± 12.2122"

    def test_his_rule_for_ties(self) -> None:
        # His table has 3.26, 63.24 and 96.30 % zeros; with more dice it is 3.25, 63.27, 96.33.
        lines = run("report", "--ties", "fewer-dice", "--band", "20")[1].splitlines()
        zeros = {line.split("  ")[0]: line.split() for line in lines}
        assert zeros["Three of a Kind"][-3] == "3.26"
        assert zeros["Rolls of all dice alike"][-1] == "63.24"
        assert zeros["Jokers applied"][-1] == "96.30"
        assert "that with fewer dice is taken" in "".join(lines)
        assert any(line.strip().startswith("240 – 259") for line in lines)

    def test_rule_for_ties_of_every_law(self) -> None:
        game = ("--rules", "yatzy-forced-order", "--json")
        for command in (("distribution", "--at", "250"), ("compare", "optimal", "--games", "2")):
            few, more = (
                json.loads(run(*command, *game, "--ties", f"{rule}-dice")[1])
                for rule in ("fewer", "more")
            )
            assert few != more

    def test_all_six_faces_are_best_rolls(self) -> None:
        data = json.loads(run("trivia", "--ties", "fewer-dice", "--json")[1])
        best = data["first_turn"]["best_roll_1"]
        assert [best["dice"], *best["as_good"]] == [str(face) * 5 for face in range(1, 7)]
        assert data["first_turn"]["worst_roll_1"]["as_good"] == []
        assert_prints(data["last_turn"]["three-of-a-kind"]["sd"], "10.42")
        text = run("trivia")[1]
        assert all(str(face) * 5 in text for face in range(1, 7))

    def test_least_variance_has_digits_to_choose_by(self) -> None:
        command = ("advise", "3", "--rules", "micro-yahtzee", "--objective", "least-variance")
        lines = [line.split() for line in run(*command)[1].splitlines() if "score " in line]
        best, other = (
            option["value"] for option in json.loads(run(*command, "--json")[1])["options"]
        )
        assert lines[-2] == ["score", "square", f"{best:.6g}", "16.00", "–"]
        assert lines[-1][2] == f"{other:.6g}"
        assert lines[-1][4] == f"{best - other:.3g}"
        assert format_value(-0.000123456, "utility") == "-0.000123456"

    def test_a_full_card_has_no_roll_to_come(self) -> None:
        command = ("value", "--rules", "micro-yahtzee", "--card", "double=6,square=36")
        code, out, err = run(*command)
        assert (code, out) == (2, "")
        assert "the game is over" in err
