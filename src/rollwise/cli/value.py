"""``rollwise value``: what a card is worth before the roll."""

from rollwise.cli import flags
from rollwise.cli.common import console, headed, solved_with_spread, tell_ties, write_json


def value(
    card: flags.Card = None,
    rules: flags.Rules = "yahtzee",
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Print what a card is worth before the roll: the expected final score of best play, and ±.

    [bold]Examples[/bold]

      rollwise value

      rollwise value --card "ones=3,full-house=25"

      rollwise value --card "ones=3" --rules yatzy --json

    Points so far are included; ± is the standard deviation of the final score. A game of too many
    cards for one table has none.
    """
    from rollwise.game.notation import format_card, parse_card
    from rollwise.game.position import Position
    from rollwise.rules import load_rules
    from rollwise.solving.objectives import EXPECTED
    from rollwise.solving.solution import rule_for_ties

    shown = parse_card(load_rules(rules), card or "")
    game = shown.rules
    some_roll = Position.of(shown, next(game.every_roll()), rolls_left=0)  # none on a full card
    solution = solved_with_spread(EXPECTED, some_roll, quiet=quiet)
    worth, sd = solution.value(shown), solution.sd(shown)
    if as_json:
        told = {"rules": game.name, "card": format_card(shown), "value": worth, "sd": sd}
        write_json(told)
        return
    out, spread = console(), "" if sd is None else f" ± {sd:.4f}"
    out.print(headed(game.title, f": card {format_card(shown)}"))
    out.print(f"{EXPECTED.meaning} {worth:.6f}{spread}")
    if spread:
        tell_ties([rule_for_ties()])
