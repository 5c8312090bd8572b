"""``/review``: a game record to paste, and your games; ``/review/ID``: a reviewed game."""

import base64
import hashlib
import json
from collections.abc import Sequence
from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, PlainTextResponse, RedirectResponse
from markupsafe import Markup

from rollwise.errors import InputError
from rollwise.game.actions import Action, Keep, Score
from rollwise.game.game import Game
from rollwise.game.notation import describe_action
from rollwise.game.position import format_position
from rollwise.game.scorecard import card_rows
from rollwise.history import NoSuchGameError, SavedGame, new_id
from rollwise.reviews.decision_review import DecisionReview
from rollwise.reviews.grades import because, format_points
from rollwise.reviews.page import (
    chart_of,
    decisions_html,
    legend_html,
    line_html,
    players_html,
    review_html,
    worst_html,
)
from rollwise.reviews.review import DecisionStep, Review, steps_through
from rollwise.solving.option import Option, format_loss
from rollwise.web.access_control import POLICY
from rollwise.web.access_token import READ_ONLY, may_change
from rollwise.web.dice import look_of
from rollwise.web.owners import Owner, may_delete
from rollwise.web.pages.home import RECENT, listed
from rollwise.web.pages.missing import no_such_game
from rollwise.web.progress import answer
from rollwise.web.rendering import HEADERS, address, form_of, render, sentence
from rollwise.web.solved_games import SolvedGames

SHOWN = 4
"""The number of options shown for a decision, including the chosen option."""

BAD = ("mistake", "blunder")


def add(pages: APIRouter, games: SolvedGames) -> None:
    """Add the pages."""

    async def paste(
        request: Request, owner: str | None, record: str = "", problem: str = ""
    ) -> Response:
        recent = await games.read(games.history.of(owner).games, RECENT)
        return render(
            "paste",
            400 if problem else 200,
            section="/review",
            refusal="" if may_change(request) else READ_ONLY,
            record=record,
            problem=problem and sentence(problem),
            recent=[listed(game) for game in recent],
        )

    @pages.get("/review")
    async def form(request: Request, owner: Owner) -> Response:
        return await paste(request, owner)

    @pages.post("/review")
    async def judge(request: Request, owner: Owner) -> Response:
        text = (await form_of(request, long="record")).get("record", "").replace("\r\n", "\n")
        try:
            game = await games.game(text)
            if not game.events:
                raise InputError("the record has no turns; enter at least one")
        except InputError as error:
            return await paste(request, owner, text, str(error))
        id = new_id()
        await games.write(games.history.of(owner).save, id, game)
        return RedirectResponse(f"/review/{id}", 303)

    @pages.get("/review/{id}")
    async def show(request: Request, id: str, step: int = 1) -> Response:
        try:
            saved = await games.saved(id)
        except NoSuchGameError:
            return no_such_game()
        game = saved.game
        content: dict[str, Any] = {
            "section": "/review",
            "id": id,
            "game": game,
            "deletes": may_delete(request, saved),
            "refusal": "",
        }

        async def results() -> dict[str, Any]:
            return _describe(saved, step, await games.reviews(game))

        try:
            return await answer("review", results(), **content)
        except InputError as error:
            content["refusal"] = f"This game cannot be reviewed here: {error}."
            return render("review", job="", **content)

    @pages.post("/review/{id}/delete")
    async def delete(id: str, owner: Owner) -> Response:
        await games.write(games.history.of(owner).delete, id)
        return RedirectResponse("/", 303)

    @pages.get("/review/{id}/page")
    async def printable(id: str) -> Response:
        try:
            game = (await games.saved(id)).game
        except NoSuchGameError:
            return no_such_game()
        html = review_html(game, await games.reviews(game))
        style = html.partition("<style>")[2].partition("</style>")[0]
        digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
        policy = POLICY.replace("style-src 'self'", f"style-src 'sha256-{digest}'")
        return HTMLResponse(html, headers={**HEADERS, "Content-Security-Policy": policy})

    @pages.get("/review/{id}/record")
    async def text(id: str) -> Response:
        saved = await games.saved(id)
        return PlainTextResponse(str(saved.game))


def _describe(saved: SavedGame, number: int, reviews: Sequence[Review]) -> dict[str, Any]:
    """Return the content of the page that shows the step with a number, counted from 1."""
    game = saved.game
    steps = steps_through(game, reviews)
    numbers = {(step.player, step.decision.name): step.number for step in steps}

    def link(player: int, decision: DecisionReview) -> str:
        return f"?step={numbers[player, decision.name]}"

    links = [partial(link, player) for player in range(len(reviews))]
    content: dict[str, Any] = {
        "steps": steps,
        "players": Markup(players_html(reviews)),
        "worst": [
            Markup(worst_html(review, link, _all_options))
            for review, link in zip(reviews, links, strict=True)
        ],
        "decisions": [
            Markup(decisions_html(review, link))
            for review, link in zip(reviews, links, strict=True)
        ],
        "legend": Markup(legend_html(reviews)),
    }
    if steps:
        step = steps[min(max(number, 1), len(steps)) - 1]
        marked = [
            [dot.x, dot.y, numbers[player, dot.decision.name], dot in curve.dots]
            for player, curve in enumerate(chart_of(reviews).curves)
            for dot in curve.decided
        ]
        content |= _step(step, game) | {
            "course": Markup(line_html(reviews, links, step.decision)),
            "marked": json.dumps(marked),
            "targets": _targets(steps, step, game),
        }
    return content


def _targets(
    steps: Sequence[DecisionStep], at: DecisionStep, game: Game
) -> list[tuple[str, str, str, int | None]]:
    """Return the name, the sign, and the key of each button, with its step or None."""
    last, here = len(steps), at.number
    after = (*steps[here:], *steps[: here - 1])
    mistake = next(
        (
            step.number
            for step in after
            if step.decision.verdict in BAD and game.players[step.player] not in game.headers.bots
        ),
        None,
    )
    return [
        ("First", "«", "Home", 1 if here > 1 else None),
        ("Back", "‹", "ArrowLeft", here - 1 if here > 1 else None),
        ("Forward", "›", "ArrowRight", here + 1 if here < last else None),
        ("Last", "»", "End", last if here < last else None),
        ("Next mistake", "Next mistake", "m", mistake),
    ]


def _step(step: DecisionStep, game: Game) -> dict[str, Any]:
    """Return the content of a step: a roll and the decision that followed it."""
    rules, decision, roll = game.rules, step.decision, step.decision.roll
    chosen = decision.chosen.action
    player = f", {game.players[step.player]}" if len(game.players) > 1 else ""
    luck = f"Luck of this roll: {format_points(roll.luck)}"
    reasons = because(rules, decision.reasons)
    best = describe_action(rules, decision.best.action)
    why = f"Best was {best} ({reasons})." if reasons else f"Best was {best}."
    return {
        "step": step,
        "stage": f"Turn {decision.turn}{player}: roll {decision.number}",
        "dice": [
            (look_of(die, rules), is_kept, is_best)
            for die, is_kept, is_best in zip(
                roll.dice,
                _kept(chosen, roll.dice),
                _kept(decision.best.action, roll.dice),
                strict=True,
            )
        ],
        "luck": f"{luck} ({roll.words})." if roll.words else f"{luck}.",
        "action": describe_action(rules, chosen),
        "verdict": _verdict(decision),
        "grade": decision.verdict if decision.counted else "forced",
        "options": [
            (
                describe_action(rules, option.action),
                option.action == chosen,
                f"{option.value:.2f}",
                format_loss(option),
            )
            for option in _shown(decision)
        ],
        "why": "" if decision.chosen.best else why,
        "all_options": _all_options(decision),
        "cards": list(card_rows(step.cards)),
        "scored": rules.category_index(chosen.category) if isinstance(chosen, Score) else None,
    }


def _kept(action: Action, dice: Sequence[int]) -> list[bool]:
    """Return whether an action keeps each die."""
    left = list(action.dice) if isinstance(action, Keep) else []
    kept = []
    for die in dice:
        kept.append(die in left)
        if die in left:
            left.remove(die)
    return kept


def _shown(decision: DecisionReview) -> list[Option]:
    first = list(decision.options[:SHOWN])
    return first if decision.chosen in first else [*first[:-1], decision.chosen]


def _verdict(decision: DecisionReview) -> str:
    if not decision.counted:
        return "forced"
    loss = format_points(-decision.loss) if decision.loss else ""
    return f"{decision.verdict} {loss}".strip()


def _all_options(decision: DecisionReview) -> str:
    position = decision.position
    return address("/advise", rules=position.rules.name, position=format_position(position))
