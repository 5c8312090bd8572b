"""Compare worst games and games against adversarial dice with brute force."""

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings

from commands import run
from games import QUICK
from reference_solver import Reference
from rollwise.evaluation.evaluate import evaluate
from rollwise.game.actions import Keep, Roll, Score
from rollwise.game.game import Game
from rollwise.game.position import Position
from rollwise.game.scorecard import Dice, State, after, legal_moves
from rollwise.model.arrays import Model
from rollwise.reviews.review import review
from rollwise.rules import Rules, load_rules
from rollwise.solving.objectives import WORST_CASE, exponential, target
from rollwise.solving.position_index import CardIndex
from rollwise.solving.solution import TOLERANCE
from rollwise.solving.solver import solve
from rollwise.solving.turn_policy import Cards
from rollwise.strategies import Optimal, RandomCategory, RandomStrategy, Strategy
from rollwise.studies.adversarial_dice import adversarial_game, lowest_game, lowest_totals
from small_games import small_rules


def throws(rules: Rules, keep: Dice) -> set[Dice]:
    """Return every roll that contains the dice to keep."""
    needed = Counter(keep)
    return {roll for roll in rules.every_roll() if needed <= Counter(roll)}


def lowest_by_brute_force(strategy: Optimal) -> int:
    """Return the lowest final score over all sequences of rolls."""
    model, rules = strategy.solution.model, strategy.solution.rules
    lattice = model.lattice
    number = {dice: r for r, dice in enumerate(lattice.rolls)}

    @cache
    def lowest(state: State) -> int:
        if state.filled == (1 << len(rules.categories)) - 1:
            return rules.bonus_at(state.upper)
        c = model.class_of(state.filled, state.eligible, state.saved)
        turns = strategy.turns(Cards.one(model, c, state.upper))
        rolls = throws(rules, ())
        ends: list[tuple[Dice, int]] = []
        for left in range(turns.cards.rerolls, 0, -1):
            keeps = {dice: lattice.points[turns.keeps[0, -left, number[dice]]] for dice in rolls}
            if rules.stops:
                ends += [(dice, left) for dice in rolls if keeps[dice] == dice]
                keeps = {dice: keep for dice, keep in keeps.items() if keep != dice}
            rolls = {after_keep for keep in keeps.values() for after_keep in throws(rules, keep)}
        totals = []
        for dice, left in [*ends, *((dice, 0) for dice in rolls)]:
            k = turns.categories[0, model.final_roll_index(number[dice], left)]
            move = next(m for m in legal_moves(rules, state, dice, left) if m.category == k)
            totals.append(move.points + move.extra + lowest(after(rules, state, move, left)))
        return min(totals)

    return lowest(State.start(rules))


def total(game: Game) -> int:
    (card,) = game.cards
    return card.points


def rolls_of(
    strategy: Strategy, model: Model, game: Game
) -> Iterator[tuple[State, Dice, Dice, int]]:
    """Yield the state, the kept dice, the roll, and the rerolls left for every roll of a game.

    The function also checks that the strategy chooses all actions of the game.
    """
    replay, events = Game(game.rules), iter(game.events)
    while not replay.is_over:
        state = replay.card.state
        place = CardIndex.of_card(model, replay.card)
        turns = strategy.turns(Cards.one(model, place.c, place.lane))
        held: Dice = ()
        number = 0
        for left in range(turns.cards.rerolls, -1, -1):
            if len(held) < game.rules.dice:
                roll = next(events)
                assert isinstance(roll, Roll)
                replay.push(roll)
                number = model.lattice.point(roll.dice) - model.lattice.first_roll
                yield state, held, roll.dice, left
            if left:
                held = model.lattice.points[turns.keeps[0, -left, number]]
                if len(held) < game.rules.dice:
                    assert next(events) == Keep(held)
                    replay.push(Keep(held))
                elif game.rules.stops:
                    break
        category = turns.categories[0, model.final_roll_index(number, left)]
        score = Score(game.rules.keys[category])
        assert next(events) == score
        replay.push(score)
    assert next(events, None) is None


class TestWorstGames:
    @settings(max_examples=15)
    @given(small_rules(saves=True))
    def test_lowest_total_equals_brute_force(self, rules: Rules) -> None:
        strategy = Optimal(solve(rules, cache=False, threads=1))
        lowest = lowest_totals(strategy, threads=1)
        game = lowest_game(strategy, lowest)
        assert lowest.total == lowest_by_brute_force(strategy) == total(game)
        assert list(rolls_of(strategy, lowest.model, game))

    @settings(max_examples=10)
    @given(small_rules(saves=True))
    def test_lowest_total_is_the_minimum_of_the_distribution(self, rules: Rules) -> None:
        best = Optimal(solve(rules, cache=False, threads=1))
        players: list[Strategy] = [best, RandomCategory(), RandomStrategy()]
        for strategy in players:
            minimum = evaluate(strategy, rules, threads=1).distribution.minimum
            assert lowest_totals(strategy, rules, threads=1).total == minimum

    @pytest.mark.parametrize("risk", [-0.5, 0.1])
    def test_lowest_total_of_another_objective(self, risk: float) -> None:
        strategy = Optimal(solve(load_rules("crag"), exponential(risk)))
        assert lowest_totals(strategy).total == evaluate(strategy).distribution.minimum

    @settings(max_examples=10)
    @given(small_rules(saves=True))
    def test_the_worst_case_objective_attains_its_guaranteed_score(self, rules: Rules) -> None:
        careful = solve(rules, WORST_CASE, cache=False, threads=1)
        assert lowest_totals(Optimal(careful), threads=1).total == careful.value()
        bold = Optimal(solve(rules, cache=False, threads=1))
        assert lowest_totals(bold, threads=1).total <= careful.value()

    def test_adversarial_dice_minimize_the_probability_of_a_target(self) -> None:
        solution = solve(load_rules("crag"), target(40))
        game = Game(solution.rules)
        for event in adversarial_game(solution).events:
            card, left = game.card, game.stage.rolls_left - 1
            if isinstance(event, Roll):
                value = {
                    roll: solution.options(Position.of(card, roll, left))[0].value
                    for roll in throws(game.rules, game.stage.kept)
                }
                assert value[event.dice] - min(value.values()) <= 2 * TOLERANCE
            else:
                assert game.position is not None
                best = (o.action for o in solution.options(game.position) if o.best)
                assert event in best
            game.push(event)

    @settings(max_examples=10)
    @given(small_rules(saves=True))
    def test_each_adversarial_roll_is_the_worst(self, rules: Rules) -> None:
        solution = solve(rules, cache=False, threads=1)
        game = adversarial_game(solution)
        assert total(game) >= lowest_totals(Optimal(solution), threads=1).total
        reference = Reference(rules)
        for state, held, dice, left in rolls_of(Optimal(solution), solution.model, game):
            value = {
                roll: max(reference.options(state, roll, left).values())
                for roll in throws(rules, held)
            }
            assert float(value[dice] - min(value.values())) <= 2 * TOLERANCE

    def test_a_worst_game_can_be_reviewed(self) -> None:
        solution = solve(load_rules("crag"))
        game = adversarial_game(solution)
        assert Game.parse(str(game)) == game
        (player_review,) = review(game, solution)
        assert player_review.loss == pytest.approx(0, abs=1e-9)
        assert player_review.luck == pytest.approx(total(game) - solution.value())
        assert max(roll.luck for roll in player_review.rolls) <= 1e-9

    @pytest.mark.slow
    @pytest.mark.parametrize("name", QUICK)
    def test_every_preset(self, name: str) -> None:
        rules = load_rules(name)
        strategy = Optimal(solve(rules))
        lowest = lowest_totals(strategy)
        assert lowest.total == evaluate(strategy, rules, cache=True).distribution.minimum
        assert list(rolls_of(strategy, lowest.model, lowest_game(strategy, lowest)))
        assert total(adversarial_game(strategy.solution)) >= lowest.total

    def test_randomized_strategies_are_refused(self) -> None:
        rules = load_rules("micro-yahtzee")
        lowest = lowest_totals(RandomStrategy(), rules)
        assert lowest.total == 3
        with pytest.raises(ValueError, match="without random choices; use another"):
            lowest_game(RandomStrategy(), lowest)
        with pytest.raises(ValueError, match="needs the rules of a game"):
            lowest_totals(RandomStrategy())


CRAG = ("--rules", "crag")


class TestCommands:
    @pytest.mark.parametrize(("dice", "total"), [("any", 12), ("adversarial", 19)])
    def test_worst_game(self, dice: str, total: int) -> None:
        code, out, _ = run("report", "--worst", "--dice", dice, "--json")
        data = json.loads(out)
        assert code == 0
        assert list(data) == ["rules", "objective", "dice", "total", "upper_bonus", "turns"]
        assert (data["dice"], data["total"]) == (dice, total)
        assert len(data["turns"]) == 13
        assert sum(turn["points"] + turn["extra"] for turn in data["turns"]) == total
        _, text, _ = run("report", "--worst", "--dice", dice)
        for turn in data["turns"]:
            assert all(dice in text for dice in turn["rolls"])
        assert text.split()[-2:] == [str(total), "total"]

    def test_worst_game_adds_up_with_the_bonus(self, tmp_path: Path) -> None:
        # The only category always scores at least one point and earns the bonus.
        path = tmp_path / "one.toml"
        path.write_text(
            'name = "one"\ntitle = "One box"\ndice = 1\nfaces = 6\nrolls = 1\n'
            "upper_bonus = { threshold = 1, points = 4 }\n"
            '[[categories]]\nkey = "total"\ntitle = "Total"\nsection = "upper"\n'
            'pattern = { kind = "any" }\npoints = "total"\n'
        )
        data = json.loads(run("report", "--worst", "--rules", str(path), "--json")[1])
        assert (data["total"], data["upper_bonus"]) == (5, 4)
        rows = run("report", "--worst", "--rules", str(path))[1].splitlines()[-2:]
        assert [row.split() for row in rows] == [["4", "upper", "bonus"], ["5", "total"]]

    def test_the_guaranteed_score_is_the_total_of_the_worst_game(self) -> None:
        data = json.loads(run("report", "--worst", "--objective", "worst-case", *CRAG, "--json")[1])
        assert data["objective"] == "worst-case"
        guaranteed = json.loads(run("advise", "--objective", "worst-case", *CRAG, "--json")[1])
        assert data["total"] == guaranteed["value"]
