"""A game with the lowest total, or with the worst rolls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from rollwise.errors import InputError
from rollwise.game.actions import Keep, Roll
from rollwise.game.dice_notation import format_dice, format_keep
from rollwise.game.game import Game
from rollwise.questions.answer import Answer, Block, Data, Hidden, table, title
from rollwise.questions.progress import working
from rollwise.questions.solving import objective_of, solved
from rollwise.rules import Rules
from rollwise.solving.objectives import CardObjective
from rollwise.strategies import Optimal
from rollwise.studies.adversarial_dice import adversarial_game, lowest_game, lowest_totals

MEANING = {
    "any": "the lowest possible total of optimal play",
    "adversarial": "each roll lowers the expected score most",
}


class WorstTurn(Data):
    """A turn of the worst game."""

    rolls: list[str]
    keeps: list[str]
    category: str
    points: int
    extra: int
    """Points of an extra bonus."""


class WorstGame(Answer):
    """A game of optimal play with the lowest total, or against adversarial dice."""

    rules: str
    objective: str
    dice: Literal["any", "adversarial"]
    total: int
    upper_bonus: int
    turns: list[WorstTurn]
    game: Hidden[Rules]

    def __repr__(self) -> str:
        return f"<WorstGame of {self.rules}: {self.total} points>"

    def show(self) -> Iterator[Block]:
        """Yield a table of the turns."""
        other = f"; objective {self.objective}" if self.objective != "expected" else ""
        yield from (title(self.game.title, f": {MEANING[self.dice]}{other}"), "")
        most = max(len(turn.rolls) for turn in self.turns)
        steps = [name for number in range(most) for name in (f"roll {number + 1}", "keep")][:-1]
        rows = table(">turn", *steps, ">points", "category")
        for number, turn in enumerate(self.turns, start=1):
            cells = [""] * len(steps)  # the last cells stay empty if the turn ended early
            cells[: 2 * len(turn.rolls) : 2] = turn.rolls
            cells[1 : 2 * len(turn.keeps) : 2] = turn.keeps
            category = self.game.categories[self.game.category_index(turn.category)].title
            rows.add_row(str(number), *cells, str(turn.points + turn.extra), category)
        empty = [""] * (2 * most)
        if self.upper_bonus:
            rows.add_row(*empty, str(self.upper_bonus), "upper bonus")
        rows.add_row(*empty, str(self.total), "total", style="bold")
        yield rows


def worst_game_of(rules: Rules, objective: str, dice: Literal["any", "adversarial"]) -> WorstGame:
    """Return the game with the lowest total of optimal play, or with adversarial dice."""
    goal = objective_of(objective, rules)
    if not isinstance(goal, CardObjective):
        raise InputError(
            f"--worst does not support --objective {objective}, which depends on the points so "
            "far. Use expected or worst-case."
        )
    if dice == "any":
        from rollwise.solving.policy import check_policy_memory  # numba

        check_policy_memory(rules)
    solution = solved(rules, goal)
    with working(f"looking for the worst game of {rules.name}") as advance:
        if dice == "any":
            strategy = Optimal(solution)
            game = lowest_game(strategy, lowest_totals(strategy, progress=advance))
        else:
            game = adversarial_game(solution)
    (card,) = game.cards
    return WorstGame(
        rules=rules.name,
        objective=goal.name,
        dice=dice,
        total=card.points,
        upper_bonus=card.upper_bonus,
        turns=_turns(game),
        game=rules,
    )


def _turns(game: Game) -> list[WorstTurn]:
    """Return the turns of a finished game."""
    rules, turns = game.rules, list[WorstTurn]()
    rolls, keeps = list[str](), list[str]()
    for step in game.steps:
        event = step.event
        if isinstance(event, Roll):
            rolls.append(format_dice(rules, event.dice))
        elif isinstance(event, Keep):
            keeps.append(format_keep(rules, event.dice))
        else:
            # If turns cannot end early, a player who keeps all dice rerolls none until the last
            # roll.
            again = [] if rules.stops else rolls[-1:] * (rules.rolls - len(rolls))
            points, extra = step.points
            turn = WorstTurn(
                rolls=rolls + again,
                keeps=keeps + again,
                category=event.category,
                points=points,
                extra=extra,
            )
            turns.append(turn)
            rolls, keeps = [], []
    return turns
