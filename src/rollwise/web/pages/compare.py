"""``/compare``: several strategies for one game, side by side."""

from collections.abc import Sequence
from math import hypot
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from fastapi.responses import RedirectResponse

from rollwise.evaluation.evaluate import Evaluation
from rollwise.playing.opponents import OPPONENTS, opponent_label, opponent_labels
from rollwise.questions.size_limits import PLAYERS
from rollwise.reviews.sample_size import games_to_tell_apart
from rollwise.web import charts, computations
from rollwise.web.pages.missing import no_such_rules, no_such_strategy
from rollwise.web.pages.statistics import TIES
from rollwise.web.progress import answer
from rollwise.web.rendering import address
from rollwise.web.solved_games import SolvedGames

FIRST = "optimal,greedy,random"
MOST = 5

HEADINGS = ("Strategy", "Mean", "SD", "Median", "% ≥ 200", "% ≥ 250", "% ≥ 300", "Games needed")


def add(pages: APIRouter, games: SolvedGames) -> None:
    """Add the page."""

    @pages.get("/compare")
    async def compare(
        strategies: Annotated[list[str], Query()] = [FIRST],  # noqa: B006
        rules: str = games.default,
        ties: str = "more-dice",
    ) -> Response:
        if rules not in games.rules:
            return no_such_rules(games, rules, "/compare")
        if len(strategies) > 1:  # from the boxes of the form
            query = {"rules": rules, "ties": ties, "strategies": ",".join(strategies)}
            return RedirectResponse(address("/compare", **query), 303)
        names = list(dict.fromkeys(filter(None, strategies[0].split(","))))[:MOST] or ["optimal"]
        for name in names:
            if name not in PLAYERS:
                return no_such_strategy(name, "/compare", "strategies", rules=rules)
        game, fewer = games.rules[rules], ties == "fewer-dice"

        async def results() -> dict[str, Any]:
            return _describe(
                *[
                    await games.computing.minutes(computations.distribution, name, game, fewer)
                    for name in names
                ]
            )

        return await answer(
            "compare",
            results(),
            section="/compare",
            titles=games.all_titles(),
            rules=rules,
            players=opponent_labels(PLAYERS),
            opponents=OPPONENTS,
            names=names,
            most=MOST,
            all_ties=TIES,
            ties=ties,
        )


def _describe(*evaluations: Evaluation) -> dict[str, Any]:
    return {
        "evaluations": evaluations,
        "first": opponent_label(evaluations[0].strategy),
        "headings": HEADINGS,
        "rows": [_row(evaluation, evaluations) for evaluation in evaluations],
        "left_out": charts.LEFT_OUT,
        "scores": charts.distributions(evaluations),
        "reach": charts.distributions(evaluations, reach=True),
    }


def _row(evaluation: Evaluation, evaluations: Sequence[Evaluation]) -> tuple[str, ...]:
    distribution, first = evaluation.distribution, evaluations[0].distribution
    games = games_to_tell_apart(first.mean - distribution.mean, hypot(first.sd, distribution.sd))
    return (
        opponent_label(evaluation.strategy),
        f"{distribution.mean:.2f}",
        f"{distribution.sd:.2f}",
        str(distribution.median),
        *(f"{100 * distribution.at_least(score):.2f}" for score in (200, 250, 300)),
        "–" if games is None else f"{games:,}",
    )
