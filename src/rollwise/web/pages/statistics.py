"""``/statistics``: the exact law of a strategy, its boxes and bonuses."""

import numpy as np
from fastapi import Response
from nicegui import ui
from numpy.typing import NDArray

from rollwise.evaluation.evaluate import COLUMNS, QUANTILES, Evaluation, bands
from rollwise.web import charts, computations
from rollwise.web.elements import (
    TIES_OR_ALL,
    Tag,
    choose_page,
    known_ties,
    page,
    print_tie_rules,
    show_facts,
    table,
)
from rollwise.web.pages.missing import no_such_rules, no_such_strategy
from rollwise.web.progress_view import show_progress
from rollwise.web.size_limits import PLAYERS
from rollwise.web.solved_games import SolvedGames


def add(games: SolvedGames) -> None:
    """Add the page."""

    @ui.page("/statistics", response_timeout=60)
    async def statistics(
        rules: str = "yahtzee", strategy: str = "optimal", ties: str = "more-dice"
    ) -> Response | None:
        if rules not in games.rules:
            return no_such_rules(games, rules, "/statistics")
        if strategy not in PLAYERS:
            return no_such_strategy(strategy, "/statistics", "strategy", rules=rules)
        ties, game = known_ties(ties, TIES_OR_ALL), games.rules[rules]
        with page("Statistics", "/statistics", wide=True):
            shown = {"rules": rules, "strategy": strategy, "ties": ties}
            with Tag("div", classes="fields"):
                choose_page("Rules", games.all_titles(), "/statistics", "rules", **shown)
                players = {name: name for name in PLAYERS}
                choose_page("Strategy", players, "/statistics", "strategy", **shown)
                if strategy == "optimal":
                    choose_page("Ties", TIES_OR_ALL, "/statistics", "ties", **shown)
            fewer = ties == "fewer-dice"
            with Tag("div") as first:
                if strategy == "optimal":  # its mean is known long before its law
                    mean = await show_progress(games.ask, computations.expected, game)
                    show_facts({"mean": f"{mean:.6f}"})
                found = await show_progress(
                    games.ask, computations.distribution, strategy, game, fewer
                )
            first.delete()
            _show(found)
            if strategy == "optimal" and ties == "all":
                _show_spread(*await show_progress(games.ask, computations.sd_range_of_ties, game))
        return None


def _show_spread(least: float, most: float) -> None:
    Tag("h2", "Of all plays equally good")
    show_facts({"least standard deviation": f"{least:.9f}", "most": f"{most:.9f}"})


def _show(evaluation: Evaluation) -> None:
    distribution = evaluation.distribution
    facts = {
        "mean": f"{distribution.mean:.6f}",
        "standard deviation": f"{distribution.sd:.4f}",
        "skewness": f"{distribution.skewness:.3f}",
        "median": str(distribution.median),
        "most frequent": str(distribution.mode),
        "lowest": str(distribution.minimum),
        "highest": str(distribution.maximum),
        "two such players tie": f"{distribution.tie:.4%}",
    }
    show_facts(facts)
    Tag(
        "p",
        "Exact, not simulated: every game there is, with its probability; that of the most "
        f"frequent score is {distribution.probability(distribution.mode):.4%}, of the lowest "
        f"{distribution.probability(distribution.minimum):.3e}, of the highest "
        f"{distribution.probability(distribution.maximum):.3e}.",
        "soft",
    )
    print_tie_rules([evaluation.ties])
    Tag("h2", "Final scores")
    charts.distributions([evaluation])
    with Tag("details"):
        Tag("summary", "In bands of scores")
        words = [band.words for band in bands(distribution)]
        table(("score", "%", "cumulative %"), words, numbers=(0, 1, 2), label="Bands of scores")
    Tag("h2", "Reaching a score")
    charts.distributions([evaluation], reach=True)
    shares = [f"{share:.0%}" for share in QUANTILES]
    table(
        ("quantile", *shares),
        [("score", *(str(distribution.quantile(share)) for share in QUANTILES))],
        numbers=range(1, 10),
        label="Quantiles",
    )
    Tag("h2", "Boxes")
    total = ("Grand total", f"{distribution.mean:.2f}", f"{distribution.sd:.2f}", "", "", "")
    rows = [*evaluation.table(), total]
    table(COLUMNS, rows, numbers=range(1, len(COLUMNS)), label="Boxes")
    if evaluation.bonus_and_alike is not None:
        _show_bonus_and_alike(evaluation.bonus_and_alike)


def _show_bonus_and_alike(games: NDArray[np.float64]) -> None:
    Tag("h2", "Games by upper bonus, and by points in the box of all dice alike")
    rows = [
        (word, f"{scored:.4%}", f"{without:.4%}")
        for word, (without, scored) in zip(
            ("upper bonus", "no upper bonus"), games[::-1].tolist(), strict=True
        )
    ]
    headings = ("games with", "points", "none")
    table(headings, rows, numbers=(1, 2), label="Upper bonus and all dice alike")
