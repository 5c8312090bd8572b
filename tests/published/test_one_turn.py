"""What others published about one turn, number for number; a class a source, a method a table."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product

import pytest

from rollwise.prospects import (
    MarkovChain,
    TurnAnalysis,
    TurnProblem,
    analyse,
    analyse_turn,
    decide,
    expected,
    multiset_turn,
    profile_turn,
    solve_diagram,
    target_turn,
    turn_chain,
    value_of_information,
)
from rollwise.prospects.examples import drilling, oil_wildcatter, umbrella

STATES = ("5", "31", "12", "201", "011", "1001", "00001")


@pytest.fixture(scope="module")
def yahtzee() -> TurnAnalysis:
    return analyse_turn(profile_turn("00001"))


@pytest.fixture(scope="module")
def coins() -> TurnAnalysis:
    return analyse_turn(profile_turn("11", faces=2, dice=3, rolls=3))


class TestRaiffa1968:
    """H. Raiffa, Decision Analysis: the oil wildcatter; amounts are thousands of dollars."""

    def test_without_the_report(self) -> None:
        (choice,) = solve_diagram(drilling()).choices
        assert choice.values == {"yes": 20, "no": 0}

    def test_what_the_report_may_say(self) -> None:
        informed = solve_diagram(drilling().with_information("report", before="drill"))
        chances = {c.known["report"]: float(c.probability) for c in informed.choices}
        assert chances == {"no": 0.41, "open": 0.35, "closed": 0.24}
        assert [c.best for c in informed.choices] == [("no",), ("yes",), ("yes",)]

    def test_value_of_information(self) -> None:
        assert value_of_information(drilling(), "oil", before="drill") == 35
        assert value_of_information(drilling(), "report", before="drill") == Fraction(25, 2)

    def test_with_a_report_for_10(self) -> None:
        solution = solve_diagram(oil_wildcatter())
        assert solution.value == Fraction(45, 2)
        assert solution.best("test") == ("yes",)
        assert solution.best("drill", report="no") == ("no",)
        assert solution.best("drill", report="open") == ("yes",)
        assert solution.best("drill", report="closed") == ("yes",)
        assert solution.best("drill", test="no") == ("yes",)


class TestUmbrella:
    """The example network that comes with programs for influence diagrams (Netica, pyAgrum)."""

    def test_value(self) -> None:
        solution = solve_diagram(umbrella())
        assert solution.value == 77
        assert solution.best("umbrella", forecast="sunny") == ("leave",)
        assert solution.best("umbrella", forecast="cloudy") == ("leave",)
        assert solution.best("umbrella", forecast="rainy") == ("take",)


class TestHuber2015:
    """W. Huber on stats.stackexchange.com, the chance of a yahtzee as a decision analysis."""

    def test_states_and_options(self, yahtzee: TurnAnalysis) -> None:
        assert set(yahtzee.turn.states) == set(STATES)
        assert len(yahtzee.turn.options) == 19
        assert set(STATES) < set(yahtzee.turn.options)
        assert yahtzee.turn.start == "0"

    @pytest.mark.parametrize(
        ("rolls_left", "published"),
        [
            (2, "0.0126314586 0.02906379 0.02906379 0.09336420 0.09336420 0.3055556 1"),
            (1, "0.0007716049 0.00462963 0.00462963 0.02777778 0.02777778 0.1666667 1"),
            (0, "0.0000000000 0.00000000 0.00000000 0.00000000 0.00000000 0.0000000 1"),
        ],
    )
    def test_payoffs(self, yahtzee: TurnAnalysis, rolls_left: int, published: str) -> None:
        payoffs = yahtzee.payoffs(rolls_left)
        for state, text in zip(STATES, published.split(), strict=True):
            digits = len(text.partition(".")[2])
            assert f"{float(payoffs[state]):.{digits}f}" == text

    @pytest.mark.parametrize("rolls_left", [2, 1])
    def test_moves(self, yahtzee: TurnAnalysis, rolls_left: int) -> None:
        published = ("0", "01", "01", "001", "001", "0001", "00001")
        moves = yahtzee.moves(rolls_left)
        assert all(move in moves[s] for s, move in zip(STATES, published, strict=True))
        ties = {state: best for state, best in moves.items() if len(best) > 1}
        assert ties == {"5": ("0", "1")}, "rerolling all five or any four is equally good"

    def test_row_of_option_0(self, yahtzee: TurnAnalysis) -> None:
        published = "0.09259259 0.4629630 0.2314815 0.15432099 0.03858025 0.019290123 0.0007716049"
        row = yahtzee.turn.outcomes("0")
        for state, text in zip(STATES, published.split(), strict=True):
            digits = len(text.partition(".")[2])
            assert f"{float(row[state]):.{digits}f}" == text
        assert expected(row, yahtzee.payoffs(2)) == yahtzee.value

    def test_chance(self, yahtzee: TurnAnalysis) -> None:
        assert yahtzee.value == Fraction(2783176, 6**10) == Fraction(347897, 7558272)
        assert f"{float(yahtzee.value):.8f}" == "0.04602864"

    def test_the_question(self, yahtzee: TurnAnalysis) -> None:
        # Five different faces after the first roll: roll all again, or keep one?
        assert yahtzee.keep_value("0", 2) == yahtzee.keep_value("1", 2) == yahtzee.payoffs(2)["5"]

    def test_three_coins(self, coins: TurnAnalysis) -> None:
        assert [coins.payoffs(left)["11"] for left in (2, 1, 0)] == [1, 1, 1]
        assert [coins.payoffs(left)["001"] for left in (2, 1, 0)] == [
            Fraction(15, 16),
            Fraction(3, 4),
            0,
        ]
        for left, move in ((2, "1"), (1, "0")):
            assert "2" in coins.best_keeps("11", left)
            assert move in coins.best_keeps("001", left)

    def test_influence_diagram(self, coins: TurnAnalysis) -> None:
        prospect = coins.turn.prospect()
        decision = decide(prospect)
        assert {d: str(v) for d, v in decision.option_values.items()} == {
            "0": "3/4",
            "1": "3/4",
            "01": "1/2",
            "001": "0",
            "2": "1",
            "11": "1",
        }
        assert set(prospect.available["001"]) == {"0", "1", "01", "001"}
        assert "2" in prospect.available["11"]
        assert prospect.options["1"] == {"11": Fraction(3, 4), "001": Fraction(1, 4)}
        assert decision.values == {"11": 1, "001": Fraction(3, 4)}
        assert decision.best["001"] == ("0", "1")
        assert decision.best["11"] == ("2", "11")

    def test_general_method_gives_the_same(self, yahtzee: TurnAnalysis) -> None:
        prospect = yahtzee.turn.prospect()
        for decision, left in zip(analyse([prospect] * 2), (2, 1), strict=True):
            assert decision.values == yahtzee.payoffs(left)
            assert decision.option_values == yahtzee.keep_values(left)
            assert decision.best == yahtzee.moves(left)

    def test_full_house(self) -> None:
        # The source says that its best options change between the first and the second roll.
        # With three rolls none does, as every ordered roll counted one by one shows, too ...
        analysis = analyse_turn(profile_turn("011"))
        assert analysis.moves(2) == analysis.moves(1)
        assert analysis.moves(1) == _best_profiles(1)
        assert analysis.moves(2) == _best_profiles(2)
        # ... but with four rolls, those of four states do.
        analysis = analyse_turn(profile_turn("011", rolls=4))
        first, second = analysis.moves(3), analysis.moves(2)
        assert {s: (first[s], second[s]) for s in STATES if first[s] != second[s]} == {
            "31": (("11",), ("01",)),
            "201": (("11",), ("101",)),
            "1001": (("11",), ("101",)),
            "00001": (("01",), ("001",)),
        }

    def test_faces_not_showing(self) -> None:
        # The source's text counts them as faces less the nonzero entries, its code as faces less
        # the sum of the entries. Only the latter makes the chances of one more die sum to one.
        ways = dict(profile_turn("00001").notation.roll_one((2,)))
        assert ways == {(3,): 4, (1, 1): 2}
        assert sum(ways.values()) == 6


def _best_profiles(rolls_left: int) -> dict[str, tuple[str, ...]]:
    """Find the best keeps for a full house without the graph, from ordered rolls one by one."""
    turn = profile_turn("011")
    examples = {turn.text_of(roll): roll for roll in combinations_with_replacement(range(1, 7), 5)}
    payoffs = {state: Fraction(state == "011") for state in examples}
    best: dict[str, tuple[str, ...]] = {}
    for _ in range(rolls_left):
        values = {state: _values_of_keeps(turn, roll, payoffs) for state, roll in examples.items()}
        payoffs = {state: max(of_keeps.values()) for state, of_keeps in values.items()}
        best = {
            state: tuple(d for d in turn.options if values[state].get(d) == payoffs[state])
            for state in examples
        }
    return best


def _values_of_keeps(
    turn: TurnProblem, roll: tuple[int, ...], payoffs: dict[str, Fraction]
) -> dict[str, Fraction]:
    values: dict[str, Fraction] = {}
    for size in range(len(roll) + 1):
        for keep in combinations(roll, size):
            rerolls = list(product(range(1, 7), repeat=len(roll) - size))
            total = sum(payoffs[turn.text_of(keep + reroll)] for reroll in rerolls)
            values[turn.text_of(keep)] = Fraction(total, len(rerolls))
    return values


class TestMince:
    """M. Mince, Using Markov Chains and Probabilistic Modeling to Play Yahtzee, sections 4, 5."""

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
        start = turn_chain(profile_turn("00001"), lambda _: "0").lump(_longest).rows["1"]
        assert _rounded(start) == [0.09259, 0.69444, 0.1929, 0.01929, 0.00077]
        end = chain.after(start, 2)
        # The source has 0.000917 for the first entry: 0.09259 × (120/1296)² is 0.000794.
        assert _rounded(end) == [0.00079, 0.25601, 0.45240, 0.24476, 0.04603]
        assert end["5"] == Fraction(347897, 7558272)

    def test_small_straight(self) -> None:
        # The source has 108 in the first place, with which its first column sums to 1323 / 1296.
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
        # 16.358 % if 2, 5 and 6 are kept; but keeping 2 and 5 only, open at both ends, is better.
        analysis = analyse_turn(target_turn("large-straight"))
        assert f"{float(analysis.keep_value('256', 2)):.3%}" == "16.358%"
        assert analysis.best_keeps("12566", 2) == ("25",)
        assert f"{float(analysis.keep_value('25', 2)):.3%}" == "18.416%"


def _longest(profile: str) -> str:
    return str(len(profile))


def _of_a_kind_chain() -> MarkovChain:
    """Keep one face of the highest multiplicity; then group by that multiplicity."""
    return turn_chain(profile_turn("00001"), lambda state: "0" * (len(state) - 1) + "1").lump(
        _longest
    )


def _straight_chain(wanted: str) -> list[list[Fraction]]:
    """Keep one die of each wanted face; group by their number, and leave out that of none."""

    def keep(roll: str) -> str:
        return "".join(sorted(set(roll) & set(wanted))) or "-"

    chain = turn_chain(multiset_turn(sum), keep).lump(
        lambda roll: str(len(set(roll) & set(wanted)))
    )
    states = [str(n) for n in range(1, len(wanted) + 1)]
    return [[chain.rows[s].get(end, Fraction(0)) for s in states] for end in states]


def _transposed(chain: MarkovChain) -> list[list[Fraction]]:
    return [list(column) for column in zip(*chain.matrix(), strict=True)]


def _rounded(distribution: Mapping[str, Fraction]) -> list[float]:
    return [round(float(p), 5) for p in distribution.values()]
