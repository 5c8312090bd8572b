"""``/``: the last game again, a game to continue, the puzzle of the day, and a new game."""

import asyncio
import datetime
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from rollwise.errors import InputError
from rollwise.game.headers import fresh_seed
from rollwise.history import SavedGame
from rollwise.playing.bot import new_game
from rollwise.playing.opponents import OPPONENTS
from rollwise.rules import Rules
from rollwise.rules.families import by_family, title_of
from rollwise.web import cookies
from rollwise.web.access_token import READ_ONLY, may_change
from rollwise.web.computing import BusyError, FailedError
from rollwise.web.dice import look_of
from rollwise.web.live_games import begin_game
from rollwise.web.owners import Owner
from rollwise.web.pages.games import listed
from rollwise.web.pages.play import EVERYONE
from rollwise.web.rendering import address, form_of, render, sentence
from rollwise.web.seats import COOKIE
from rollwise.web.solved_games import SolvedGames

RECENT = 12
"""The number of games among which the page looks for the last one, and for one to continue."""

PUZZLE_SECONDS = 0.2
"""The time for which the page waits for the dice of the puzzle; without them it shows none."""

LEVELS = {"": "Nobody", **dict(reversed(OPPONENTS.items()))}
"""The usual opponents by strategy, weakest first."""


@dataclass(frozen=True)
class Setup:
    """The choices for a new game: names and strategies have commas between them."""

    rules: str
    players: str = ""
    opponent: str = ""
    real_dice: bool = False

    @property
    def names(self) -> list[str]:
        """The names of the people who play."""
        first, *others = map(str.strip, self.players.split(","))
        return [first or "You", *filter(None, others)]

    @property
    def opponents(self) -> list[str]:
        """The strategies of the computer opponents."""
        return list(filter(None, self.opponent.split(",")))


def add(pages: APIRouter, games: SolvedGames) -> None:
    """Add the page."""

    async def show(
        request: Request, owner: str | None, setup: Setup | None = None, problem: str = ""
    ) -> Response:
        recent = await games.read(games.history.of(owner).games, RECENT)
        last = _last_setup(games, recent)
        prepared = [name for name in games.large if await games.prepared.named(name)]
        return render(
            "home",
            400 if problem else 200,
            section="/",
            refusal="" if may_change(request) else READ_ONLY,
            problem=problem and sentence(problem),
            last=last,
            last_words=_words(games, last),
            chosen=setup or Setup(games.default),
            families=_families(games),
            without_advice={*games.large} - {*prepared},
            levels=LEVELS,
            titles=games.all_titles(),
            dice=[look_of(die, _rules(games, last.rules)) for die in range(1, 6)],
            puzzle=await _puzzle(games),
            unfinished=next((listed(game) for game in recent if _can_go_on(game)), None),
        )

    @pages.get("/")
    async def home(request: Request, owner: Owner) -> Response:
        return await show(request, owner)

    @pages.post("/")
    async def begin(request: Request, owner: Owner) -> Response:
        form = await form_of(request)
        setup = Setup(
            form.get("rules", games.default),
            form.get("players", ""),
            form.get("opponent", ""),
            "real-dice" in form,
        )
        if "in-progress" in form:
            path = address("/advise", rules=setup.rules, players=",".join(setup.names))
            return RedirectResponse(path, 303)
        try:
            rules = games.large.get(setup.rules) or games.rules_named(setup.rules)
            history = games.history.of(owner)
            seed = None if setup.real_dice else fresh_seed()
            game = new_game(rules, setup.names, setup.opponents, seed)
            id = await begin_game(games, history, game)
        except InputError as error:
            is_known = setup.rules in games.all_titles()
            return await show(request, owner, setup if is_known else None, str(error))
        response = RedirectResponse(f"/play/{id}", 303)
        if len(setup.names) > 1:
            # all of them play in this browser until one takes a seat elsewhere
            cookies.give(response.headers, request, COOKIE, EVERYONE, f"/play/{id}")
        return response


def _rules(games: SolvedGames, name: str) -> Rules:
    return games.large.get(name) or games.rules_named(name)


def _last_setup(games: SolvedGames, recent: list[SavedGame]) -> Setup:
    """Return the setup of the last game that can be played again here."""
    for game in (saved.game for saved in recent if not saved.reason):
        rules, headers = game.rules, game.headers
        if rules in (games.rules.get(rules.name), games.large.get(rules.name)):
            people = (name for name in headers.players if name not in headers.bots)
            opponents = ",".join(headers.bots.values())
            return Setup(rules.name, ", ".join(people), opponents, headers.seed is None)
    return Setup(games.default)


def _words(games: SolvedGames, setup: Setup) -> str:
    """Return a setup in words."""
    versus = " and ".join(LEVELS.get(name, name) for name in setup.opponents)
    title = _rules(games, setup.rules).title
    dice = ", real dice" if setup.real_dice else ""
    return f"{title} · {', '.join(setup.names)}{f' against {versus}' if versus else ''}{dice}"


def _families(games: SolvedGames) -> dict[str, list[Rules]]:
    """Return the games of each family by its title, the default or the main one first."""
    families = by_family((*games.rules, *games.large), games.default)
    return {
        title_of(family): [_rules(games, name) for name in names]
        for family, names in families.items()
    }


async def _puzzle(games: SolvedGames) -> dict[str, Any] | None:
    """Return the puzzle of the day, with its dice if they are known soon; None without a puzzle."""
    if games.default not in games.rules:
        return None
    day, rules, dice = datetime.date.today(), games.rules[games.default], []
    with suppress(TimeoutError, BusyError, FailedError):
        async with asyncio.timeout(PUZZLE_SECONDS):
            position, _ = await games.puzzle(rules, day)
            dice = [look_of(die, rules) for die in position.dice]
    return {"day": day, "rules": rules.name, "dice": dice}


def _can_go_on(saved: SavedGame) -> bool:
    return not saved.reason and not saved.game.is_over
