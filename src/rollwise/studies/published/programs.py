"""Numbers that other programs and papers print, beside computed numbers."""

from collections.abc import Iterator

from rollwise.model.size import counts as state_counts
from rollwise.rules import load_rules
from rollwise.solving.objectives import BEST_CASE
from rollwise.solving.solver import solve
from rollwise.studies.published.figures import (
    Row,
    Unexplained,
    optimal_evaluation,
    solution,
    table,
)

EXPECTED_SCORE = ("expected score",)
SIZES = (
    "rolls",
    "keeps",
    "states in a turn",
    "pairs of a roll and a keep",
    "states between turns",
    "reachable states between turns",
)
UNKNOWN = Unexplained("the cause is not known; both tie rules give the computed number")


@table(
    "yatzy-solver 1.0.0, for Yahtzee american, +forced-joker and +no-joker",
    rules=None,
    columns=EXPECTED_SCORE,
)
def yatzy_solver() -> Iterator[Row]:
    yield "yahtzee", "254.5896094820", [_value("yahtzee")]
    yield "yahtzee-forced-joker", "254.5877287345", [_value("yahtzee-forced-joker")]
    yield "yahtzee-no-joker", "253.9702412", [_value("yahtzee-no-joker")]
    yield "yahtzee-plain", "245.8707745", [_value("yahtzee-plain")]
    yield "yatzy", "248.4399893779", [_value("yatzy")]
    yield "yatzy-fh5", "248.4680909", [_value("yatzy-fh5")]
    yield "yatzy-tp4", "248.6440589", [_value("yatzy-tp4")]
    yield "yatzy-fh5-tp4", "248.6748827", [_value("yatzy-fh5-tp4")]


@table("F. Holderied, Kniffel", rules=None, columns=EXPECTED_SCORE)
def holderied() -> Iterator[Row]:
    yield "kniffel-holderied", "245.904728", [_value("kniffel-holderied")]


@table("dpmerrell/yahtzee", rules=None, columns=EXPECTED_SCORE)
def merrell() -> Iterator[Row]:
    yield "yahtzee-plain-no-bonus", "229.638", [_value("yahtzee-plain-no-bonus")]


@table(
    "Larsson & Sjöberg, Optimal Yatzy (2012); yatzy-solver's documentation has the digits",
    rules=None,
    columns=EXPECTED_SCORE,
)
def larsson_sjoberg() -> Iterator[Row]:
    yield "yatzy-pair-in-two-pairs", "248.6328539", [_value("yatzy-pair-in-two-pairs")]
    reason = "the rules as stated give 248.44; a single pair scored in Two Pairs gives theirs"
    yield "yatzy", "248.63", [_value("yatzy")], {"expected score": reason}


@table("ho94949/yacht-dice", rules=None, columns=EXPECTED_SCORE)
def yacht_dice() -> Iterator[Row]:
    yield "yacht-dice", "191.774369", [_value("yacht-dice")]


@table("counted by several solvers", rules=None, columns=SIZES)
def counts() -> Iterator[Row]:
    yield "yahtzee", "252 462 1681 4368 786432 536448", _sizes("yahtzee")
    yield "yatzy", "- - - - 2097152 1430528", _sizes("yatzy")


@table("best possible totals", rules=None, columns=("best case",))
def best_case() -> Iterator[Row]:
    yield "yahtzee", "1575", [_best_case("yahtzee")]
    yield "yahtzee-plain", "375", [_best_case("yahtzee-plain")]


@table("dlangk/yatzy, P(≥ score) of best play", rules="yatzy", cut=True)
def dlangk_tails() -> Iterator[Row]:
    at_least = optimal_evaluation("yatzy").distribution.at_least
    yield "200", "0.91209", at_least(200)
    yield "250", "0.49131", at_least(250)
    yield "300", "0.09946", at_least(300)
    yield "320", "0.019644", at_least(320)
    reason = Unexplained("the cause is not known; both tie rules give 3.21471e-4")
    yield "340", "3.2146e-4", at_least(340), reason


@table("dlangk/yatzy, mean of each category", rules="yatzy")
def dlangk_categories() -> Iterator[Row]:
    evaluation = optimal_evaluation("yatzy")
    mean = {key: category.mean for key, category in evaluation.categories.items()}
    yield "ones", "2.18", mean["ones"]
    yield "twos", "5.67", mean["twos"]
    yield "threes", "9.29", mean["threes"]
    yield "fours", "12.79", mean["fours"], UNKNOWN
    yield "fives", "16.24", mean["fives"]
    yield "sixes", "19.97", mean["sixes"]
    yield "one-pair", "11.19", mean["one-pair"]
    yield "two-pairs", "19.38", mean["two-pairs"], UNKNOWN
    yield "three-of-a-kind", "15.51", mean["three-of-a-kind"], UNKNOWN
    yield "four-of-a-kind", "13.66", mean["four-of-a-kind"], UNKNOWN
    yield "small-straight", "3.95", mean["small-straight"]
    yield "large-straight", "9.72", mean["large-straight"], UNKNOWN
    yield "full-house", "21.46", mean["full-house"]
    yield "chance", "23.09", mean["chance"]
    yield "yatzy", "19.40", mean["yatzy"], UNKNOWN
    assert evaluation.upper_bonus is not None
    no_bonus = evaluation.upper_bonus.probability(0)
    yield "upper bonus in percent", "89.8", 100 * (1 - no_bonus)


@table("yatzy-solver 1.0.0, standard deviation of best play", rules=None, columns=("SD",), cut=True)
def spread() -> Iterator[Row]:
    yield "yatzy", "38.496", [optimal_evaluation("yatzy").distribution.sd]


def _value(rules: str) -> float:
    return solution(rules).value()


def _best_case(rules: str) -> int:
    return int(solve(load_rules(rules), BEST_CASE).value())


def _sizes(rules: str) -> list[int]:
    numbers = state_counts(load_rules(rules))
    return [numbers[name] for name in SIZES]
