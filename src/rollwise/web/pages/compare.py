"""``/compare``: several strategies for one game, side by side."""

from math import hypot

from fastapi import Response
from nicegui import ui

from rollwise.evaluation.evaluate import Evaluation
from rollwise.reviews.sample_size import games_to_tell_apart
from rollwise.web import charts, computations
from rollwise.web.elements import (
    TIES,
    Tag,
    Tick,
    address,
    choose_page,
    known_ties,
    page,
    print_tie_rules,
    table,
)
from rollwise.web.pages.missing import no_such_rules, no_such_strategy
from rollwise.web.progress_view import show_progress
from rollwise.web.size_limits import PLAYERS
from rollwise.web.solved_games import SolvedGames

FIRST = "optimal,greedy,random"
MOST = 5


def add(games: SolvedGames) -> None:
    """Add the page."""

    @ui.page("/compare", response_timeout=60)
    async def compare(
        rules: str = "yahtzee", strategies: str = FIRST, ties: str = "more-dice"
    ) -> Response | None:
        if rules not in games.rules:
            return no_such_rules(games, rules, "/compare")
        names = list(dict.fromkeys(filter(None, strategies.split(","))))[:MOST] or ["optimal"]
        for name in names:
            if name not in PLAYERS:
                return no_such_strategy(name, "/compare", "strategies", rules=rules)
        ties = known_ties(ties)
        with page("Compare strategies", "/compare", wide=True):
            _choose(games, rules, names, ties)
            fewer, game = ties == "fewer-dice", games.rules[rules]
            _show(
                [
                    await show_progress(games.ask, computations.distribution, name, game, fewer)
                    for name in names
                ]
            )
        return None


def _choose(games: SolvedGames, rules: str, names: list[str], ties: str) -> None:
    def tick(name: str, on: bool) -> None:
        chosen = [*names, name] if on else [other for other in names if other != name]
        ui.navigate.to(address("/compare", **shown | {"strategies": ",".join(chosen)}))

    shown = {"rules": rules, "ties": ties, "strategies": ",".join(names)}
    with Tag("div", classes="fields"):
        choose_page("Rules", games.all_titles(), "/compare", "rules", **shown)
        if "optimal" in names:
            choose_page("Ties", TIES, "/compare", "ties", **shown)
    with Tag("fieldset", classes="ticks"):
        Tag("legend", f"Strategies, up to {MOST}")
        for name in PLAYERS:
            Tick(name, name in names, lambda on, name=name: tick(name, on))  # type: ignore[misc]


def _show(evaluations: list[Evaluation]) -> None:
    rows, first = [], evaluations[0].distribution
    for one in evaluations:
        distribution = one.distribution
        reach = (f"{100 * distribution.at_least(score):.2f}" for score in (200, 250, 300))
        games = games_to_tell_apart(
            first.mean - distribution.mean, hypot(first.sd, distribution.sd)
        )
        told = "–" if games is None else f"{games:,}"
        mean, sd, median = (
            f"{distribution.mean:.2f}",
            f"{distribution.sd:.2f}",
            str(distribution.median),
        )
        rows.append((one.strategy, mean, sd, median, *reach, told))
    headings = ("strategy", "mean", "sd", "median", "% ≥ 200", "% ≥ 250", "% ≥ 300", "games")
    table(headings, rows, numbers=range(1, 8), label="Strategies")
    Tag(
        "p",
        "Games: so many games against each other it takes until scores alone tell a strategy from "
        f"{evaluations[0].strategy}, that is until the mean difference is 1.96 standard errors.",
        "soft",
    )
    print_tie_rules(one.ties for one in evaluations)
    Tag("h2", "Final scores")
    charts.distributions(evaluations)
    Tag("h2", "Reaching a score")
    charts.distributions(evaluations, reach=True)
