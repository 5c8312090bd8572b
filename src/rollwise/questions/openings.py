"""Opening and last-turn tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rollwise.game.dice_notation import format_dice
from rollwise.game.notation import format_action
from rollwise.game.scorecard import Dice
from rollwise.questions.answer import Answer, Block, Data, Hidden, table, title
from rollwise.questions.progress import working
from rollwise.questions.solving import solved
from rollwise.rules import Rules
from rollwise.solving.option import Option
from rollwise.solving.solution import rule_for_ties
from rollwise.studies.opening_tables import extreme_rolls, last_turns

SHOWN = 6
"""The maximum number of equally good rolls that people see: one for each face of a die."""


class RatedRoll(Data):
    """A roll of the first turn with its best option."""

    dice: str
    action: str
    value: float
    sd: float | None


class FirstRoll(RatedRoll):
    """A best or worst roll, and the other rolls of equal value."""

    as_good: list[str]
    others: Hidden[list[RatedRoll]]


class LastTurn(Data):
    """The points of a category in a last turn."""

    mean: float
    sd: float
    zero: float
    """The probability of 0 points."""


class Openings(Answer):
    """The best and worst rolls of the first turn, and the points in a last turn."""

    rules: str
    first_turn: dict[str, FirstRoll]
    """The rolls, by ``best`` or ``worst``, and by the number of the roll."""
    last_turn: dict[str, LastTurn]
    """The last turns, by the only open category."""
    game: Hidden[Rules]
    fewer_dice: Hidden[bool]

    def __repr__(self) -> str:
        return f"<Openings of {self.rules}>"

    def show(self) -> Iterator[Block]:
        """Yield the first rolls, then the last turns."""
        rows = table("first turn", "dice", "best", ">EV", ">SD")
        for key, roll in self.first_turn.items():
            tied: list[RatedRoll] = [roll, *roll.others]
            for n, equal in enumerate(tied[:SHOWN]):
                name = "equally good" if n else key.replace("_", " ")
                sd = "" if equal.sd is None else f"{equal.sd:.0f}"  # None with saved rolls
                rows.add_row(name, equal.dice, equal.action, f"{equal.value:.2f}", sd)
            if len(tied) > SHOWN:
                rows.add_row(f"and {len(tied) - SHOWN} more")
        yield from (title(self.game.title), rows)
        if self.fewer_dice:  # the values of a solution have only the other rule
            yield f"{rule_for_ties()}. --tie-break changes only the last turns."
        yield ""
        rows = table("last turn for", ">mean", ">SD", ">% zero")
        for category in self.game.categories:
            turn = self.last_turn[category.key]
            zero = f"{turn.zero:.2%}".rstrip("%")
            rows.add_row(category.title, f"{turn.mean:.2f}", f"{turn.sd:.2f}", zero)
        yield rows
        rule = rule_for_ties(fewer_dice=self.fewer_dice)
        yield f"{rule}; another choice can change the distribution."


def openings_of(game: Rules, *, fewer_dice: bool) -> Openings:
    """Rate the rolls of the first turn, and evaluate the last turns."""
    solution = solved(game, moments=True)
    with working(f"rating the rolls of {game.name}"):
        rolls = extreme_rolls(solution)
        turns = last_turns(game, fewer_dice=fewer_dice)

    def rated(dice: Dice, option: Option) -> dict[str, Any]:
        action = format_action(game, option.action)
        return {
            "dice": format_dice(game, dice),
            "action": action,
            "value": option.value,
            "sd": option.sd,
        }

    first_turn = {}
    for label, (roll, *others) in rolls.items():
        equal = [RatedRoll(**rated(*other)) for other in others]
        first_turn[label.replace(" ", "_")] = FirstRoll(
            **rated(*roll), as_good=[other.dice for other in equal], others=equal
        )
    return Openings(
        rules=game.name,
        first_turn=first_turn,
        last_turn={
            key: LastTurn(mean=points.mean, sd=points.sd, zero=points.probability(0))
            for key, points in turns.items()
        },
        game=game,
        fewer_dice=fewer_dice,
    )
