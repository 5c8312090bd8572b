"""``/statistics``: the exact distribution of a strategy's final score, categories, and bonuses."""

from typing import Any

from fastapi import APIRouter, Response

from rollwise.evaluation.evaluate import COLUMNS, QUANTILES, Evaluation, bands
from rollwise.playing.opponents import opponent_labels
from rollwise.questions.size_limits import PLAYERS
from rollwise.web import charts, computations
from rollwise.web.pages.missing import no_such_rules, no_such_strategy
from rollwise.web.progress import answer
from rollwise.web.solved_games import SolvedGames

TIES = {"more-dice": "Keep more dice", "fewer-dice": "Keep fewer dice"}
"""The choices of optimal play among equally good options."""

SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def add(pages: APIRouter, games: SolvedGames) -> None:
    """Add the page."""

    @pages.get("/statistics")
    async def statistics(
        rules: str = games.default, strategy: str = "optimal", ties: str = "more-dice"
    ) -> Response:
        if rules not in games.rules:
            return no_such_rules(games, rules, "/statistics")
        if strategy not in PLAYERS:
            return no_such_strategy(strategy, "/statistics", "strategy", rules=rules)
        ties, game = ties if ties in TIES else "more-dice", games.rules[rules]

        async def results() -> dict[str, Any]:
            return _describe(
                await games.computing.minutes(
                    computations.distribution, strategy, game, ties == "fewer-dice"
                )
            )

        return await answer(
            "statistics",
            results(),
            section="/statistics",
            titles=games.all_titles(),
            rules=rules,
            players=opponent_labels(PLAYERS),
            strategy=strategy,
            all_ties=TIES,
            ties=ties,
        )


def _describe(evaluation: Evaluation) -> dict[str, Any]:
    distribution = evaluation.distribution
    total = ("Grand total", f"{distribution.mean:.2f}", f"{distribution.sd:.2f}", "", "", "")
    quantiles = [str(distribution.quantile(share)) for share in QUANTILES]
    least, mode = distribution.minimum, distribution.mode
    return {
        "evaluation": evaluation,
        "numbers": {
            "Mean": f"{distribution.mean:.6f}",
            "Standard deviation": f"{distribution.sd:.4f}",
            "Skewness": f"{distribution.skewness:.3f}",
            "Median": str(distribution.median),
            "Most common": str(mode),
            "Lowest": str(least),
            "Highest": str(distribution.maximum),
            "Tie against the same strategy": f"{distribution.tie:.4%}",
        },
        "summary": (
            "Exact, not simulated: every possible game counts with its probability. Probability "
            f"of the most common score: {distribution.probability(mode):.1%}; of the lowest: "
            f"{_rare(distribution.probability(least))}; of the highest: "
            f"{_rare(distribution.probability(distribution.maximum))}."
        ),
        "left_out": charts.LEFT_OUT,
        "scores": charts.distributions([evaluation]),
        "reach": charts.distributions([evaluation], reach=True),
        "bands": [
            (scores, f"{100 * share:.2f}", f"{100 * below:.2f}")
            for scores, share, below in bands(distribution)
        ],
        "quantiles": [
            ("Quantile", *(f"{share:.0%}" for share in QUANTILES)),
            ("Score", *quantiles),
        ],
        "headings": [heading[:1].upper() + heading[1:] for heading in COLUMNS],
        "categories": [*evaluation.table(), total],
        "bonus": _bonus_and_alike(evaluation),
    }


def _rare(probability: float) -> str:
    """Return a small probability in words."""
    if probability >= 0.001:
        return f"{probability:.1%}"
    share, power = f"{probability:.1e}".split("e-")
    return f"{share} in 10{power.lstrip('0').translate(SUPERSCRIPTS)}"


def _bonus_and_alike(evaluation: Evaluation) -> list[tuple[str, str, str]]:
    """Return the probabilities of games with and without the upper bonus and n of a kind."""
    if evaluation.bonus_and_alike is None:
        return []
    games = zip(
        ("Upper bonus", "No upper bonus"), evaluation.bonus_and_alike[::-1].tolist(), strict=True
    )
    return [(word, f"{scored:.4%}", f"{without:.4%}") for word, (without, scored) in games]
