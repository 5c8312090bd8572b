"""``/proficiency``: how well somebody plays, over all games that are kept."""

import datetime
from collections.abc import Mapping

from fastapi import Response
from fastapi.responses import JSONResponse
from nicegui import app, ui

from rollwise.history import (
    DecisionGroup,
    Rating,
    Rival,
    SavedGame,
    people,
    rate_player,
    rivals,
    streaks,
)
from rollwise.web import charts
from rollwise.web.elements import Link, Tag, address, choose_page, page, show_facts, table
from rollwise.web.owners import Owner, owner_of_page
from rollwise.web.pages.missing import no_such_rules
from rollwise.web.solved_games import SolvedGames

EXPLANATION = (
    "The luck-adjusted score is the score with average luck: the expected score at the start minus "
    "the points lost through choices. A few games are enough to estimate it; ± is the standard "
    "error."
)

HEAD_TO_HEAD = (
    "The most recent games. ± is the standard error. “Games needed” is the number of games after "
    "which this difference would be 1.96 standard errors, so hardly luck."
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
        found = await games.read(rate_player, history, rules, name or None)
        if found is None and rules not in games.all_titles():
            return no_such_rules(games, rules, "/proficiency")
        whose = name or (names[0] if len(names) == 1 else "")
        played = await games.read(history.games, RECENT) if whose else []
        with page("Your rating", "/proficiency", wide=True):
            with Tag("div", classes="fields"):
                choose_page("Rules", games.all_titles(), "/proficiency", "rules", rules=rules)
                players = {"": "Everyone", **{n: n for n in names}}
                choose_page("Player", players, "/proficiency", "name", rules=rules, name=name)
            if found is None:
                Tag(
                    "p",
                    "You have not finished a game with these rules yet. Play one to see your "
                    "rating.",
                )
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
    return {"Streak": f"{row} {'day' if row == 1 else 'days'} (best {longest})"} if days else {}


def _head_to_head(found: list[Rival]) -> None:
    """Show how somebody fared against each opponent."""
    if found:
        Tag("h2", "Head to head")
        headings = ("Opponent", "Won", "Tied", "Lost", "Points per game", "Games needed")
        rows = [rival.words() for rival in found]
        table(headings, rows, numbers=range(1, 6), label="Head to head")
        Tag("p", HEAD_TO_HEAD, "soft")


def _show(
    found: Rating, rules: str, name: str, days: dict[str, str], titles: Mapping[str, str]
) -> None:
    facts = {
        "Games": str(found.games),
        "Luck-adjusted score": str(found.luck_adjusted),
        "Score": str(found.score),
        "Optimal play": f"{found.best_play:.2f}",
        "Average loss per choice": f"{found.mean_loss:.3f}",
        **days,
    }
    show_facts(facts)
    Tag("p", EXPLANATION, "soft")
    with Tag("p", classes="links"):
        Link("Practice these mistakes", address("/practice", rules=rules, name=name), "button")
        Link("Export all games", "/history.json")
    Tag("h2", "Average loss per choice, by game")
    charts.trend(found)
    Tag("h2", "Choices by grade")
    charts.bars("Choices by grade", {k: float(v) for k, v in found.tally.items()}, "Choices")
    _groups("By turn", "Turn", found.by_turn)
    _groups("By the category that was scored", "Category", found.by_category, titles)


def _groups(
    title: str, first: str, groups: list[DecisionGroup], titles: Mapping[str, str] | None = None
) -> None:
    Tag("h2", title)
    told = [group.words() for group in groups]
    rows = [((titles or {}).get(name, name), *numbers) for name, *numbers in told]
    table(
        (first, "Choices", "Average loss", "% of total loss"), rows, numbers=(1, 2, 3), label=title
    )
