"""``/rating``: the rating of a player, from all saved games."""

import datetime
from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Response
from fastapi.responses import PlainTextResponse

from rollwise.history import (
    DecisionGroup,
    Rating,
    SavedGame,
    people,
    rate_player,
    rivals,
    streaks,
    transfer,
)
from rollwise.web import charts
from rollwise.web.owners import Owner
from rollwise.web.pages.missing import no_such_rules
from rollwise.web.rendering import render
from rollwise.web.solved_games import SolvedGames

RECENT = 200
"""The number of games in which opponents and days are looked for."""


def add(pages: APIRouter, games: SolvedGames) -> None:
    """Add the page."""

    @pages.get("/history.jsonl")
    async def export(owner: Owner) -> PlainTextResponse:
        lines = await games.read(lambda: list(transfer.export(games.history.of(owner))))
        headers = {"Content-Disposition": 'attachment; filename="rollwise-history.jsonl"'}
        content = "".join(f"{line}\n" for line in lines)
        return PlainTextResponse(content, headers=headers, media_type="application/jsonl")

    @pages.get("/rating")
    async def rating(owner: Owner, rules: str = games.default, name: str = "") -> Response:
        history = games.history.of(owner)
        names = await games.read(people, history, rules)
        rating = await games.read(rate_player, history, rules, name or None)
        if rating is None and rules not in games.all_titles():
            return no_such_rules(games, rules, "/rating")
        player = name or (names[0] if len(names) == 1 else "")
        recent = await games.read(history.games, RECENT) if player else []
        readable = [saved for saved in recent if not saved.reason]
        game = games.rules.get(rules) or games.large.get(rules)
        titles = {box.key: box.title for box in game.categories} if game else {}
        return render(
            "rating",
            section="/rating",
            titles=games.all_titles(),
            rules=rules,
            players={"": "Everyone", **{n: n for n in names}},
            name=name,
            rating=rating,
            rivals=[rival.words() for rival in rivals(readable, rules, player)],
            **({} if rating is None else _describe(rating, titles, _streak(readable, player))),
        )


def _streak(games: list[SavedGame], name: str) -> dict[str, str]:
    """Return the number of consecutive days on which a player finished games, of any rules."""
    days = [
        saved.saved_at.date()
        for saved in games
        if saved.saved_at and saved.game.is_over and name in saved.game.players
    ]
    row, longest = streaks(days, datetime.date.today())
    return {"Streak": f"{row} {'day' if row == 1 else 'days'} (best {longest})"} if days else {}


def _describe(rating: Rating, titles: Mapping[str, str], streak: dict[str, str]) -> dict[str, Any]:
    trend = {str(number): loss for number, loss in enumerate(rating.trend, start=1)}
    grades = {grade: float(number) for grade, number in rating.tally.items()}
    return {
        "numbers": {
            "Games": str(rating.games),
            "Luck-adjusted score": str(rating.luck_adjusted),
            "Score": str(rating.score),
            "Optimal play": f"{rating.best_play:.2f}",
            "Average EV loss per choice": f"{rating.mean_loss:.3f}",
            **streak,
        },
        "trend": charts.bars("Average EV loss per choice, by game", trend, "Game", 2),
        "grades": charts.bars("Choices by grade", grades, ""),
        "groups": [
            ("By turn", "Turn", _rows(rating.by_turn, {})),
            ("By the category that was scored", "Category", _rows(rating.by_category, titles)),
        ],
    }


def _rows(groups: list[DecisionGroup], titles: Mapping[str, str]) -> list[tuple[str, ...]]:
    return [(titles.get(group.name, group.name), *group.words()[1:]) for group in groups]
