"""``/targets``: the highest probability of reaching each score."""

from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response

from rollwise.evaluation.evaluate import Evaluation
from rollwise.web import charts, computations
from rollwise.web.computations import Targets
from rollwise.web.pages.missing import no_such_rules
from rollwise.web.progress import ProgressStep, answer
from rollwise.web.rendering import render
from rollwise.web.solved_games import SolvedGames

STEPS, MOST_ROWS = (1, 5, 10, 25), 40
"""Of the table: the smallest step between targets that needs no more rows."""


def add(pages: APIRouter, games: SolvedGames) -> None:
    """Add the page."""

    @pages.api_route("/targets", methods=["GET", "POST"])
    async def targets(
        request: Request, rules: str = games.default, solve: bool = False
    ) -> Response:
        if rules not in games.rules:
            return no_such_rules(games, rules, "/targets")
        game = games.rules[rules]
        content: dict[str, Any] = {
            "section": "/targets",
            "titles": games.all_titles(),
            "rules": rules,
        }
        if not (solve or games.has_asked(computations.targets, game)):
            return render("targets", asked=False, **content)
        law = partial(games.ask, computations.distribution, "optimal", game, False)
        steps = [ProgressStep(partial(games.ask, computations.targets, game)), ProgressStep(law)]
        return await answer(request, "targets", steps, _describe, asked=True, **content)


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
