"""The review of a game in the terminal, decision by decision."""

from collections.abc import Collection, Sequence

from rich.text import Text

from rollwise.game.actions import Keep
from rollwise.game.notation import format_action
from rollwise.playing.session import HeldDice
from rollwise.reviews.decision_review import DecisionReview
from rollwise.reviews.grades import because, format_points, sparkline
from rollwise.reviews.review import DecisionStep
from rollwise.solving.option import format_loss
from rollwise.terminal import views
from rollwise.terminal.scorecard import scorecard
from rollwise.terminal.screen import ScreenApp

BAD = ("mistake", "blunder")


class ReviewPages:
    """The decisions of a game, one per page.

    Parameters
    ----------
    players : sequence of str
    steps : sequence of DecisionStep
        The decisions to show. There must be at least one.
    bots : collection of str
        The names of the computer opponents, whose mistakes the key m skips.
    """

    def __init__(
        self, players: Sequence[str], steps: Sequence[DecisionStep], bots: Collection[str] = ()
    ) -> None:
        self.players, self.steps, self.bots, self.at = players, steps, bots, 0

    def press(self, key: str) -> None:
        """Go to the decision that the key selects."""
        last = len(self.steps) - 1
        after = [*range(self.at + 1, last + 1), *range(self.at + 1)]
        mistakes = (
            i
            for i in after
            if self.steps[i].decision.verdict in BAD
            and self.players[self.steps[i].player] not in self.bots
        )
        ways = {
            "left": max(self.at - 1, 0),
            "right": min(self.at + 1, last),
            " ": min(self.at + 1, last),
            "home": 0,
            "end": last,
            "m": next(mistakes, self.at),
        }
        self.at = ways.get(key, self.at)

    def show_on(self, screen: ScreenApp, leaving: str = "quit") -> None:
        """Display the current decision; the key q means ``leaving``."""
        step, decision = self.steps[self.at], self.steps[self.at].decision
        rules, position, cards = decision.position.rules, decision.position, list(step.cards)
        cards[step.player] = position.card  # the scorecard before this decision
        tray, action = HeldDice().rolled(position.dice), decision.chosen.action
        tray = tray.hold(action.dice) if isinstance(action, Keep) else tray
        width, short = screen.width, screen.short
        screen.lay(
            {
                "headline": self._course(step, width),
                "stage": self._stage(step, width),
                "dice": views.dice(rules, tray, width, short=short),
                "advice": views.options(
                    position,
                    decision.options,
                    screen.shown,
                    marked=decision.chosen,
                    mark="played",
                    points=False,
                    width=screen.beside,
                ),
                "card": scorecard(
                    cards, self.players, step.player, position.possible(), width, short=short
                ),
                "message": _words(decision),
                "keys": views.fitting(
                    f"← → step · m next mistake · home end · q {leaving}", width, 1
                ),
            }
        )

    def _course(self, step: DecisionStep, width: int) -> Text:
        """Return a sparkline of the values after the player's decisions; mark the current one."""
        decisions = [shown_step for shown_step in self.steps if shown_step.player == step.player]
        blocks = sparkline([shown_step.decision.chosen.value for shown_step in decisions])
        text = Text(no_wrap=True)
        for block, shown_step in zip(blocks, decisions, strict=True):
            bad = "bold red" if shown_step.decision.verdict in BAD else "default"
            text.append(block, "reverse" if shown_step is step else bad)
        text.append(f"  {step.decision.chosen.value:.2f}", "bold")
        text.append(f"   {step.decision.position.rules.title}")
        text.truncate(width, overflow="ellipsis")
        return text

    def _stage(self, step: DecisionStep, width: int) -> Text:
        decision, roll = step.decision, step.decision.roll
        who = f", {self.players[step.player]}" if len(self.players) > 1 else ""
        text = Text(
            f"Turn {decision.turn}{who}: roll {decision.number}", style="bold", no_wrap=True
        )
        luck = f"luck {format_points(roll.luck)}{f', {roll.words}' if roll.words else ''}"
        text.append(f"   {luck}   {step.number} of {len(self.steps)}", "not bold")
        text.truncate(width, overflow="ellipsis")
        return text


class ReviewApp(ScreenApp):
    """The app that only shows a review."""

    def __init__(self, pages: ReviewPages) -> None:
        super().__init__()
        self.pages = pages

    def press(self, key: str) -> None:
        """Go to the decision that the key selects."""
        self.pages.press(key)
        self.show()

    def show(self) -> None:
        """Display the current decision."""
        self.pages.show_on(self)


def _words(decision: DecisionReview) -> str:
    """Return the EV loss of the decision and its reasons in words."""
    rules = decision.position.rules
    played, best = (
        format_action(rules, option.action) for option in (decision.chosen, decision.best)
    )
    if not decision.counted:
        return f"{played}: all options were equally good."
    if decision.chosen.best:
        return f"{played}: best."
    chosen = f"{played} loses {format_loss(decision.chosen)} ({decision.verdict})"
    reasons = because(rules, decision.reasons)
    why = f"\nThe best option gains: {reasons}." if reasons else ""
    return f"{chosen}. Best: {best}.{why}"
