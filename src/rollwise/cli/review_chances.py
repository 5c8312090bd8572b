"""What ``rollwise review --chances`` says: winning chances lost, and where points part."""

from typing import TYPE_CHECKING

from rollwise.cli.common import console, counted, empty_table
from rollwise.cli.progress import progress

if TYPE_CHECKING:
    from rollwise.game.records.record import Record
    from rollwise.reviews.chances import ChanceReview
    from rollwise.reviews.review import Review

NOTABLE = 3
"""So many decisions that lost most of the chance are shown, beside those where points part."""


def chances_of(
    record: "Record", reviews: "list[Review]", *, quiet: bool
) -> "list[list[ChanceReview]]":
    """Return the decisions of two players judged by their chances, with progress on stderr."""
    from rollwise.reviews.chances import review_chances

    with progress(f"chances of {record.rules.name}", quiet) as advance:
        return review_chances(record, reviews, progress=advance)


def print_chances(record: "Record", player: str, decisions: "list[ChanceReview]") -> None:
    """Print what a player lost of the chance to win, and where playing for points is not to."""
    from rollwise.game.notation import format_action, format_dice

    out, rules = console(), record.rules
    all_exact = all(decision.exact for decision in decisions)
    lost = sum(decision.loss for decision in decisions)
    parted = [decision for decision in decisions if decision.parted]
    since = f" from turn {decisions[0].turn} on" if decisions else ""
    out.print(
        f"\n{player}: {_share(lost, all_exact)} of winning lost{since}; points and winning part "
        f"{counted(len(parted), 'time')}"
    )
    dearest = sorted(decisions, key=lambda one: -one.loss)[:NOTABLE]
    shown = [one for one in decisions if one.parted or (one in dearest and one.loss > 0)]
    table = empty_table("turn", "dice", "played", ">chance", ">lost", "to win", "for points")
    for one in shown:
        played, win, points = (
            format_action(rules, option.action) for option in (one.chosen, one.best, one.for_points)
        )
        chance, loss = (_share(share, one.exact) for share in (one.chosen.value, one.loss))
        dice = format_dice(rules, one.dice)
        table.add_row(str(one.turn), dice, played, chance, loss, win, points if one.parted else "")
    if shown:
        out.print(table)


def _share(share: float, exact: bool) -> str:
    """Return a chance in percent; with ``~`` where it is not exact."""
    return f"{'' if exact else '~'}{100 * share:.2f} %"
