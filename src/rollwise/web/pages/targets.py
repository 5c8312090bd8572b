"""``/targets``: the best probability of reaching each score."""

from fastapi import Response
from nicegui import ui

from rollwise.rules import Rules
from rollwise.web import charts, computations
from rollwise.web.elements import Button, Tag, choose_page, page, table
from rollwise.web.pages.missing import no_such_rules
from rollwise.web.progress_view import show_progress
from rollwise.web.solved_games import SolvedGames

STEPS, MOST_ROWS = (1, 5, 10, 25), 40
"""Of the table: the smallest step between targets that needs no more rows."""

NOTE = (
    "Both exact, one step a target. No single way to play has all of the upper line: each target "
    "asks for its own. Left out are targets that best play on average reaches less than once in "
    "ten thousand games."
)


def add(games: SolvedGames) -> None:
    """Add the page."""

    @ui.page("/targets", response_timeout=120)
    async def targets(rules: str = "yahtzee") -> Response | None:
        if rules not in games.rules:
            return no_such_rules(games, rules, "/targets")
        game = games.rules[rules]
        with page("Targets", "/targets", wide=True):
            with Tag("div", classes="fields"):
                choose_page("Rules", games.all_titles(), "/targets", "rules", rules=rules)
            Tag(
                "p",
                "Who wants 300 points at least plays another game than who wants many on "
                "average. Here is the best probability for every score, beside that of the best "
                "play on average. To solve all of them takes a minute or two for thirteen boxes, "
                "less for a smaller game.",
            )
            _Targets(games, game)
        return None


class _Targets:
    """The answer, once it was asked for."""

    def __init__(self, games: SolvedGames, rules: Rules) -> None:
        self.games, self.rules = games, rules
        self.button = Button("Solve for all targets", self._solve, "primary")
        self.answer = Tag("div", aria_live="polite")
        if games.has_asked(computations.targets, rules):
            ui.timer(0, self._solve, once=True)

    async def _solve(self) -> None:
        self.button.visible = False
        with self.answer:
            best = await show_progress(self.games.ask, computations.targets, self.rules)
            best_on_average = await show_progress(
                self.games.ask, computations.distribution, "optimal", self.rules, False
            )
        distribution = best_on_average.distribution
        high = int(distribution.quantile(0.9999))
        step = next((step for step in STEPS if high // step <= MOST_ROWS), STEPS[-1])
        with self.answer:
            Tag("p", NOTE, "soft")
            charts.steps(
                "Probability of reaching each score, at best and with the best play on average",
                "target",
                {
                    "best for the target": [
                        (t, round(100 * float(best[t - 1]), 4)) for t in range(1, high + 1)
                    ],
                    "best on average": [
                        (t, round(100 * distribution.at_least(t), 4)) for t in range(1, high + 1)
                    ],
                },
                "start",
            )
            rows = [
                (str(t), f"{100 * float(best[t - 1]):.4f}", f"{100 * distribution.at_least(t):.4f}")
                for t in range(step, high + 1, step)
            ]
            table(
                ("target", "best %", "best on average %"), rows, numbers=(0, 1, 2), label="Targets"
            )
