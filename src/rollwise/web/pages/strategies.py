"""``/strategies``: the exact distribution of the final score with one strategy or with several."""

from collections.abc import Mapping
from math import hypot
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from rollwise.distribution import Distribution
from rollwise.evaluation.evaluate import COLUMNS, QUANTILES, Evaluation, bands
from rollwise.playing.opponents import OPPONENTS, opponent_name
from rollwise.questions.size_limits import PLAYERS
from rollwise.reviews.sample_size import games_to_tell_apart
from rollwise.web import charts, computations
from rollwise.web.computing import BusyError, FailedError
from rollwise.web.pages.missing import no_such_rules, no_such_strategy
from rollwise.web.progress import begun
from rollwise.web.rendering import render, sentence
from rollwise.web.solved_games import SolvedGames

NAMED = [name for name in OPPONENTS if name in PLAYERS]
"""The strategies of the form. The score of the others with a name depends on the opponent."""

MOST = 5
"""The maximum number of strategies."""

MOST_STEPS = 40
"""The maximum number of steps between the scores in the table of targets."""

SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def add(pages: APIRouter, games: SolvedGames) -> None:
    """Add the page."""

    @pages.get("/strategies")
    async def strategies(
        rules: str = games.default,
        strategy: Annotated[tuple[str, ...], Query()] = ("optimal",),
        highest: bool = False,
    ) -> Response:
        if rules not in games.rules:
            return no_such_rules(games, rules, "/strategies")
        names = list(dict.fromkeys(filter(None, strategy)))[:MOST] or ["optimal"]
        for name in names:
            if name not in PLAYERS:
                return no_such_strategy(name, rules)
        game, computing = games.rules[rules], games.computing

        async def evaluated(names: list[str]) -> list[Evaluation]:
            return [
                await computing.minutes(computations.distribution, name, game) for name in names
            ]

        evaluations, job = await begun(evaluated(names))
        if evaluations is None:
            known = [name for name in names if computing.has(computations.distribution, name, game)]
            evaluations = await evaluated(known)
        best, trouble = None, ""
        if not job and (highest or computing.has(computations.targets, game)):
            try:
                best, job = await begun(computing.minutes(computations.targets, game))
            except BusyError as error:
                job = sentence(str(error))
            except FailedError as error:
                trouble = sentence(str(error))
        return render(
            "strategies",
            section="/strategies",
            titles=games.all_titles(),
            rules=rules,
            boxes={name: opponent_name(name) for name in dict.fromkeys([*NAMED, *names])},
            names=names,
            most=MOST,
            highest=highest,
            job=job,
            trouble=trouble,
            results=evaluations and _results(evaluations, best),
        )


def _results(evaluations: list[Evaluation], best: Distribution | None) -> dict[str, Any]:
    scores = {opponent_name(result.strategy): result.distribution for result in evaluations}
    reach = scores if best is None else scores | {"Highest possible": best}
    return {
        "ties": [result.ties for result in evaluations],
        "left_out": charts.LEFT_OUT,
        "scores": charts.distributions(scores),
        "reach": charts.distributions(reach, reach=True),
        "is_highest": best is not None,
        "targets": _targets(reach),
        "number": len(scores),
        **(_comparison(scores) if len(scores) > 1 else _statistics(evaluations[0])),
    }


def _targets(by_name: Mapping[str, Distribution]) -> dict[str, Any]:
    """Return the table of the probabilities of reaching round scores."""
    low = min(distribution.quantile(charts.RARE) for distribution in by_name.values())
    high = max(distribution.quantile(1 - charts.RARE) for distribution in by_name.values())
    step = _round_step((high - low) / MOST_STEPS)
    return {
        "headings": ("% ≥", *by_name),
        "rows": [
            (score, *(_percent(scores.at_least(score)) for scores in by_name.values()))
            for score in range(low // step * step, high + 1, step)
        ],
    }


def _percent(probability: float) -> str:
    return f"{100 * probability:.2f}"


def _comparison(by_name: Mapping[str, Distribution]) -> dict[str, Any]:
    name, first = next(iter(by_name.items()))
    numbers = [
        {
            "Mean": f"{distribution.mean:.2f}",
            "SD": f"{distribution.sd:.2f}",
            "Median": distribution.median,
            **{f"% ≥ {s}": _percent(distribution.at_least(s)) for s in _round_scores(first)},
            "Games needed": _games_needed(first, distribution),
        }
        for distribution in by_name.values()
    ]
    return {
        "first": name,
        "headings": ("Final score", *by_name),
        "rows": [(heading, *(of[heading] for of in numbers)) for heading in numbers[0]],
    }


def _round_scores(distribution: Distribution) -> list[int]:
    """Return three round scores: one near the median, one below, and one above."""
    spread = distribution.quantile(0.9) - distribution.quantile(0.1)
    step = _round_step(spread / 5)
    middle = round(distribution.median / step) * step
    return [middle - step, middle, middle + step]


def _round_step(least: float) -> int:
    return round(charts.round_step(max(least, 1)))


def _games_needed(first: Distribution, other: Distribution) -> str:
    games = games_to_tell_apart(first.mean - other.mean, hypot(first.sd, other.sd))
    return "–" if games is None else f"{games:,}"


def _statistics(evaluation: Evaluation) -> dict[str, Any]:
    distribution = evaluation.distribution
    least, mode, most = distribution.minimum, distribution.mode, distribution.maximum
    total = ("Grand total", f"{distribution.mean:.2f}", f"{distribution.sd:.2f}", "", "", "")
    return {
        "mean": f"{distribution.mean:.2f}",
        "numbers": {
            "Mean": f"{distribution.mean:.6f}",
            "Standard deviation": f"{distribution.sd:.4f}",
            "Skewness": f"{distribution.skewness:.3f}",
            "Median": distribution.median,
            "Most common": mode,
            "Lowest": least,
            "Highest": most,
            "Tie against the same strategy": f"{distribution.tie:.4%}",
        },
        "summary": (
            "Exact, not simulated: every possible game counts with its probability. Probability "
            f"of the most common score: {distribution.probability(mode):.1%}; of the lowest: "
            f"{_rare(distribution.probability(least))}; of the highest: "
            f"{_rare(distribution.probability(most))}."
        ),
        "bands": [
            (scores, _percent(share), _percent(below))
            for scores, share, below in bands(distribution)
        ],
        "quantiles": [
            ("Quantile", *(f"{share:.0%}" for share in QUANTILES)),
            ("Score", *map(distribution.quantile, QUANTILES)),
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


def _bonus_and_alike(evaluation: Evaluation) -> list[tuple[str, ...]]:
    """Return the probabilities of games with and without the upper bonus and n of a kind."""
    if evaluation.bonus_and_alike is None:
        return []
    (none, alike), (bonus, both) = evaluation.bonus_and_alike.tolist()
    return [
        ("Upper bonus", f"{both:.4%}", f"{bonus:.4%}"),
        ("No upper bonus", f"{alike:.4%}", f"{none:.4%}"),
    ]
