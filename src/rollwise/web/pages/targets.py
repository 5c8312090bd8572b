"""``/targets``: the highest probability of reaching each score."""

from typing import Any

from fastapi import APIRouter, Response

from rollwise.evaluation.evaluate import Evaluation
from rollwise.web import charts, computations
from rollwise.web.computations import Targets
from rollwise.web.pages.missing import no_such_rules
from rollwise.web.progress import answer
from rollwise.web.rendering import render
from rollwise.web.solved_games import SolvedGames

STEPS, MOST_ROWS = (1, 5, 10, 25), 40
"""Of the table: the smallest step between targets that needs no more rows."""


def add(pages: APIRouter, games: SolvedGames) -> None:
    """Add the page."""

    @pages.get("/targets")
    async def targets(rules: str = games.default, solve: bool = False) -> Response:
        if rules not in games.rules:
            return no_such_rules(games, rules, "/targets")
        game, computing = games.rules[rules], games.computing
        content: dict[str, Any] = {
            "section": "/targets",
            "titles": games.all_titles(),
            "rules": rules,
        }
        if not (solve or computing.has(computations.targets, game)):
            return render("targets", asked=False, **content)

        async def results() -> dict[str, Any]:
            return _describe(
                await computing.minutes(computations.targets, game),
                await computing.minutes(computations.distribution, "optimal", game, False),
            )

        return await answer("targets", results(), asked=True, **content)


def _describe(best: Targets, best_on_average: Evaluation) -> dict[str, Any]:
    distribution = best_on_average.distribution
    high = int(distribution.quantile(0.9999))
    step = next((step for step in STEPS if high // step <= MOST_ROWS), STEPS[-1])
    highest = {t: 100 * float(best[t - 1]) for t in range(1, high + 1)}
    usual = {t: 100 * distribution.at_least(t) for t in range(1, high + 1)}
    return {
        "reach": charts.steps(
            "Probability of reaching each score: the highest possible, and with the best average",
            "Target score",
            {"Highest possible": list(highest.items()), "Best average": list(usual.items())},
            ends_at_number=True,
        ),
        "rows": [
            (str(t), f"{highest[t]:.4f}", f"{usual[t]:.4f}") for t in range(step, high + 1, step)
        ],
    }
