"""``rollwise greedy``: a hand in, which dice to roll again and the expected score out."""

from typing import Annotated, Any

import typer

from rollwise.cli import flags
from rollwise.cli.common import console, empty_table, headed, position_of, write_json
from rollwise.errors import MalformedError


def greedy(
    dice: Annotated[str, typer.Argument(help="The hand, such as 11366.")],
    rolls_left: flags.RollsLeft = None,
    card: flags.Card = None,
    strategy: Annotated[
        str, typer.Option("--strategy", metavar="NAME", help="Which of the greedy strategies.")
    ] = "greedy-step-discounted",
    rules: flags.Rules = "yams",
    top: flags.Top = 8,
    as_json: flags.Json = False,
) -> None:
    """Ask the greedy player of the blog: which dice to roll again, for this turn alone.

    [bold]Examples[/bold]

      rollwise greedy 11366

      rollwise greedy 23456 --rolls-left 1 --card "sixes=18" --rules yams

      rollwise greedy 11366 --strategy greedy --rules yahtzee --json

    greedy-step looks one reroll ahead, as the blog does, greedy all of them; -discounted has the
    blog's penalty for boxes that could score more, greedy-average one by the mean of each box.
    Keeping all dice is scoring at once. Best for the whole game: rollwise advise.
    """
    from collections import Counter

    from rollwise.game.notation import format_action, format_keep, format_position
    from rollwise.game.scorecard import Keep
    from rollwise.rules import load_rules
    from rollwise.strategies import STRATEGIES, Greedy

    player = STRATEGIES[strategy]() if strategy in STRATEGIES else None
    if not isinstance(player, Greedy):
        known = [name for name in STRATEGIES if name.startswith("greedy")]
        raise MalformedError(f"no greedy strategy {strategy!r}: expected one of {', '.join(known)}")
    position = position_of(load_rules(rules), dice, card, rolls_left)
    game = position.rules
    options: list[tuple[float, str, str]] = []
    for action, worth in player.options(position):
        kept = action.dice if isinstance(action, Keep) else position.dice
        rolled = tuple((Counter(position.dice) - Counter(kept)).elements())
        options.append((worth, format_keep(game, rolled), format_action(game, action)))
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

    out = console()
    out.print(headed(game.title, f": {format_position(position)}"))
    best = options[0]
    what = best[2] if best[1] == "-" else f"roll {best[1]} again"
    out.print(
        f"{player.name}: [bold green]{what}[/bold green], expected {best[0]:.4f}\n", markup=True
    )
    table = empty_table("action", "roll again", ">expected")
    for worth, again, what in options[:top]:
        table.add_row(what, again, f"{worth:.4f}")
    out.print(table)
