"""``/practice``: one's own mistakes, asked again when they are due."""

from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

from fastapi import Response
from nicegui import ui

from rollwise.game.notation import format_position, parse_action, parse_position
from rollwise.history import due_mistakes, mistakes, practised
from rollwise.playing.practice import Answer, Practice, PracticeQuestion
from rollwise.web import computations
from rollwise.web.access_token import may_change
from rollwise.web.elements import Link, Tag, choose_page, page
from rollwise.web.owners import owner_of_page
from rollwise.web.pages.missing import no_such_rules
from rollwise.web.practice_page import hold, loaded, others, outcome, solved
from rollwise.web.solved_games import SolvedGames

TITLE = "Your mistakes"

A_SESSION = 10
"""Mistakes asked in one session."""


def add(games: SolvedGames) -> None:
    """Add the page."""

    @ui.page("/practice", response_timeout=60)
    async def practice(
        rules: str = "yahtzee", name: str = "", every: bool = False
    ) -> Response | None:
        game = games.rules.get(rules) or await games.prepared.named(rules)
        if game is None:
            return no_such_rules(games, rules, "/practice")
        request = ui.context.client.request
        history, who = games.history.of(owner_of_page()), name or None
        found, later = await games.read(due_mistakes, history, rules, who, datetime.now(UTC))
        if every:
            found = await games.read(mistakes, history, rules, who)
        if not found:
            _nothing(games, rules, name, later)
            return None
        asked = [
            PracticeQuestion(parse_position(game, one.position), parse_action(game, one.chosen))
            for one in found[:A_SESSION]
        ]
        solution = await solved(games, TITLE, game)
        if not solution.is_whole:
            known = await loaded(
                games.ask, computations.advice, tuple(one.position for one in asked)
            )
            asked = [replace(one, options=some) for one, some in zip(asked, known, strict=True)]
        session = Practice(asked, solution, again=True)

        async def keep(answer: Answer) -> None:
            if may_change(request):
                line, now = format_position(answer.question.position), datetime.now(UTC)
                kept = partial(practised, well=answer.is_good, now=now)
                await games.write(kept, games.history.of(owner_of_page()), rules, who, line)

        async def finish() -> None:
            with outcome(TITLE, session):
                if len(found) > len(asked):
                    Tag("p", f"{len(found) - len(asked)} more are due.")
                    with Tag("p"):
                        Link("Go on", "/practice", "button primary", rules=rules, name=name)
                if rules in games.rules:
                    others(game)

        await hold(games, TITLE, session, keep, finish)
        return None


def _nothing(games: SolvedGames, rules: str, name: str, later: datetime | None) -> None:
    """Say why nothing is asked, and invite to what everybody can do."""
    with page("Practice", "/practice"):
        with Tag("div", classes="fields"):
            shown = {"rules": rules, "name": name}
            choose_page("Rules", games.all_titles(), "/practice", "rules", **shown)
        if later is None:
            Tag(
                "p",
                "Here your own mistakes are asked again: those of finished games that cost 0.2 "
                "points or more. There are none yet.",
                "lead",
            )
        else:
            Tag("p", f"All is answered: the next one is due on {later:%Y-%m-%d}.", "lead")
        with Tag("div", classes="answers"):
            if rules in games.rules:
                Link("Take the proficiency test", "/test", "button primary", rules=rules)
                Link("Solve the puzzle of the day", "/puzzle", "button", rules=rules)
            if later is None:
                Link("Play a game", "/", "button")
            else:
                Link("Ask all again", "/practice", "button", every="1", **shown)
