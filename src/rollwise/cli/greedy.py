"""``rollwise greedy``: a hand in, which dice to roll again and the expected score out."""

from typing import Annotated, Any

import typer

from rollwise.cli.common import JsonOption, RulesOption, console, headed, write_json
from rollwise.errors import MalformedError


def greedy(
    dice: Annotated[str, typer.Argument(help="The hand, such as 11366.")],
    rolls_left: Annotated[
        int | None,
        typer.Option("--rolls-left", metavar="N", help="Rerolls left; all but the first roll."),
    ] = None,
    card: Annotated[
        str | None, typer.Option("--card", metavar="CARD", help="Filled boxes with their points.")
    ] = None,
    strategy: Annotated[
        str, typer.Option("--strategy", metavar="NAME", help="Which of the greedy strategies.")
    ] = "greedy-step-discounted",
    rules: RulesOption = "yams",
    top: Annotated[
        int, typer.Option("--top", metavar="N", min=1, help="Only the N best options.")
    ] = 8,
    as_json: JsonOption = False,
) -> None:
    """Ask the greedy player of the blog: which dice to roll again, for this turn alone.

    [bold]Examples[/bold]

      rollwise greedy 11366

      rollwise greedy 23456 --rolls-left 1 --card "six=18" --rules yams

      rollwise greedy 11366 --strategy greedy --rules yahtzee --json

    greedy-step looks one reroll ahead, as the blog does, greedy all of them; -discounted has the
    blog's penalty for boxes that could score more, greedy-average one by the mean of each box.
    Keeping all dice is scoring at once. Best for the whole game: rollwise advise.
    """
    from collections import Counter

    from rollwise.game.notation import format_keep, format_position
    from rollwise.game.scorecard import legal_keeps
    from rollwise.model.arrays import build
    from rollwise.rules import load_rules
    from rollwise.solving.advice import position_of
    from rollwise.strategies import STRATEGIES, Greedy

    player = STRATEGIES[strategy]() if strategy in STRATEGIES else None
    if not isinstance(player, Greedy):
        known = [name for name in STRATEGIES if name.startswith("greedy")]
        raise MalformedError(f"no greedy strategy {strategy!r}: expected one of {', '.join(known)}")
    position = position_of(load_rules(rules), dice, card, rolls_left)
    game, model = position.rules, build(position.rules)
    c = model.class_of(position.state.filled, position.state.armed)
    roll = model.lattice.point(position.dice) - model.lattice.first_roll
    now = player.worths(model, c)[model.end_of_turn(roll, position.rolls_left)]
    box = int(now.argmax())
    options: list[tuple[float, str, str]] = [(float(now[box]), "-", f"score {game.keys[box]}")]
    if position.rolls_left:
        worth_P = player.keep_worths(model, c, position.rolls_left)
        for keep in legal_keeps(position.dice):
            again = tuple(sorted((Counter(position.dice) - Counter(keep)).elements()))
            if again:
                worth = float(worth_P[model.lattice.point(keep)])
                options.append((worth, format_keep(game, again), f"keep {format_keep(game, keep)}"))
    options.sort(key=lambda option: -option[0])
    if as_json:
        rows: list[dict[str, Any]] = [
            {"action": action, "reroll": again, "expected": worth}
            for worth, again, action in options[:top]
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
    from rich.table import Table

    out = console()
    out.print(headed(game.title, f": {format_position(position)}"))
    best = options[0]
    what = best[2] if best[1] == "-" else f"roll {best[1]} again"
    out.print(
        f"{player.name}: [bold green]{what}[/bold green], expected {best[0]:.4f}\n", markup=True
    )
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("action")
    table.add_column("roll again")
    table.add_column("expected", justify="right")
    for worth, rolled, action in options[:top]:
        table.add_row(action, rolled, f"{worth:.4f}")
    out.print(table)
