"""A game judged, stepped through at the keyboard: dice, options, cards, and where it led."""

from collections.abc import Sequence

from rich.text import Text

from rollwise.game.actions import Keep
from rollwise.game.notation import format_action
from rollwise.playing.session import Tray
from rollwise.reviews.decisions import DecisionReview
from rollwise.reviews.grades import MARKS, because, format_points, sparkline
from rollwise.reviews.review import DecisionStep
from rollwise.solving.option import format_loss
from rollwise.terminal import views
from rollwise.terminal.sheet import sheet
from rollwise.terminal.table import TableApp

BAD = ("mistake", "blunder")


class ReviewApp(TableApp):
    """Every decision of a game, one on a screen.

    Parameters
    ----------
    players : sequence of str
    steps : sequence of DecisionStep
        At least one.
    """

    def __init__(self, players: Sequence[str], steps: Sequence[DecisionStep]) -> None:
        super().__init__()
        self.players, self.steps, self.at = players, steps, 0

    def press(self, key: str) -> None:
        """Go to another step."""
        last = len(self.steps) - 1
        after = [*range(self.at + 1, last + 1), *range(self.at + 1)]
        mistakes = (i for i in after if self.steps[i].decision.verdict in BAD)
        ways = {
            "left": max(self.at - 1, 0),
            "right": min(self.at + 1, last),
            " ": min(self.at + 1, last),
            "home": 0,
            "end": last,
            "m": next(mistakes, self.at),
        }
        self.at = ways.get(key, self.at)
        self.show()

    def show(self) -> None:
        """Show the step at hand."""
        step, one = self.steps[self.at], self.steps[self.at].decision
        rules, position, cards = one.position.rules, one.position, list(step.cards)
        if position.card is not None:
            cards[step.player] = position.card  # as it was when this was decided
        tray, action = Tray().rolled(position.dice), one.chosen.action
        self.lay(
            {
                "headline": self._course(step),
                "stage": self._stage(step),
                "dice": views.dice(
                    rules, tray.hold(action.dice) if isinstance(action, Keep) else tray
                ),
                "advice": views.options(rules, one.options, one.chosen, "played", self.shown),
                "card": sheet(cards, self.players, step.player, position.possible(), self.width),
                "message": _words(one),
                "keys": "← → step · m next mistake · home end · q leave",
            }
        )

    def _course(self, step: DecisionStep) -> Text:
        """Return the value after each decision of this player, and where we are."""
        own = [other for other in self.steps if other.player == step.player]
        blocks = sparkline([other.decision.chosen.value for other in own])
        text = Text(no_wrap=True)
        for block, other in zip(blocks, own, strict=True):
            bad = "bold red" if other.decision.verdict in BAD else "default"
            text.append(block, "reverse" if other is step else bad)
        text.append(f"  {step.decision.chosen.value:.2f}", "bold")
        text.append(f"   {step.decision.position.rules.title}")
        text.truncate(self.width, overflow="ellipsis")
        return text

    def _stage(self, step: DecisionStep) -> Text:
        one, roll = step.decision, step.decision.roll
        who = f", {self.players[step.player]}" if len(self.players) > 1 else ""
        text = Text(f"Turn {one.turn}{who}: roll {one.number}", style="bold", no_wrap=True)
        luck = f"luck {format_points(roll.luck)}{f', {roll.words}' if roll.words else ''}"
        text.append(f"   {luck}   {step.number} of {len(self.steps)}", "not bold")
        text.truncate(self.width, overflow="ellipsis")
        return text


def _words(one: DecisionReview) -> str:
    """Return what the decision lost, and why."""
    rules = one.position.rules
    played, best = (format_action(rules, option.action) for option in (one.chosen, one.best))
    if not one.counted:
        return f"{played}: nothing else would have been better or worse."
    if one.chosen.best:
        return f"{played}: best."
    lost = f"{played} {MARKS[one.verdict]}".rstrip() + f" loses {format_loss(one.chosen)}"
    reasons = because(rules, one.reasons)
    why = f"\nBecause of {reasons}." if reasons else ""
    return f"{lost}; best was {best}.{why}"
