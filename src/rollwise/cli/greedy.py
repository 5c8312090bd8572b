"""``rollwise greedy``: the dice that a greedy strategy rerolls, with expected scores."""

from __future__ import annotations

import datetime
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer

from rollwise.cli import completion, flags, interactive
from rollwise.cli.common import check_folder, console, empty_table, headed, position_of, write_json
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.cli.progress import progress
from rollwise.errors import InputError, MalformedError, did_you_mean, quoted
from rollwise.game.actions import Keep
from rollwise.game.game import Game
from rollwise.game.notation import format_action, format_keep, format_position
from rollwise.game.position import Position
from rollwise.rules import load_rules

with lazy_imports():
    from rollwise import strategies
    from rollwise.experiments import penalty_scale
    from rollwise.playing import dialogue as dialogues


def greedy(
    dice: Annotated[
        str | None,
        typer.Argument(help="The roll, such as 11366.", show_default="play a whole game"),
    ] = None,
    rolls_left: flags.RollsLeft = None,
    card: flags.Card = None,
    strategy: Annotated[
        str,
        typer.Option(
            "--strategy",
            metavar="NAME",
            help="The greedy strategy.",
            autocompletion=completion.strategies,
        ),
    ] = "greedy-step-discounted",
    best_scale: Annotated[
        bool,
        typer.Option("--best-scale", help="Search for the best scale of the strategy's penalty."),
    ] = False,
    rules: flags.PresetRules = "yams",
    output: Annotated[Path | None, flags.writes("the record")] = None,
    top: flags.Top = 8,
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Ask a greedy strategy which dice to reroll.

    [bold]Examples[/bold]

      rollwise greedy

      rollwise greedy --strategy greedy --rules yahtzee -o game.txt

      rollwise greedy 23456 --rolls-left 1 --card "sixes=18" --rules yams

      rollwise greedy --best-scale --rules micro-yahtzee

    A greedy strategy maximizes the score of this turn alone. Without dice, type each roll of a
    game as you play it. greedy-step looks one reroll ahead, greedy looks ahead to the end of the
    turn, and -discounted subtracts a penalty for categories that could score more. A scale can
    follow, as in greedy-discounted:50.
    """
    player = strategies.named_strategy(strategy)
    if not isinstance(player, strategies.Greedy):
        names = [name for name in strategies.STRATEGIES if name.startswith("greedy")]
        names += [form for form in strategies.FORMS if form.startswith("greedy")]
        hint = did_you_mean(strategy, dict(zip(names, names, strict=True)))
        known = f"The greedy strategies are {', '.join(names)}."
        raise MalformedError(f"Unknown greedy strategy {quoted(strategy)}. {hint or known}")
    check_folder(output)
    game = load_rules(rules)
    if best_scale:
        if dice is not None or rolls_left is not None or card is not None or output is not None:
            raise InputError(
                "--best-scale plays whole games. Leave out dice, --rolls-left, --card and --output."
            )
        with progress(f"searching for the best scale in {game.name}", quiet) as advance:
            best = penalty_scale.best_scale(game, strategy.partition(":")[0], progress=advance)
        _print_scales(best, as_json)
    elif dice is None:
        if as_json or rolls_left is not None or card is not None:
            raise InputError(
                "--json, --rolls-left, and --card need dice. For example, run: "
                "rollwise greedy 11366 --json"
            )

        dialogue = dialogues.Dialogue(
            Game(game), dialogues.GreedyAdviser(player, game), datetime.date.today()
        )
        interactive.talk(dialogue, player.name, interactive.save_to(output))
        if output is not None and dialogue.game.events and not quiet:
            typer.echo(f"saved the game in {output}", err=True)
    elif output is not None:
        raise InputError("--output saves a whole game. Leave out the dice.")
    else:
        _print_options(player, position_of(game, dice, card, rolls_left), top, as_json)


def _print_scales(best: penalty_scale.BestScale, as_json: bool) -> None:
    """Print the best scale, beside round scales and no penalty."""
    if as_json:
        write_json(best.as_dict())
        return
    out = console()
    out.print(headed(best.rules.title, f": scales of the penalty of {best.strategy}"))
    out.print(
        f"Best of {len(best.means)} scales: [bold green]{best.scale:.12g}[/bold green], mean "
        f"{best.mean:.6f}, SD {best.sd:.4f}",
        markup=True,
    )
    out.print(f"No decision changes from {best.low:.6f} to {best.high:.6f}.")
    out.print(
        "Other scales between those tried can be better; neighbors of the best differ by at most "
        f"{100 * penalty_scale.RESOLUTION:g}%.\n"
    )
    table = empty_table(">scale", ">mean")
    rows = {scale: best.means[scale] for scale in penalty_scale.SHOWN}
    for scale, mean in sorted({**rows, best.scale: best.mean}.items()):
        table.add_row(f"{scale:.12g}", f"{mean:.6f}")
    table.add_row("no penalty", f"{best.greedy:.6f}")
    out.print(table)


def _print_options(
    player: strategies.Greedy, position: Position, top: int | None, as_json: bool
) -> None:
    """Print the expected scores of the options of one roll."""
    game = position.rules
    options: list[tuple[float, str, str]] = []
    for action, expected in player.options(position):
        held = action.dice if isinstance(action, Keep) else position.dice
        rolled = tuple((Counter(position.dice) - Counter(held)).elements())
        options.append((expected, format_keep(game, rolled), format_action(game, action)))
    if as_json:
        rows: list[dict[str, Any]] = [
            {"action": action, "reroll": again, "expected": expected}
            for expected, again, action in options[:top]
        ]
        write_json(
            {
                "rules": game.name,
                "strategy": player.name,
                "position": format_position(position),
                "options": rows,
            }
        )
        return

    out = console()
    out.print(headed(game.title, f": {format_position(position)}"))
    best = options[0]
    words = best[2] if best[1] == "-" else f"reroll {best[1]}"
    out.print(
        f"{player.name}: [bold green]{words}[/bold green], expected {best[0]:.4f}\n", markup=True
    )
    table = empty_table("action", "reroll", ">expected")
    for expected, again, words in options[:top]:
        table.add_row(words, again, f"{expected:.4f}")
    out.print(table)
