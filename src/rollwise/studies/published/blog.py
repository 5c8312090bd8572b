"""Numbers in the blog "Greedy AI", as printed, beside computed numbers."""

from collections.abc import Iterator

from rollwise.game.scoring import natural_points
from rollwise.model.arrays import build
from rollwise.rules import Run, load_rules
from rollwise.studies.published.figures import Row, table

RULES = load_rules("yams")


@table("the combinations and their scores", rules="yams")
def combinations() -> Iterator[Row]:
    yield "three-of-a-kind dice that count", "3", _points("three-of-a-kind", 66666) // 6
    yield "full-house points", "25", _points("full-house", 22333)
    yield "four-of-a-kind dice that count", "4", _points("four-of-a-kind", 66666) // 6
    yield "small-straight points", "30", _points("small-straight", 12346)
    yield "large-straight points", "40", _points("large-straight", 12345)
    yield "yahtzee points", "50", _points("yahtzee", 66666)


@table("the dice of the straights", rules="yams")
def straights() -> Iterator[Row]:
    yield "small-straight", "1234 2345 3456", _runs("small-straight")
    yield "large-straight", "12345 23456", _runs("large-straight")


@table("the numbers", rules="yams")
def numbers() -> Iterator[Row]:
    yield "ordered hands", "7776", RULES.faces**RULES.dice
    yield "hands", "252", len(build(RULES).lattice.rolls)
    yield "subsets to roll again", "32", 2**RULES.dice
    yield "combinations in the table of scores", "13", len(RULES.categories)


@table("outcomes by the number of dice", rules="yams", columns=("0", "1", "2", "3", "4", "5"))
def outcomes() -> Iterator[Row]:
    sizes = [len(dice) for dice in build(RULES).lattice.points]
    yield "outcomes", "1 6 21 56 126 252", [sizes.count(n) for n in range(6)]


def _points(key: str, dice: int) -> int:
    return natural_points(RULES, RULES.category_index(key), tuple(map(int, str(dice))))


def _runs(key: str) -> str:
    """Return all sets of consecutive faces that score in a straight."""
    pattern = RULES.categories[RULES.category_index(key)].pattern
    assert isinstance(pattern, Run)
    lowest = range(1, RULES.faces - pattern.length + 2)
    return " ".join("".join(str(low + i) for i in range(pattern.length)) for low in lowest)
