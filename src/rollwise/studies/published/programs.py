"""Numbers that other programs and papers print, beside computed numbers."""

from collections.abc import Iterator, Mapping

from rollwise.model.size import counts as state_counts
from rollwise.rules import load_rules
from rollwise.solving.objectives import BEST_CASE
from rollwise.solving.solver import solve
from rollwise.studies.published.figures import (
    Reasons,
    Row,
    Unexplained,
    optimal_evaluation,
    rows_of,
    solution,
    split_rows,
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
UNKNOWN = Unexplained("both tie-breaks give the computed number")


@table(
    "yatzy-solver 1.0.0, for Yahtzee american, +forced-joker and +no-joker",
    rules=None,
    columns=EXPECTED_SCORE,
)
def yatzy_solver() -> Iterator[Row]:
    printed = """
        yahtzee: 254.5896094820; yahtzee-forced-joker: 254.5877287345
        yahtzee-no-joker: 253.9702412; yahtzee-plain: 245.8707745; yatzy: 248.4399893779
        yatzy-fh5: 248.4680909; yatzy-tp4: 248.6440589; yatzy-fh5-tp4: 248.6748827"""
    yield from _values(printed)


@table("F. Holderied, Kniffel", rules=None, columns=EXPECTED_SCORE)
def holderied() -> Iterator[Row]:
    yield from _values("kniffel-holderied: 245.904728")


@table("dpmerrell/yahtzee", rules=None, columns=EXPECTED_SCORE)
def merrell() -> Iterator[Row]:
    yield from _values("yahtzee-plain-no-bonus: 229.638")


@table(
    "Larsson & Sjöberg, Optimal Yatzy (2012); digits from the documentation of yatzy-solver",
    rules=None,
    columns=EXPECTED_SCORE,
)
def larsson_sjoberg() -> Iterator[Row]:
    yield from _values("yatzy-pair-in-two-pairs: 248.6328539")
    reason = "the rules as stated give 248.44; if Two Pairs also scores a single pair, 248.63"
    yield from _values("yatzy: 248.63", {"yatzy": {"expected score": reason}})


@table("ho94949/yacht-dice", rules=None, columns=EXPECTED_SCORE)
def yacht_dice() -> Iterator[Row]:
    yield from _values("yacht-dice: 191.774369")


@table("counted by several solvers", rules=None, columns=SIZES)
def counts() -> Iterator[Row]:
    yield "yahtzee", "252 462 1681 4368 786432 536448", _sizes("yahtzee")
    yield "yatzy", "- - - - 2097152 1430528", _sizes("yatzy")


@table("best possible totals", rules=None, columns=("best case",))
def best_case() -> Iterator[Row]:
    yield "yahtzee", "1575", [_best_case("yahtzee")]
    yield "yahtzee-plain", "375", [_best_case("yahtzee-plain")]


@table("dlangk/yatzy, P(≥ score) of optimal play", rules="yatzy", cut=True)
def dlangk_tails() -> Iterator[Row]:
    at_least = optimal_evaluation("yatzy").distribution.at_least
    yield "200", "0.91209", at_least(200)
    yield "250", "0.49131", at_least(250)
    yield "300", "0.09946", at_least(300)
    yield "320", "0.019644", at_least(320)
    reason = Unexplained("both tie-breaks give 3.21471e-4")
    yield "340", "3.2146e-4", at_least(340), reason


@table("dlangk/yatzy, mean of each category", rules="yatzy")
def dlangk_categories() -> Iterator[Row]:
    printed = """
        ones: 2.18; twos: 5.67; threes: 9.29; fours: 12.79; fives: 16.24; sixes: 19.97
        one-pair: 11.19; two-pairs: 19.38; three-of-a-kind: 15.51; four-of-a-kind: 13.66
        small-straight: 3.95; large-straight: 9.72; full-house: 21.46; chance: 23.09; yatzy: 19.40
        upper bonus in percent: 89.8"""
    evaluation = optimal_evaluation("yatzy")
    mean = {key: category.mean for key, category in evaluation.categories.items()}
    assert evaluation.upper_bonus is not None
    mean["upper bonus in percent"] = 100 * (1 - evaluation.upper_bonus.probability(0))
    kinds = ("two-pairs", "three-of-a-kind", "four-of-a-kind")
    others = ("fours", *kinds, "large-straight", "yatzy")
    yield from rows_of(printed, mean, dict.fromkeys(others, UNKNOWN))


@table(
    "yatzy-solver 1.0.0, standard deviation of optimal play", rules=None, columns=("SD",), cut=True
)
def spread() -> Iterator[Row]:
    yield "yatzy", "38.496", [optimal_evaluation("yatzy").distribution.sd]


def _values(printed: str, reasons: Mapping[str, Reasons] | None = None) -> Iterator[Row]:
    """Yield printed expected scores of games beside the computed ones."""
    solved = {game: [solution(game).value()] for game, _ in split_rows(printed)}
    yield from rows_of(printed, solved, reasons)


def _best_case(rules: str) -> int:
    return int(solve(load_rules(rules), BEST_CASE).value())


def _sizes(rules: str) -> list[int]:
    numbers = state_counts(load_rules(rules))
    return [numbers[name] for name in SIZES]
