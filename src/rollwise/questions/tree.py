"""The size of a game tree, and pictures of the trees of tiny games."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Annotated

from rollwise.errors import InputError
from rollwise.files import check_folder
from rollwise.questions import checks_arguments
from rollwise.questions.answer import Answer, Block, Hidden, title
from rollwise.questions.parameters import Game
from rollwise.questions.parameters import output as output_option
from rollwise.questions.progress import note_written, working
from rollwise.rules import Rules, game_of
from rollwise.studies import game_tree


class Tree(Answer):
    """The size of a game tree; numbers of any length are text."""

    rules: str
    games: str
    turn_states: int
    rarest: str
    likeliest: str
    log10_strategies: float | None
    """Null if it exceeds the range of float64, or if the strategies are not counted."""
    strategies: str | None
    game: Hidden[Rules]
    size: Hidden[game_tree.GameSize]
    """The exact numbers."""

    def __repr__(self) -> str:
        return f"<Tree of {self.rules}: {_short(self.size.games)} games>"

    def show(self) -> Iterator[Block]:
        """Yield the numbers, rounded if they are long."""
        size = self.size
        if size.strategies is not None:
            strategies = _short(size.strategies)
        elif size.log10_strategies is not None:
            strategies = f"10^({size.log10_strategies:.4g})"
        else:
            strategies = "not counted: the number of open categories depends on more than the turn"
        yield title(self.game.title)
        yield f"games                        {_short(size.games)}"
        yield f"states in a turn             {size.turn_states:,}"
        yield f"probability of a game, from  {_short(size.rarest)}"
        yield f"                         to  {_short(size.likeliest)}"
        yield f"deterministic strategies     {strategies}"


@checks_arguments
def tree(
    *,
    rules: Game = "micro-yahtzee",
    output: Annotated[Path | None, output_option("a graph as .svg, .png, or .dot", "--dot")] = None,
    whole: bool = False,
) -> Tree:
    """Count the games and strategies in a game tree.

    The count treats the dice as distinguishable, and every turn uses all rolls. --output draws tiny
    games. In a picture, green edges are the best options, and a node shows the expected points to
    come or, with --whole, the expected final score.

    Parameters
    ----------
    rules
        A game from rollwise rules list, or a rule file.
    output
        Write a graph as .svg, .png, or .dot to this file.
    whole
        With --output: draw the whole tree without merging states.

    Examples
    --------
    >>> tree()
    <Tree of micro-yahtzee: 72 games>
    >>> tree(rules="yahtzee").size.turn_states
    1681

    rollwise tree
    rollwise tree --rules yahtzee
    rollwise tree -o graph.svg
    rollwise tree --whole -o tree.svg
    """
    check_folder(output)
    if whole and output is None:
        raise InputError("--whole changes a picture. Add --output FILE.")
    game = game_of(rules)
    with working(f"counting the games of {game.name}"):
        size = game_tree.game_size(game)
    if output is not None:
        from rollwise.decision_analysis import Picture

        nodes = game_tree.game_tree(game) if whole else game_tree.game_graph(game)
        Picture(game_tree.to_dot(nodes)).save(output)
        note_written(output)
    digits = size.log10_strategies
    return Tree(
        rules=game.name,
        games=_exactly(size.games),
        turn_states=size.turn_states,
        rarest=_exactly(size.rarest),
        likeliest=_exactly(size.likeliest),
        # Beyond float64 there is no JSON number that others could read.
        log10_strategies=None if digits is None or digits > sys.float_info.max else float(digits),
        strategies=None if size.strategies is None else _exactly(size.strategies),
        game=game,
        size=size,
    )


def _short(number: int | Fraction) -> str:
    if number == int(number) and number < 10**15:
        return f"{int(number):,}"
    quotient = game_tree.HUGE.divide(Decimal(number.numerator), Decimal(number.denominator))
    return f"{quotient:.3g}" if number < 1 else f"{quotient:.3e}"


def _exactly(number: int | Fraction) -> str:
    """Return a number with all its digits.

    Python limits the number of digits when it converts an int to a string, but not a Decimal.
    """
    parts = (number.numerator, number.denominator)
    return "/".join(f"{Decimal(part):f}" for part in (parts if parts[1] > 1 else parts[:1]))
