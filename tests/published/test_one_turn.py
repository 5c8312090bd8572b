"""Check M. Mince's published numbers for one turn, with one method per table."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations, product

from rollwise.decision_analysis import (
    MarkovChain,
    Multisets,
    Profiles,
    Turn,
    target_turn,
    turn_chain,
)


class TestMince:
    """M. Mince, Using Markov Chains and Probabilistic Modeling to Play Yahtzee, sections 4–5."""

    def test_of_a_kind(self) -> None:
        published = [
            [(120, 1296), (0, 1), (0, 1), (0, 1), (0, 1)],
            [(900, 1296), (120, 216), (0, 1), (0, 1), (0, 1)],
            [(250, 1296), (80, 216), (25, 36), (0, 1), (0, 1)],
            [(25, 1296), (15, 216), (10, 36), (5, 6), (0, 1)],
            [(1, 1296), (1, 216), (1, 36), (1, 6), (1, 1)],
        ]
        chain = _of_a_kind_chain()
        assert chain.states == ("1", "2", "3", "4", "5")
        assert _transposed(chain) == [[Fraction(*cell) for cell in row] for row in published]

    def test_two_steps(self) -> None:
        chain = _of_a_kind_chain()
        assert _rounded(chain.after("2", 1)) == [0.55556, 0.37037, 0.06944, 0.00463]
        assert _rounded(chain.after("2", 2)) == [0.30864, 0.46296, 0.19933, 0.02906]
        assert _rounded(chain.after("4", 2)) == [0.69444, 0.30556]
        assert chain.power(2).rows["2"] == chain.after("2", 2)

    def test_whole_turn(self) -> None:
        chain = _of_a_kind_chain()
        start = turn_chain(Turn(Profiles(), {"00001": 1}), lambda _: "0").lump(_longest).rows["1"]
        assert _rounded(start) == [0.09259, 0.69444, 0.1929, 0.01929, 0.00077]
        end = chain.after(start, 2)
        # The source has 0.000917 for the first entry, but 0.09259 × (120/1296)² is 0.000794.
        assert _rounded(end) == [0.00079, 0.25601, 0.45240, 0.24476, 0.04603]
        assert end["5"] == Fraction(347897, 7558272)

    def test_small_straight(self) -> None:
        # The source has 108 as the first entry, so that its first column sums to 1323 / 1296.
        published = [
            [(81, 1296), (0, 1), (0, 1), (0, 1)],
            [(525, 1296), (64, 216), (0, 1), (0, 1)],
            [(582, 1296), (122, 216), (25, 36), (0, 1)],
            [(108, 1296), (30, 216), (11, 36), (1, 1)],
        ]
        assert 108 + 525 + 582 + 108 == 1323
        columns = _straight_chain("1234")
        assert columns == [[Fraction(*cell) for cell in row] for row in published]

    def test_large_straight(self) -> None:
        published = [
            [(16, 1296), (0, 1), (0, 1), (0, 1), (0, 1)],
            [(260, 1296), (27, 216), (0, 1), (0, 1), (0, 1)],
            [(660, 1296), (111, 216), (16, 36), (0, 1), (0, 1)],
            [(336, 1296), (72, 216), (18, 36), (5, 6), (0, 1)],
            [(24, 1296), (6, 216), (2, 36), (1, 6), (1, 1)],
        ]
        assert _straight_chain("23456") == [[Fraction(*c) for c in row] for row in published]

    def test_large_straight_from_12566(self) -> None:
        # The paper asks for the straight 2 3 4 5 6. The brute force tries every set of dice.
        wanted = {2, 3, 4, 5, 6}

        @cache
        def completed(kept: tuple[int, ...]) -> Fraction:
            rolls = list(product(range(1, 7), repeat=5 - len(kept)))
            return Fraction(sum(wanted <= {*kept, *roll} for roll in rolls), len(rolls))

        @cache
        def best(roll: tuple[int, ...]) -> Fraction:
            subsets = {kept for n in range(6) for kept in combinations(roll, n)}
            return max(completed(kept) for kept in subsets)

        def value(kept: tuple[int, ...]) -> Fraction:
            rolls = Counter(
                tuple(sorted((*kept, *roll))) for roll in product(range(1, 7), repeat=5 - len(kept))
            )
            ways = sum(best(roll) * n for roll, n in rolls.items())
            return Fraction(ways) / sum(rolls.values())

        kept = {kept for n in range(6) for kept in combinations((1, 2, 5, 6, 6), n)}
        values = {dice: value(dice) for dice in kept}
        assert max(values.values()) == values[2, 5, 6] == Fraction(53, 324)
        assert f"{53 / 324:.3%}" == "16.358%"
        turn = Turn(Multisets(), lambda dice: int(wanted <= set(dice)))
        assert turn.moves(2)["12566"] == ("256",)
        assert turn.keep_value("256", 2) == Fraction(53, 324)
        # If the straight 1 2 3 4 5 also counts, it is better to keep only 2 and 5.
        either = target_turn("large-straight")
        assert either.moves(2)["12566"] == ("25",)
        assert f"{float(either.keep_value('25', 2)):.3%}" == "18.416%"


def _longest(profile: str) -> str:
    return str(len(profile))


def _of_a_kind_chain() -> MarkovChain:
    """Return the chain that keeps the most frequent face, lumped by its multiplicity."""
    chain = turn_chain(Turn(Profiles(), {}), lambda state: "0" * (len(state) - 1) + "1")
    return chain.lump(_longest)


def _straight_chain(wanted: str) -> list[list[Fraction]]:
    """Return the transition matrix, indexed [to][from], if one die of each wanted face is kept.

    The states are the numbers of dice to keep, counting from 1.
    """

    def keep(roll: str) -> str:
        return "".join(sorted(set(roll) & set(wanted))) or "-"

    chain = turn_chain(Turn(Multisets(), sum), keep).lump(
        lambda roll: str(len(set(roll) & set(wanted)))
    )
    states = [str(n) for n in range(1, len(wanted) + 1)]
    return [[chain.rows[s].get(target, Fraction(0)) for s in states] for target in states]


def _transposed(chain: MarkovChain) -> list[list[Fraction]]:
    return [list(column) for column in zip(*chain.matrix(), strict=True)]


def _rounded(distribution: Mapping[str, Fraction]) -> list[float]:
    return [round(float(p), 5) for p in distribution.values()]
