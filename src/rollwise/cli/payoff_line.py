"""``rollwise payoff-line``: chains, points and line of that strategy; a turn explained."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from rollwise.cli import flags
from rollwise.cli.common import position_of, prepare_plot, tell_written, write_json

if TYPE_CHECKING:
    from rollwise.rules import Rules

MOST_ROLLS = 100
"""After how many rolls a state's chances are told, at most."""


class Variant(StrEnum):
    """What is done about the slips of the paper."""

    PUBLISHED = "published"
    SECOND_TABLE = "second-table"
    TRANSCRIPT = "transcript"
    MENDED = "mended"
    EXACT = "exact"


def payoff_line(
    dice: Annotated[
        str | None, typer.Argument(help="Explain what to go for with these dice.")
    ] = None,
    rolls_left: flags.RollsLeft = None,
    card: flags.Card = None,
    variant: Annotated[
        Variant,
        typer.Option("--variant", help="How the paper is read."),
    ] = Variant.MENDED,
    state: Annotated[
        int | None,
        typer.Option("--state", metavar="N", help="Also the chances from this state of a chain."),
    ] = None,
    rules: flags.Rules = "yahtzee",
    plot: flags.Picture = None,
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Show the chains, the points and the line of the strategy payoff-line, or explain a turn.

    [bold]Examples[/bold]

      rollwise payoff-line

      rollwise payoff-line 16226 --variant published --plot turn.svg

      rollwise payoff-line 66453 --rolls-left 1 --card "ones=3,full-house=25" --json

      rollwise payoff-line --state 2 --rolls-left 2

    Beside the probability of each chain, which has one fixed way of going for its box, stands the
    exact one: that of the best play for this box alone. The strategy goes for the box farthest
    from the line. published has the slips of the paper, beside what is right, mended none, exact
    the best play in place of chains; second-table counts the dice shown, as the paper's second
    roll does; transcript, besides, gives a full house the chance of a whole turn until it is made.
    """
    from rollwise.cli.payoff_line_tables import as_dict, print_model, print_turn
    from rollwise.errors import InputError
    from rollwise.rules import load_rules
    from rollwise.strategies.payoff_line import PayoffLine
    from rollwise.strategies.payoff_points import payoffs

    prepare_plot(plot)
    game = load_rules(rules)
    points = payoffs(game, variant.value)
    if state is not None and dice is not None:
        raise InputError("both dice and --state: expected one of them")
    asked = None if state is None else _asked(state, rolls_left, game)
    strategy, position = PayoffLine(variant.value), None
    if dice is None:
        shown = points.whole_turns()
    else:
        position = position_of(game, dice, card, rolls_left)
        boxes = [k for k in range(len(game.keys)) if not position.state.filled >> k & 1]
        left = position.rolls_left
        shown = strategy.aims(game, boxes, position.dice, left) if left else []
    action = None if position is None else strategy.action(position)
    if as_json:
        write_json(as_dict(points, shown, position, action, asked))
    elif position is None or action is None:
        print_model(points, shown, asked)
    else:
        print_turn(points, shown, position, action)
    if plot is not None:
        from rollwise.laboratory.payoff_plot import save_points

        save_points(points, shown, plot, dice or "whole turns")
        tell_written([plot], quiet)


def _asked(state: int, rolls: int | None, rules: "Rules") -> tuple[str, int]:
    """Return the state that is asked for, and after how many rolls."""
    from rollwise.errors import InputError
    from rollwise.strategies.payoff_chains import all_chains

    rolls = rules.rolls - 1 if rolls is None else rolls
    if not 0 <= rolls <= MOST_ROLLS:
        raise InputError(f"--rolls-left {rolls}: expected 0 to {MOST_ROLLS} with --state")
    if not any(str(state) in one.states for one in all_chains(rules.dice, rules.faces)):
        raise InputError(f"--state {state}: expected dice kept in one of the chains")
    return str(state), rolls
