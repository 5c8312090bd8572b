"""The dice that a greedy strategy rerolls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rich.text import Text

from rollwise.errors import MalformedError, did_you_mean, quoted
from rollwise.game.actions import Keep
from rollwise.game.dice_notation import format_keep
from rollwise.game.notation import format_action
from rollwise.game.position import PositionLike, as_position, format_position
from rollwise.questions import checks_arguments
from rollwise.questions.answer import Answer, Block, Data, Hidden, table, title
from rollwise.questions.parameters import Card, Game, RollsLeft, Strategy, Top
from rollwise.rules import Rules, game_of

STRATEGY = "greedy-step-discounted"
GAME = "yams"


class Option(Data):
    """An action with its expected points of this turn."""

    action: str
    reroll: str
    expected: float


class GreedyAdvice(Answer):
    """The options of a greedy strategy, best first."""

    rules: str
    strategy: str
    position: str
    options: list[Option]
    game: Hidden[Rules]

    def __repr__(self) -> str:
        return f"<GreedyAdvice of {self.strategy}: {self._best}>"

    @property
    def _best(self) -> str:
        best = self.options[0]
        return best.action if best.reroll == "-" else f"reroll {best.reroll}"

    def show(self) -> Iterator[Block]:
        """Yield the best option, and the options with their expected points."""
        yield title(self.game.title, f": {self.position}")
        expected = f", expected {self.options[0].expected:.4f}"
        yield Text.assemble(f"{self.strategy}: ", (self._best, "bold green"), expected)
        yield ""
        rows = table("action", "reroll", ">expected")
        for option in self.options:
            rows.add_row(option.action, option.reroll, f"{option.expected:.4f}")
        yield rows


@checks_arguments
def greedy(
    dice: PositionLike,
    *,
    rolls_left: RollsLeft = None,
    card: Card = None,
    strategy: Strategy = STRATEGY,
    rules: Game = GAME,
    top: Top = 8,
) -> GreedyAdvice:
    """Ask a greedy strategy which dice to reroll.

    A greedy strategy maximizes the score of this turn alone. On the command line, leave out the
    dice to type each roll of a game as you play it; then any strategy can advise you. greedy-step
    looks one reroll ahead, and greedy looks ahead to the end of the turn. -discounted multiplies
    points by a factor, which is lower in categories that could score more. A scale can follow, as
    in greedy-discounted:50.

    Parameters
    ----------
    dice
        The roll, such as 11366.
    rolls_left
        Rerolls left.
    card
        Filled categories with their points, such as ones=3; - for none.
    strategy
        The greedy strategy.
    rules
        A game from rollwise rules list, or a rule file.
    top
        Show only the N best options.

    Examples
    --------
    >>> greedy(11366)
    <GreedyAdvice of greedy-step-discounted: reroll 113>
    >>> greedy("23456", rolls_left=1, card="sixes=18").options[0].action
    'score large-straight'

    rollwise greedy
    rollwise greedy --strategy optimal --rules yahtzee -o game.txt
    rollwise greedy 23456 --rolls-left 1 --card "sixes=18" --rules yams
    """
    from rollwise.strategies import FORMS, STRATEGIES, named_strategy  # slow to import

    game = game_of(rules)
    chosen = named_strategy(strategy) if strategy.startswith("greedy") else None
    if chosen is None:
        names = [name for name in (*STRATEGIES, *FORMS) if name.startswith("greedy")]
        hint = did_you_mean(strategy, {name: name for name in names})
        known = f"The greedy strategies are {', '.join(names)}."
        raise MalformedError(f"Unknown greedy strategy {quoted(strategy)}. {hint or known}")
    position = as_position(game, dice, rolls_left, card)
    options = []
    for action, expected in chosen.options(position)[:top]:
        held = action.dice if isinstance(action, Keep) else position.dice
        rolled = tuple((Counter(position.dice) - Counter(held)).elements())
        again = format_keep(game, rolled)
        options.append(Option(action=format_action(game, action), reroll=again, expected=expected))
    return GreedyAdvice(
        rules=game.name,
        strategy=chosen.name,
        position=format_position(position),
        options=options,
        game=game,
    )
