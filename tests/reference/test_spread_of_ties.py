"""Test the lowest and highest SD of optimal policies, which differ in how they break ties."""

import json
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache

import pytest
from hypothesis import given, settings

from commands import run
from reference_solver import Reference
from rollwise.evaluation.evaluate import evaluate
from rollwise.game.actions import Keep
from rollwise.game.scorecard import Dice, State, after, legal_moves
from rollwise.rules import Rules, load_rules
from rollwise.solving.moments import sd_range_of_ties
from rollwise.solving.solver import solve
from rollwise.strategies import Optimal
from small_games import small_rules

Pick = Callable[[Iterable[Fraction]], Fraction]


class SecondMoment:
    """The exact lowest or highest second moment of all optimal policies."""

    def __init__(self, rules: Rules, pick: Pick) -> None:
        self.rules, self.reference, self.pick = rules, Reference(rules), pick
        self.of_card = lru_cache(maxsize=None)(self._turn)
        self._of_roll = lru_cache(maxsize=None)(self._choose)

    def _turn(self, state: State) -> Fraction:
        if state.filled == (1 << len(self.rules.categories)) - 1:
            return Fraction(0)
        left, state = self.rules.rolls_with(state.saved) - 1, state.in_turn(self.rules)
        return self._mean((), state, left)

    def _mean(self, keep: Dice, state: State, left: int) -> Fraction:
        distribution = self.reference.distribution(keep)
        return sum(
            (p * self._of_roll(state, dice, left) for dice, p in distribution.items()), Fraction(0)
        )

    def _choose(self, state: State, dice: Dice, left: int) -> Fraction:
        options = self.reference.options(state, dice, left)
        best = max(options.values())
        seconds = [
            self._mean(action.dice, state, left - 1)
            for action, value in options.items()
            if value == best and isinstance(action, Keep)
        ]
        for move in legal_moves(self.rules, state, dice, left):
            if self.reference.scored(state, move, left) == best:
                points = self.reference.earned(state, move)
                follower = after(self.rules, state, move, left)
                later = self.reference.value(follower)
                seconds.append(points * (points + 2 * later) + self.of_card(follower))
        return self.pick(seconds)


@settings(max_examples=6)
@given(small_rules(saves=True))
def test_brute_force_in_fractions(rules: Rules) -> None:
    solution = solve(rules, cache=False, threads=1)
    for sd, pick in zip(sd_range_of_ties(solution, threads=1), (min, max), strict=True):
        second = SecondMoment(rules, pick).of_card(State.start(rules))
        variance = second - Reference(rules).value() ** 2
        assert sd**2 == pytest.approx(float(variance), rel=1e-9, abs=1e-9)


@settings(max_examples=6)
@given(small_rules(saves=True))
def test_rules_for_ties_are_within_the_range(rules: Rules) -> None:
    solution = solve(rules, cache=False, threads=1)
    least, most = sd_range_of_ties(solution, threads=1)
    for fewer in (False, True):
        sd = evaluate(Optimal(solution, fewer_dice=fewer), threads=1).distribution.sd
        assert least - 1e-6 <= sd <= most + 1e-6


@pytest.mark.parametrize(
    ("rules", "least"),
    [
        ("yams", 31.546172519),
        pytest.param("kniffel", 39.820091222, marks=pytest.mark.slow),
        pytest.param("balut", 44.016221942, marks=pytest.mark.slow),
    ],
)
def test_lowest_sd_from_another_program(rules: str, least: float) -> None:
    assert sd_range_of_ties(solve(rules))[0] == pytest.approx(least, abs=6e-10)


class TestCommand:
    def test_report(self) -> None:
        game = ("report", "--rules", "yatzy-forced-order", "--tie-break", "all")
        code, out, _ = run(*game)
        data = json.loads(run(*game, "--json")[1])
        assert code == 0
        assert data["sd_least"] < data["sd"] < data["sd_most"]
        shown = f"{data['sd_least']:.9f} to {data['sd_most']:.9f}"
        assert f"SD of all optimal strategies: {shown}" in out

    def test_unsupported_requests(self) -> None:
        for option in (("--strategy", "greedy"), ("--objective", "target:20")):
            code, out, err = run(
                "report", "--rules", "micro-yahtzee", "--tie-break", "all", *option
            )
            assert (code, out) == (2, "")
            assert "works only for optimal play for the expected score" in err

    @pytest.mark.parametrize(
        "command",
        [("report",), ("report", "--at", "20"), ("report", "--openings"), ("rules", "page")],
    )
    def test_statistics_state_the_rule_for_ties(self, command: tuple[str, ...]) -> None:
        out = " ".join(run(*command, *self.game(command))[1].split())
        assert "another choice can change the distribution" in out
        assert "optimal play takes the one that keeps more dice" in out

    @pytest.mark.parametrize(
        "command",
        [
            ("compare", "optimal", "--games", "2"),
            ("simulate", "optimal", "--versus", "optimal", "--games", "2"),
            ("simulate", "--games", "2"),
            ("sweep", "--rolls", "1"),
        ],
    )
    def test_other_commands_print_only_their_result(self, command: tuple[str, ...]) -> None:
        code, out, _ = run(*command, *self.game(command))
        assert (code, "another choice" in out) == (0, False)

    @staticmethod
    def game(command: tuple[str, ...]) -> tuple[str, ...]:
        """Return the words that choose a small game."""
        return ("micro-yahtzee",) if command[0] == "rules" else ("--rules", "micro-yahtzee")

    def test_advice_names_tied_options(self) -> None:
        others = [key for key in load_rules("crag").keys if key != "crag"]
        card = ("--card", ",".join(f"{key}=0" for key in others))
        tied, plain = (run("advise", dice, *card, "--rules", "crag")[1] for dice in ("246", "355"))
        assert " or " in tied.partition("Best: ")[2].partition(",")[0]
        assert " or " not in plain.partition("Best: ")[2].partition(",")[0]
