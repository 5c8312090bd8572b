"""``/games``: saved games, the rating of a player, and the form to review another game."""

import datetime
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse, RedirectResponse

from rollwise.errors import InputError
from rollwise.history import (
    DecisionGroup,
    Rating,
    SavedGame,
    check_turns,
    people,
    rate_player,
    rivals,
    streaks,
    transfer,
)
from rollwise.playing import rating_scale
from rollwise.rules import Rules
from rollwise.web import charts
from rollwise.web.access_token import READ_ONLY, may_change
from rollwise.web.owners import Owner
from rollwise.web.pages.missing import no_such_rules
from rollwise.web.progress import begun
from rollwise.web.rendering import address, form_of, render, sentence
from rollwise.web.solved_games import SolvedGames

LISTED, UNFOLDED = 24, 5
"""The number of games in the list, and how many of them are shown at once."""

LOOKED_AT = 200
"""The number of games in which opponents and days are looked for."""

EXERCISES = {"Puzzle": "/puzzle", "Rating test": "/test"}


def add(pages: APIRouter, games: SolvedGames) -> None:
    """Add the page, and the export of all games."""

    async def show(
        request: Request,
        owner: str | None,
        rules: str = "",
        name: str = "",
        record: str = "",
        problem: str = "",
    ) -> Response:
        history = games.history.of(owner)
        rated = await games.rated(history)
        rules = rules or next(iter(rated), games.default)
        game = games.rules.get(rules) or games.large.get(rules)
        if game is None:
            return no_such_rules(games, rules, "/games")
        names = await games.read(people, history, rules)
        name = name if name in names else ""
        rating = await games.read(rate_player, history, rules, name or None)
        player = name or (names[0] if len(names) == 1 else "")
        word, waiting = await begun(_rated(games, game, rating))
        number = LOOKED_AT if player and not waiting else LISTED
        recent = await games.read(history.games, number)
        rows = [listed(saved) for saved in recent[:LISTED] if _is_listed(saved)]
        return render(
            "games",
            400 if problem else 200,
            section="/games",
            word=word,
            waiting=waiting,
            recent=rows[:UNFOLDED],
            earlier=rows[UNFOLDED:],
            rules=rules,
            titles=rated | {rules: game.title},
            name=name,
            players={"": "Everyone", **{n: n for n in names}} if len(names) > 1 else {},
            exercises=[
                (title, address(path, rules=rules))
                for title, path in EXERCISES.items()
                if rules in games.rules
            ],
            rating=rating and _describe(rating, game, player, recent),
            refusal="" if may_change(request) else READ_ONLY,
            record=record,
            problem=problem and sentence(problem),
        )

    @pages.get("/games")
    async def page(request: Request, owner: Owner, rules: str = "", name: str = "") -> Response:
        return await show(request, owner, rules, name)

    @pages.post("/games")
    async def save(request: Request, owner: Owner, rules: str = "", name: str = "") -> Response:
        text = (await form_of(request, long="record")).get("record", "").replace("\r\n", "\n")
        try:
            game = await games.game(text)
            check_turns(game)
        except InputError as error:
            return await show(request, owner, rules, name, text, str(error))
        saved, _ = await games.write(games.history.of(owner).add, game)
        return RedirectResponse(f"/review/{saved.id}", 303)

    @pages.get("/history.jsonl")
    async def export(owner: Owner) -> PlainTextResponse:
        lines = await games.read(lambda: list(transfer.export(games.history.of(owner))))
        headers = {"Content-Disposition": 'attachment; filename="rollwise-history.jsonl"'}
        content = "".join(f"{line}\n" for line in lines)
        return PlainTextResponse(content, headers=headers, media_type="application/jsonl")


def _is_listed(saved: SavedGame) -> bool:
    """Return whether a game has a score, or cannot be read."""
    cards = () if saved.reason else saved.game.cards
    return bool(saved.reason) or any(box is not None for card in cards for box in card.boxes)


def listed(saved: SavedGame) -> dict[str, str]:
    """Return a game for the list of recent games."""
    if saved.reason:
        return {"name": saved.id, "words": f"This game cannot be read: {saved.reason}", "path": ""}
    game = saved.game
    scores = zip(game.players, game.cards, strict=True)
    turn = min(sum(box is not None for box in card.boxes) for card in game.cards) + 1
    state = "" if game.is_over else f", turn {turn} of {len(game.rules.categories)}"
    return {
        "name": ", ".join(f"{name} {card.points}" for name, card in scores),
        "words": f"{game.rules.title}, {saved.saved_at:%Y-%m-%d}{state}",
        "path": f"/review/{saved.id}" if game.is_over else f"/play/{saved.id}",
    }


async def _rated(games: SolvedGames, game: Rules, rating: Rating | None) -> dict[str, Any] | None:
    """Return the word of a rating, and the next better word; None if there is no scale."""
    scale = await games.scale(game) if rating else {}
    if not rating or not scale:
        return None
    lost = rating.best_play - rating.luck_adjusted.mean
    better = [bound for bound in rating_scale.rating_bounds(scale).items() if bound[1] < lost]
    return {"name": rating_scale.rating(lost, scale), "lost": lost, "better": better[-1:]}


def _describe(
    rating: Rating, rules: Rules, player: str, recent: Sequence[SavedGame]
) -> dict[str, Any]:
    """Return the rating of a player, or of all players, for the page."""
    readable = [saved for saved in recent if player and not saved.reason]
    titles = {category.key: category.title for category in rules.categories}
    trend = {str(number): loss for number, loss in enumerate(rating.trend, start=1)}
    return {
        "facts": {
            "Games": str(rating.games),
            "Luck-adjusted score": f"{rating.luck_adjusted:.1f}",
            "Score": f"{rating.score:.1f}",
            "Optimal play": f"{rating.best_play:.1f}",
            "Average EV loss per choice": f"{rating.mean_loss:.3f}",
            **_streak(readable, player),
        },
        "has_mistakes": rating.mean_loss > 0,
        "trend": charts.bars("Average EV loss per choice, by game", trend, "Game", 2),
        "grades": {grade.capitalize(): str(number) for grade, number in rating.tally.items()},
        "groups": [
            ("By turn", "Turn", _rows(rating.by_turn, {})),
            ("By the category that was scored", "Category", _rows(rating.by_category, titles)),
        ],
        "rivals": [rival.words() for rival in rivals(readable, rules.name, player)],
    }


def _streak(games: Sequence[SavedGame], name: str) -> dict[str, str]:
    """Return the number of consecutive days on which a player finished games, of any rules."""
    days = [
        saved.saved_at.date()
        for saved in games
        if saved.saved_at and saved.game.is_over and name in saved.game.players
    ]
    row, longest = streaks(days, datetime.date.today())
    return {"Streak": f"{row} {'day' if row == 1 else 'days'} (best {longest})"} if days else {}


def _rows(groups: Sequence[DecisionGroup], titles: Mapping[str, str]) -> list[tuple[str, ...]]:
    return [(titles.get(group.name, group.name), *group.words()[1:]) for group in groups]
