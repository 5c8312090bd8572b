"""``/compare``: several strategies for one game, side by side."""

from functools import partial

from nicegui import ui

from rollwise.evaluation.evaluate import Evaluation
from rollwise.web import charts
from rollwise.web.computing import PLAYERS
from rollwise.web.elements import Tag, Tick, address, choose_page, page, table
from rollwise.web.jobs import made
from rollwise.web.solved import SolvedGames
from rollwise.web.ties import TIES, known_ties, tell_ties

FIRST = "optimal,greedy,random"
MOST = 5


def add(games: SolvedGames) -> None:
    """Add the page."""

    @ui.page("/compare")
    async def compare(
        rules: str = "yahtzee", strategies: str = FIRST, ties: str = "more-dice"
    ) -> None:
        if rules not in games.rules:
            rules = "yahtzee"
        asked = dict.fromkeys(strategies.split(","))
        ties = known_ties(ties)
        names = [name for name in asked if name in PLAYERS][:MOST] or ["optimal"]
        with page("Compare strategies", "/compare", wide=True):
            _choose(games, rules, names, ties)
            fewer, game = ties == "fewer-dice", games.rules[rules]
            _show(
                [
                    await made(partial(games.evaluation, name, game, fewer_dice=fewer))
                    for name in names
                ]
            )


def _choose(games: SolvedGames, rules: str, names: list[str], ties: str) -> None:
    def tick(name: str, on: bool) -> None:
        chosen = [*names, name] if on else [other for other in names if other != name]
        ui.navigate.to(address("/compare", **shown | {"strategies": ",".join(chosen)}))

    shown = {"rules": rules, "ties": ties, "strategies": ",".join(names)}
    with Tag("div", classes="fields"):
        choose_page("Rules", games.titles(), "/compare", "rules", **shown)
        if "optimal" in names:
            choose_page("Ties", TIES, "/compare", "ties", **shown)
    with Tag("fieldset", classes="ticks"):
        Tag("legend", f"Strategies, up to {MOST}")
        for name in PLAYERS:
            Tick(name, name in names, lambda on, name=name: tick(name, on))  # type: ignore[misc]


def _show(evaluations: list[Evaluation]) -> None:
    rows = []
    for one in evaluations:
        law = one.law
        reach = (f"{100 * law.at_least(score):.2f}" for score in (200, 250, 300))
        rows.append((one.strategy, f"{law.mean:.2f}", f"{law.sd:.2f}", str(law.median), *reach))
    headings = ("strategy", "mean", "sd", "median", "% ≥ 200", "% ≥ 250", "% ≥ 300")
    table(headings, rows, numbers=range(1, 7), label="Strategies")
    tell_ties(one.ties for one in evaluations)
    Tag("h2", "Final scores")
    charts.laws(evaluations)
    Tag("h2", "Reaching a score")
    charts.laws(evaluations, reach=True)
