"""Worst games, by brute force and by the rules that they follow."""

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings

from commands import run
from games import QUICK
from rollwise.evaluation.evaluate import evaluate
from rollwise.game.actions import Keep, Score
from rollwise.game.events import Roll
from rollwise.game.game import Game
from rollwise.game.position import Position
from rollwise.game.records.as_text import parse_record
from rollwise.game.records.record import Record, format_record
from rollwise.game.reference import Reference
from rollwise.game.scorecard import Dice, State, after, legal_moves
from rollwise.model.arrays import Model
from rollwise.reviews.review import review
from rollwise.rules import Rules, load_rules
from rollwise.solving.objectives import WORST_CASE, exponential, target
from rollwise.solving.place import CardPlace
from rollwise.solving.solution import TIE
from rollwise.solving.solver import solve
from rollwise.strategies import Optimal, RandomCategory, RandomPlay, Strategy
from rollwise.studies.adversarial_dice import demonic_game, lowest_game, lowest_totals
from small_games import small_rules


def throws(rules: Rules, keep: Dice) -> set[Dice]:
    """Return every roll that a keep can become."""
    kept = Counter(keep)
    return {roll for roll in rules.every_roll() if kept <= Counter(roll)}


def lowest_by_brute_force(strategy: Optimal) -> int:
    """Return the lowest total, following every roll of every turn from card to card."""
    model, rules = strategy.solution.model, strategy.solution.rules
    lattice = model.lattice
    number = {dice: r for r, dice in enumerate(lattice.rolls)}

    @cache
    def lowest(state: State) -> int:
        if state.filled == (1 << len(rules.categories)) - 1:
            return rules.bonus_at(state.upper)
        c = model.class_of(state.filled, state.eligible, state.saved)
        policy = strategy.turn_policy(model, c, state.upper)
        rolls = throws(rules, ())
        ends: list[tuple[Dice, int]] = []
        for left, keep_R in zip(range(len(policy.keeps), 0, -1), policy.keeps, strict=True):
            kept = {dice: lattice.points[keep_R[number[dice]]] for dice in rolls}
            if rules.stops:
                ends += [(dice, left) for dice in rolls if kept[dice] == dice]
                kept = {dice: keep for dice, keep in kept.items() if keep != dice}
            rolls = {after_keep for keep in kept.values() for after_keep in throws(rules, keep)}
        totals = []
        for dice, left in [*ends, *((dice, 0) for dice in rolls)]:
            k = policy.categories[model.end_of_turn(number[dice], left)]
            move = next(m for m in legal_moves(rules, state, dice, left) if m.category == k)
            totals.append(move.points + move.extra + lowest(after(rules, state, move, left)))
        return min(totals)

    return lowest(State.start(rules))


def total(game: Record) -> int:
    (card,) = game.cards
    return card.points


def rolls_of(
    strategy: Strategy, model: Model, game: Record
) -> Iterator[tuple[State, Dice, Dice, int]]:
    """Yield the card, what was kept, the roll and the rerolls left of every roll of a game.

    What happens between the rolls is checked to be what the strategy does.
    """
    again, events = Game(game.rules), iter(game.events)
    while not again.is_over:
        state = again.card.state
        place = CardPlace.of_card(model, again.card)
        policy = strategy.turn_policy(model, place.c, place.lane)
        kept: Dice = ()
        number = 0
        for left in range(len(policy.keeps), -1, -1):
            if len(kept) < game.rules.dice:
                roll = next(events)
                assert isinstance(roll, Roll)
                again.push(roll)
                number = model.lattice.point(roll.dice) - model.lattice.first_roll
                yield state, kept, roll.dice, left
            if left:
                kept = model.lattice.points[policy.keeps[-left][number]]
                if len(kept) < game.rules.dice:
                    assert next(events) == Keep(kept)
                    again.push(Keep(kept))
                elif game.rules.stops:
                    break
        score = Score(int(policy.categories[model.end_of_turn(number, left)]))
        assert next(events) == score
        again.push(score)
    assert next(events, None) is None


class TestWorstGames:
    @settings(max_examples=60)
    @given(small_rules(saves=True))
    def test_lowest_total_is_that_of_brute_force(self, rules: Rules) -> None:
        strategy = Optimal(solve(rules, cache=False, threads=1))
        lowest = lowest_totals(strategy, threads=1)
        game = lowest_game(strategy, lowest)
        assert lowest.total == lowest_by_brute_force(strategy) == total(game)
        assert list(rolls_of(strategy, lowest.model, game))

    @settings(max_examples=40)
    @given(small_rules(saves=True))
    def test_lowest_total_is_the_minimum_of_the_distribution(self, rules: Rules) -> None:
        best = Optimal(solve(rules, cache=False, threads=1))
        players: list[Strategy] = [best, RandomCategory(), RandomPlay()]
        for strategy in players:
            minimum = evaluate(strategy, rules, threads=1).distribution.minimum
            assert lowest_totals(strategy, rules, threads=1).total == minimum

    @pytest.mark.parametrize("risk", [-0.5, 0.1])
    def test_lowest_total_of_another_objective(self, risk: float) -> None:
        strategy = Optimal(solve(load_rules("crag"), exponential(risk)))
        assert lowest_totals(strategy).total == evaluate(strategy).distribution.minimum

    @settings(max_examples=40)
    @given(small_rules(saves=True))
    def test_who_fears_the_worst_gets_what_he_can_be_sure_of(self, rules: Rules) -> None:
        careful = solve(rules, WORST_CASE, cache=False, threads=1)
        assert lowest_totals(Optimal(careful), threads=1).total == careful.value()
        bold = Optimal(solve(rules, cache=False, threads=1))
        assert lowest_totals(bold, threads=1).total <= careful.value()

    def test_player_and_demon_know_the_points_so_far(self) -> None:
        solution = solve(load_rules("crag"), target(40))
        game = Game(solution.rules)
        for event in demonic_game(solution).events:
            card, left = game.card, game.stage.rolls_left - 1
            if isinstance(event, Roll):
                worth = {
                    roll: solution.options(Position.of(card, roll, left))[0].value
                    for roll in throws(game.rules, game.stage.kept)
                }
                assert worth[event.dice] - min(worth.values()) <= 2 * TIE
            else:
                assert game.position is not None
                best = (o.action for o in solution.options(game.position) if o.best)
                assert event in best
            game.push(event)

    @settings(max_examples=40)
    @given(small_rules(saves=True))
    def test_each_demonic_roll_is_the_worst(self, rules: Rules) -> None:
        solution = solve(rules, cache=False, threads=1)
        game = demonic_game(solution)
        assert total(game) >= lowest_totals(Optimal(solution), threads=1).total
        reference = Reference(rules)
        for state, kept, dice, left in rolls_of(Optimal(solution), solution.model, game):
            worth = {
                roll: max(reference.options(state, roll, left).values())
                for roll in throws(rules, kept)
            }
            assert float(worth[dice] - min(worth.values())) <= 2 * TIE

    def test_a_worst_game_is_reviewed_like_any_other(self) -> None:
        solution = solve(load_rules("crag"))
        game = demonic_game(solution)
        assert parse_record(format_record(game)) == game
        (one,) = review(game, solution)
        assert one.loss == pytest.approx(0, abs=1e-9)
        assert one.luck == pytest.approx(total(game) - solution.value())
        assert max(roll.luck for roll in one.rolls) <= 1e-9

    @pytest.mark.slow
    @pytest.mark.parametrize("name", QUICK)
    def test_every_preset(self, name: str) -> None:
        rules = load_rules(name)
        strategy = Optimal(solve(rules))
        lowest = lowest_totals(strategy)
        assert lowest.total == evaluate(strategy, rules, cache=True).distribution.minimum
        if not rules.announced:
            assert list(rolls_of(strategy, lowest.model, lowest_game(strategy, lowest)))
        assert total(demonic_game(strategy.solution)) >= lowest.total

    def test_chance_in_the_strategy_is_refused(self) -> None:
        rules = load_rules("micro-yahtzee")
        lowest = lowest_totals(RandomPlay(), rules)
        assert lowest.total == 3
        with pytest.raises(ValueError, match="leaves no choice to chance"):
            lowest_game(RandomPlay(), lowest)
        with pytest.raises(ValueError, match="expected the rules"):
            lowest_totals(RandomPlay())


CRAG = ("--rules", "crag")


class TestCommands:
    @pytest.mark.parametrize(("dice", "total"), [("any", 12), ("demonic", 19)])
    def test_worst_game(self, dice: str, total: int) -> None:
        code, out, _ = run("worst-game", "--dice", dice, "--json")
        data = json.loads(out)
        assert code == 0
        assert list(data) == ["rules", "objective", "dice", "total", "upper_bonus", "turns"]
        assert (data["dice"], data["total"]) == (dice, total)
        assert len(data["turns"]) == 13
        assert sum(turn["points"] + turn["extra"] for turn in data["turns"]) == total
        _, text, _ = run("worst-game", "--dice", dice)
        for turn in data["turns"]:
            assert all(dice in text for dice in turn["rolls"])
        assert text.split()[-2:] == [str(total), "total"]

    def test_worst_game_adds_up_with_the_bonus(self, tmp_path: Path) -> None:
        # One die, one box: at least a point, and always the bonus.
        path = tmp_path / "one.toml"
        path.write_text(
            'name = "one"\ntitle = "One box"\ndice = 1\nfaces = 6\nrolls = 1\n'
            "upper_bonus = { threshold = 1, points = 4 }\n"
            '[[categories]]\nkey = "total"\ntitle = "Total"\nsection = "upper"\n'
            'pattern = { kind = "any" }\npoints = "total"\n'
        )
        data = json.loads(run("worst-game", "--rules", str(path), "--json")[1])
        assert (data["total"], data["upper_bonus"]) == (5, 4)
        rows = run("worst-game", "--rules", str(path))[1].splitlines()[-2:]
        assert [row.split() for row in rows] == [["4", "upper", "bonus"], ["5", "total"]]

    def test_a_score_that_is_sure_is_what_the_worst_game_brings(self) -> None:
        data = json.loads(run("worst-game", "--objective", "worst-case", *CRAG, "--json")[1])
        assert data["objective"] == "worst-case"
        sure = json.loads(run("value", "--objective", "worst-case", *CRAG, "--json")[1])
        assert data["total"] == sure["value"]

    def test_an_objective_of_the_final_score_is_refused_at_once(self) -> None:
        code, out, error = run("worst-game", "--objective", "target:200", *CRAG)
        assert (code, out) == (2, "")
        assert "expected one that does not depend on the points so far" in error
