"""``/proficiency``: how well somebody plays, over all games that are kept."""

import datetime
from collections.abc import Mapping

from fastapi import Response
from fastapi.responses import JSONResponse
from nicegui import app, ui

from rollwise.history import DecisionGroup, Proficiency, Rival, SavedGame, people, rivals, streaks
from rollwise.history import proficiency as proficiency_of
from rollwise.web import charts
from rollwise.web.elements import Link, Tag, address, choose_page, page, show_facts, table
from rollwise.web.owners import Owner, owner_of_page
from rollwise.web.pages.missing import no_such_rules
from rollwise.web.solved_games import SolvedGames

EXPLANATION = (
    "The luck-adjusted score is what ordinary luck would bring: the value at the start less what "
    "was lost. A few games tell it well; ± is its standard error."
)

HEAD_TO_HEAD = (
    "Of the last games kept. ± is the standard error; games to tell: after so many games such a "
    "difference would be 1.96 standard errors, and hardly chance."
)

RECENT = 200
"""Games in which opponents and days are looked for."""


def add(games: SolvedGames) -> None:
    """Add the page."""

    @app.get("/history.json")
    async def export(owner: Owner) -> JSONResponse:
        headers = {"Content-Disposition": 'attachment; filename="rollwise-history.json"'}
        return JSONResponse(await games.read(games.history.of(owner).export), headers=headers)

    @ui.page("/proficiency", response_timeout=60)
    async def proficiency(rules: str = "yahtzee", name: str = "") -> Response | None:
        history = games.history.of(owner_of_page())
        names = await games.read(people, history, rules)
        found = await games.read(proficiency_of, history, rules, name or None)
        if found is None and rules not in games.all_titles():
            return no_such_rules(games, rules, "/proficiency")
        whose = name or (names[0] if len(names) == 1 else "")
        played = await games.read(history.games, RECENT) if whose else []
        with page("Proficiency", "/proficiency", wide=True):
            with Tag("div", classes="fields"):
                choose_page("Rules", games.all_titles(), "/proficiency", "rules", rules=rules)
                players = {"": "everybody", **{n: n for n in names}}
                choose_page("Player", players, "/proficiency", "name", rules=rules, name=name)
            if found is None:
                Tag("p", "No finished game of these rules yet. Play one, and here stands how well.")
                with Tag("p"):
                    Link("Play a game", "/", "button primary")
            else:
                readable = [game for game in played if isinstance(game, SavedGame)]
                game = games.rules.get(rules) or games.large.get(rules)
                titles = {box.key: box.title for box in game.categories} if game else {}
                _show(found, rules, name, _days(readable, whose), titles)
                _head_to_head(rivals(readable, rules, whose))
        return None


def _days(played: list[SavedGame], name: str) -> dict[str, str]:
    """Return how many days in a row somebody finished games, of any rules."""
    days = [
        game.saved_at.date()
        for game in played
        if game.record.is_over and name in game.record.players
    ]
    row, longest = streaks(days, datetime.date.today())
    return {"days in a row": f"{row} (at most {longest})"} if days else {}


def _head_to_head(found: list[Rival]) -> None:
    """Show how somebody fared against each opponent."""
    if found:
        Tag("h2", "Head to head")
        headings = ("against", "won", "tied", "lost", "points more a game", "games to tell")
        rows = [rival.words() for rival in found]
        table(headings, rows, numbers=range(1, 6), label="Head to head")
        Tag("p", HEAD_TO_HEAD, "soft")


def _show(
    found: Proficiency, rules: str, name: str, days: dict[str, str], titles: Mapping[str, str]
) -> None:
    facts = {
        "games": str(found.games),
        "luck-adjusted score": str(found.luck_adjusted),
        "score": str(found.score),
        "best play": f"{found.best_play:.2f}",
        "mean loss a decision": f"{found.mean_loss:.3f}",
        **days,
    }
    show_facts(facts)
    Tag("p", EXPLANATION, "soft")
    with Tag("p", classes="links"):
        Link("Practise on these mistakes", address("/practice", rules=rules, name=name), "button")
        Link("Export all games", "/history.json")
    Tag("h2", "Mean loss a decision, game by game")
    charts.trend(found)
    Tag("h2", "Decisions by class")
    charts.bars("Decisions by class", {k: float(v) for k, v in found.tally.items()}, "decisions")
    _groups("By turn", "turn", found.by_turn)
    _groups("By the box that was scored", "box", found.by_category, titles)


def _groups(
    title: str, first: str, groups: list[DecisionGroup], titles: Mapping[str, str] | None = None
) -> None:
    Tag("h2", title)
    told = [group.words() for group in groups]
    rows = [((titles or {}).get(name, name), *numbers) for name, *numbers in told]
    table((first, "decisions", "mean loss", "% of all loss"), rows, numbers=(1, 2, 3), label=title)
