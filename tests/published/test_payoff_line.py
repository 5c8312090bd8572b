"""Check the numbers in M. Mince, Using Markov Chains and Probabilistic Modeling to Play Yahtzee.

The numbers are from sections 4 to 9. The tests reproduce every printed number to its last digit, or
state the correct value.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import pytest

from rollwise.decision_analysis import MarkovChain
from rollwise.errors import IllegalError
from rollwise.rules import load_rules
from rollwise.strategies import PayoffLine, payoff_chains, payoff_paper
from rollwise.strategies.payoff_regression import Payoffs, Variant, payoffs

RULES = load_rules("yahtzee")
T = payoff_chains.of_a_kind()
P = payoff_chains.straight(4)
L = payoff_chains.straight(5)
PUBLISHED, CORRECTED, EXACT = (payoffs(RULES, v) for v in ("published", "corrected", "exact"))


def column(chain: MarkovChain, state: str, rolls: int) -> list[float]:
    """Return the probabilities of states 1, 2, … after a number of rolls from a state."""
    distribution = chain.after(state, rolls)
    return [float(distribution.get(end, 0)) for end in sorted(chain.states, key=int) if end != "0"]


def printed(text: str) -> list[pytest.approx]:  # type: ignore[valid-type]
    """Parse numbers of the paper, with a tolerance.

    The last digit can be off by one, because the paper truncates some numbers.
    """
    return [
        pytest.approx(float(word), abs=1.001 * 10.0 ** -len(word.partition(".")[2]))
        for word in text.split()
    ]


def turn(variant: str, dice: tuple[int, ...], left: int) -> dict[str, tuple[float, float, float]]:
    """Return the payoff, probability, and exact probability of each category that is possible."""
    points = PayoffLine(variant).aims(RULES, range(13), dice, left)  # type: ignore[arg-type]
    return {RULES.keys[p.category]: (p.payoff, p.probability, p.exact) for p in points}


class TestChains:
    """Tests of numbers from the chains; ``test_one_turn.py`` tests the matrices."""

    @pytest.mark.parametrize("chain", [T, P, L, payoff_chains.one_face()])
    def test_rows_sum_to_one(self, chain: MarkovChain) -> None:
        assert all(sum(row.values()) == 1 for row in chain.rows.values())

    def test_rolls_of_first_roll(self) -> None:
        # This enumerates all 7,776 ordered rolls.
        def counts(faces: set[int]) -> list[int]:
            rolls = [len(set(roll) & faces) for roll in product(range(1, 7), repeat=5)]
            return [rolls.count(n) for n in range(len(faces) + 1)]

        start = payoff_chains.of_a_kind_start()
        assert [start[s] * 7776 for s in "12345"] == [720, 5400, 1500, 150, 6]
        small, large = payoff_chains.first_roll(P), payoff_chains.first_roll(L)
        assert [small[s] * 7776 for s in "01234"] == counts({1, 2, 3, 4})
        assert [large[s] * 7776 for s in "012345"] == counts({2, 3, 4, 5, 6})
        # The paper prints 844, 3420, 3022, 480, "of 7,776", but their sum is 7,766. The third
        # number contains 2 · 4 · 3 · 2 · 5 = 262, but this product is 240. And 32 rolls show none
        # of the four faces.
        assert counts({1, 2, 3, 4}) == [32, 844, 3420, 3000, 480]
        assert 844 + 3420 + 3022 + 480 == 7766
        assert 3022 - 262 + 240 == 3000
        # The paper prints 156, 1800, 3900, 1800, 120. The roll of five aces shows none of the five
        # faces.
        assert counts({2, 3, 4, 5, 6}) == [1, 155, 1800, 3900, 1800, 120]

    def test_printed_probabilities_of_first_rolls(self) -> None:
        start = payoff_chains.of_a_kind_start()
        probabilities = [float(start[s]) for s in "12345"]
        assert probabilities == printed("0.09259 0.69444 0.19290 0.01929 0.0007716")
        small = payoff_chains.first_roll(P)
        assert [float(small[s]) for s in "124"] == printed("0.108539 0.439814 0.061728")
        assert float(small["3"]) == pytest.approx(0.385802, abs=1e-6)  # printed: 0.388631
        large = payoff_chains.first_roll(L)
        assert [float(large[s]) for s in "234"] == printed("0.231481 0.501543 0.231481")
        assert float(large["5"]) == pytest.approx(0.015432, abs=1e-6)  # printed: 0.015423
        assert float(large["1"]) == pytest.approx(0.019933, abs=1e-6)  # printed: 0.020062

    def test_two_rolls(self) -> None:
        assert column(T, "1", 2) == printed(
            "0.00857338 0.45010288 0.40902206 0.11967021 0.01263145"
        )
        assert column(T, "2", 2)[1:] == printed("0.3086419 0.4629629 0.1993312 0.0290637")
        assert column(T, "4", 2)[3:] == printed("0.69444 0.30555")
        assert column(P, "2", 2)[1:] == printed("0.0877914 0.5595850 0.3526234")
        assert column(L, "2", 2)[1:] == printed("0.015625 0.292631 0.576388 0.115354")
        assert column(L, "3", 2)[4] == printed("0.16358")[0]

    def test_whole_turns_of_chains(self) -> None:
        # The printed T²s is 0.000917 0.25646 0.45252 0.24478 0.04603, with the sum 1.0007. The
        # cause is 129 instead of 120 in the first entry of T.
        right = T.after(payoff_chains.of_a_kind_start(), 2)
        values = [float(right[s]) for s in "12345"]
        assert values == printed("0.000794 0.25601 0.45240 0.24476 0.04603")
        assert payoff_paper.of_a_kind().after(2)[1:].tolist() == printed(
            "0.000917 0.25646 0.45252 0.24478 0.04603"
        )
        assert payoff_paper.straight(4).matrix[1, 1] == 108 / 1296
        # The printed P²s follows from 108 / 1296 and 3,022 rolls. Without these errors, the
        # probability is 0.448205.
        rows = {PUBLISHED.rules.keys[p.category]: p for p in PUBLISHED.whole_turns()}
        assert rows["small-straight"].probability == printed("0.448829")[0]
        assert float(P.after(payoff_chains.first_roll(P), 2)["4"]) == pytest.approx(
            0.448205, abs=1e-6
        )
        # The first entry of the printed L²s, 0.00003057, is ten times too large.
        assert rows["large-straight"].probability == printed("0.1968299")[0]
        start = {
            s: Fraction(n, 7776) for s, n in zip("12345", (156, 1800, 3900, 1800, 120), strict=True)
        }
        end = [float(L.after(start, 2)[s]) for s in "12345"]
        assert end[1:] == printed("0.0041696 0.1735440 0.6254531 0.1968299")
        assert end[0] == pytest.approx(0.000003057, abs=1e-9)


class TestLine:
    def test_table(self) -> None:
        table = {
            "ones": "0.01244444 0.250423", "twos": "0.02488889 0.250423",
            "threes": "0.03733333 0.250423", "fours": "0.04977778 0.250423",
            "fives": "0.06222222 0.250423", "sixes": "0.07466667 0.250423",
            "three-of-a-kind": "0.04 0.45252", "four-of-a-kind": "0.04 0.24478",
            "full-house": "0.06666667 0.07542", "small-straight": "0.08 0.448829",
            "large-straight": "0.10666667 0.196829", "yahtzee": "0.13333333 0.04603",
        }  # fmt: skip
        ours = {RULES.keys[p.category]: [p.payoff, p.probability] for p in PUBLISHED.whole_turns()}
        assert ours == {key: printed(text) for key, text in table.items()}

    def test_columns(self) -> None:
        # The columns are raw value, raw payoff and weight. The weights are truncated.
        table = {
            "ones": "3 0.008 0.0044444", "twos": "6 0.016 0.0088888",
            "threes": "9 0.024 0.0133333", "fours": "12 0.032 0.0177777",
            "fives": "15 0.04 0.022222", "sixes": "18 0.048 0.0266666",
        }  # fmt: skip
        raws = {
            RULES.keys[p.category]: (p.points, p.points / 375, p.payoff)
            for p in PUBLISHED.whole_turns()[:6]
        }
        assert {key: [value, raw, payoff - raw] for key, (value, raw, payoff) in raws.items()} == {
            key: printed(text) for key, text in table.items()
        }

    def test_line(self) -> None:
        assert f"{PUBLISHED.line.slope:.4f} {PUBLISHED.line.intercept:.4f}" == "-1.4163 0.3332"
        assert PUBLISHED.best_total == 375

    def test_lines_without_errors(self) -> None:
        lines = [f"{p.line.slope:.4f} {p.line.intercept:.4f}" for p in (CORRECTED, EXACT)]
        assert lines == ["-2.3709 0.5061", "-2.1611 0.5018"]

    def test_exact_probabilities_equal_decision_analysis(self) -> None:
        from rollwise.decision_analysis import target_turn

        ours = {RULES.keys[p.category]: p.exact for p in EXACT.whole_turns()}
        targets = {"sixes": "3x6+"} | {
            key: key for key in RULES.keys if key not in ("chance", *RULES.keys[:6])
        }
        for key, target in targets.items():
            assert ours[key] == pytest.approx(float(target_turn(target).value))


class TestTurn:
    """Tests of section 7: 1 6 2 2 6 with two rolls left, and then 6 6 4 5 3 with one roll left."""

    def test_first_roll(self) -> None:
        table = {
            "ones": "0.0124444 0.4090220", "twos": "0.0248888 0.4629629",
            "sixes": "0.0746667 0.4629629", "three-of-a-kind": "0.048 0.4629629",
            "four-of-a-kind": "0.064 0.1993312", "full-house": "0.06666 0.3333",
            "small-straight": "0.08 0.3526234", "large-straight": "0.10666 0.115354",
            "yahtzee": "0.133333 0.0290637",
        }  # fmt: skip
        ours = turn("published", (1, 2, 2, 6, 6), 2)
        assert {key: list(row[:2]) for key, row in ours.items()} == {
            key: printed(text) for key, text in table.items()
        }
        assert next(iter(ours)) == "sixes"

    def test_errors_of_the_first_roll(self) -> None:
        corrected = turn("corrected", (1, 2, 2, 6, 6), 2)
        # The probability of the full house is for one roll. With two rolls, it is 5 / 9.
        assert corrected["full-house"][1] == pytest.approx(5 / 9)
        # T allows a change of face. Two sixes become three or more with probability 1 − (25 / 36)³.
        assert corrected["sixes"][1] == pytest.approx(1 - (25 / 36) ** 3)
        # The printed probability is for exactly three of a kind, but four and five also count.
        assert corrected["three-of-a-kind"][1] == pytest.approx(0.4629629 + 0.1993312 + 0.0290637)

    def test_second_roll(self) -> None:
        ours = turn("published", (3, 4, 5, 6, 6), 1)
        assert next(iter(ours)) == "small-straight"
        assert ours["small-straight"][1] == 1
        for face in ("threes", "fours", "fives"):
            assert ours[face][1] == printed("0.192901")[0]
        assert ours["sixes"][1] == printed("0.37037")[0]
        assert [ours[k][0] for k in ("full-house", "large-straight", "yahtzee")] == printed(
            "0.066667 0.106667 0.1333333"
        )
        # The printed payoffs are for the dice to keep (one three: 0.0124, two sixes: 0.0498). The
        # payoffs of the first roll are for three of each face: 0.0373 and 0.0747.
        assert ours["threes"][0] / 3 == pytest.approx(0.0124444, abs=1e-7)
        assert ours["sixes"][0] * 2 / 3 == pytest.approx(0.0497778, abs=1e-7)

    def test_table_of_the_second_roll(self) -> None:
        # The sixth decimal is wrong in the paper: 3 / 375 + 3 / 63 · 35 / 375 is 0.0124444.
        ours = turn("second-table", (3, 4, 5, 6, 6), 1)
        payoffs = [ours[face][0] for face in ("threes", "fours", "fives", "sixes")]
        assert payoffs == pytest.approx([0.0124429, 0.0165905, 0.0207481, 0.0497714], abs=1e-5)
        assert [ours[kind][0] for kind in ("three-of-a-kind", "four-of-a-kind")] == [0.064, 0.064]
        # In the first table, three of a kind means three sixes.
        assert turn("published", (3, 4, 5, 6, 6), 1)["three-of-a-kind"][0] == 0.048
        assert next(iter(ours)) == "small-straight"

    def test_dice_to_keep(self) -> None:
        first, *_ = PayoffLine("published").aims(RULES, range(13), (1, 2, 2, 6, 6), 2)
        second, *_ = PayoffLine("published").aims(RULES, range(13), (3, 4, 5, 6, 6), 1)
        assert first.keep == (6, 6)
        assert second.keep == (3, 4, 5, 6)


GOALS = (
    """
    22336 3k s  23345 ss p; 13345 3k s  12233 3k t; 45566 3k s  34566 3k s;
    24556 3k s  34556 3k s; 22446 4  p  22446 4  p; 13344 3  p  33346 3  p;
    24555 5  p  14555 5  p; 22345 ls -  12345 ls p; 12446 2  p  12256 2  p;
    13466 3  p  13336 3  p; 12346 y  -  33456 y  -; 23333 y  -  33333 y  -;
    13456 y  -  24566 y  -
    """,
    """
    22244 fh p  22244 fh p; 14466 3k s  12466 3k s; 44446 4  p  44446 4  p;
    13456 ss p  13456 ss p; 25556 3k -  55555 y  p; 34566 3k s  34566 3k s;
    24455 3k s  25566 3k s; 12346 ls -  11234 3k s; 12444 ls -  11244 1  p;
    11136 1  p  11166 1  p; 12355 ls -  12355 5  p; 11236 ls -  12233 2  p;
    12335 ls p  12335 ls p
    """,
)
"""The transcript of section 9, by player: the roll, category, and rule after each of two rolls.

The category is the choice of the paper's program. The rule is the first variant that gives this
choice:

* ``p``: section 6 and the first table of section 7, as published;
* ``s``: the payoffs of the second table of section 7;
* ``t``: in addition, an unfinished full house has the probability 0.07542;
* ``-``: no variant.
"""

TAKEN = (
    ["ss", "ch", "6", "3k", "4", "y", "5", "ls", "2", "fh", "3", "4k", "1"],
    ["fh", "ch", "4", "ss", "y", "6", "4k", "3k", "3", "1", "5", "2", "ls"],
)
"""The category scored in each turn. The paper prints the first player's second Yahtzee with 15."""


def goals(player: int) -> Iterator[tuple[int, tuple[int, ...], int, str, str]]:
    """Yield each choice: the filled categories, roll, rolls left, chosen category, and rule."""
    filled = 0
    for line, taken in zip(GOALS[player].split(";"), TAKEN[player], strict=True):
        words = line.split()
        for left, (dice, goal, rule) in ((2, words[:3]), (1, words[3:])):
            key = RULES.keys[RULES.category_index(goal)]
            yield filled, tuple(map(int, dice)), left, key, rule
        filled |= 1 << RULES.category_index(taken)


class TestTranscript:
    @pytest.mark.parametrize("player", [0, 1])
    def test_the_rule_that_gives_each_goal(self, player: int) -> None:
        rules = {"p": "published", "s": "second-table", "t": "transcript"}
        for filled, dice, left, goal, rule in goals(player):
            agreeing = [
                letter
                for letter, variant in rules.items()
                if PayoffLine(variant).aim(RULES, filled, dice, left) == goal  # type: ignore[arg-type]
            ]
            assert "".join(agreeing[:1]) == rule.strip("-"), (dice, left, agreeing)

    @pytest.mark.parametrize(
        ("variant", "agreed"), [("published", 26), ("second-table", 38), ("transcript", 40)]
    )
    def test_goals_that_agree(self, variant: Variant, agreed: int) -> None:
        strategy = PayoffLine(variant)
        matches = [
            strategy.aim(RULES, filled, dice, left) == goal
            for player in (0, 1)
            for filled, dice, left, goal, _ in goals(player)
        ]
        assert (sum(matches), len(matches)) == (agreed, 52)

    def test_score_board_adds_up(self) -> None:
        # The printed totals are 343 and 228. Both omit the Chance category.
        you = [1, 6, 9, 12, 20, 12, 23, 15, 25, 30, 40, 50, 100, 19]
        computer = [4, 6, 3, 16, 10, 12, 7, 25, 25, 30, 40, 50, 0, 20]
        assert (sum(you), sum(computer)) == (362, 248)
        assert (sum(you) - 19, sum(computer) - 20) == (343, 228)

    def test_goals_that_contradict_the_text(self) -> None:
        # After the first roll 6 6 1 4 4 with the sixes open, the transcript chooses three of a
        # kind. After 1 6 2 2 6, section 7 chooses the sixes.
        filled = 1 << RULES.category_index("full-house")
        assert PayoffLine("published").aim(RULES, filled, (1, 4, 4, 6, 6), 2) == "sixes"


class TestOtherRules:
    @pytest.mark.parametrize(("name", "box"), [("crag", "odd-straight"), ("generala", "straight")])
    def test_categories_without_probability_are_refused(self, name: str, box: str) -> None:
        with pytest.raises(IllegalError, match=f"no probability for the category {box} of {name}"):
            Payoffs(load_rules(name), "published")

    def test_rules_without_payoffs_are_refused(self) -> None:
        with pytest.raises(
            IllegalError, match="no payoff for the category two-pairs of yatzy; choose another"
        ):
            Payoffs(load_rules("yatzy"), "corrected")

    def test_only_chance_open(self) -> None:
        assert PayoffLine().aim(RULES, (1 << 12) - 1, (1, 2, 3, 4, 6), 2) is None

    def test_a_face_that_does_not_show_is_chosen_last(self) -> None:
        only_aces = (1 << 13) - 1 - 1
        assert PayoffLine().aim(RULES, only_aces, (2, 2, 3, 4, 6), 2) == "ones"
