"""``/review``: a record pasted in; ``/review/ID``: a game judged."""

from fastapi import Response
from fastapi.responses import HTMLResponse, PlainTextResponse, RedirectResponse
from nicegui import app, ui

from rollwise.errors import InputError
from rollwise.game.records.record import Record, format_record
from rollwise.history import NoSuchGameError, SavedGame, new_id
from rollwise.reviews.page import COURSE, review_html
from rollwise.solving.objectives import EXPECTED
from rollwise.web.access_token import READ_ONLY, may_change
from rollwise.web.elements import Button, Link, Tag, page
from rollwise.web.owners import may_delete, owner_of_page
from rollwise.web.pages.missing import no_such_game
from rollwise.web.progress_view import show_progress
from rollwise.web.review_view import ReviewView
from rollwise.web.solved_games import SolvedGames

EXAMPLE = """players: Ada, Ben
11366 66 25666 666 46666 6
11234 1234 12344 ss
"""


def add(games: SolvedGames) -> None:
    """Add the pages."""

    @ui.page("/review", response_timeout=60)
    def paste() -> None:
        with page("Review a game", "/review"):
            if may_change(ui.context.client.request):
                _form(games)
            else:
                Tag("p", READ_ONLY)

    @ui.page("/review/{id}", response_timeout=60)
    async def show(id: str, step: int = 1) -> Response | None:
        try:
            saved = await games.read(games.history.load, id)
        except NoSuchGameError as error:
            return no_such_game(str(error))
        record = saved.record
        with page("Review", "/review", wide=True):
            ui.add_css(COURSE.read_text())
            _head(record, id)
            try:
                await games.check_reviewable(record.rules, EXPECTED.name)
                reviews = await show_progress(games.reviews, record)
            except InputError as error:
                Tag("p", f"This game cannot be judged here: {error}")
                _delete(games, saved)
                return None
            ReviewView(record, reviews, step)
            _delete(games, saved)
        return None

    @app.get("/review/{id}/page", response_model=None)
    async def printable(id: str) -> Response:
        try:
            record = (await games.read(games.history.load, id)).record
        except NoSuchGameError:
            return RedirectResponse(f"/review/{id}")  # which says so, as a page
        await games.check_reviewable(record.rules, EXPECTED.name)
        return HTMLResponse(review_html(record, await games.reviews(record)))

    @app.get("/review/{id}/record")
    async def text(id: str) -> PlainTextResponse:
        saved = await games.read(games.history.load, id)
        return PlainTextResponse(format_record(saved.record))


def _form(games: SolvedGames) -> None:
    text = {"record": ""}

    async def judge() -> None:
        history = games.history.of(owner_of_page())
        try:
            record = await games.in_thread(games.record, text["record"])
            if not record.events:
                raise InputError("expected at least one turn")
        except InputError as error:
            problem.text = str(error)
            return
        id = new_id()
        await games.write(history.save, id, record)
        ui.navigate.to(f"/review/{id}")

    Tag(
        "p",
        "One line a turn: rolls and keeps in turn, then the category. Paste a record of "
        "rollwise, or type in a game that was played at a table:",
    )
    Tag("pre", EXAMPLE)
    with Tag("section", classes="panel", aria_label="A game"):
        with Tag("label", classes="field"):
            Tag("span", "Record")
            area = Tag("textarea", rows="12", spellcheck="false", maxlength="200000")
        area.on(
            "input",
            lambda event: text.update(record=event.args),
            js_handler="(event) => emit(event.target.value)",
        )
        problem = Tag("p", classes="problem", role="alert")
        Button("Review", judge, "primary")


def _head(record: Record, id: str) -> None:
    when = f", {record.date.isoformat()}" if record.date else ""
    seed = "" if record.seed is None else f", dice of seed {record.seed}"
    state = "" if record.is_over else ", unfinished"
    scores = zip(record.players, record.cards, strict=True)
    Tag("p", ", ".join(f"{name} {card.points}" for name, card in scores), "outcome")
    Tag("p", f"{record.rules.title}{when}{seed}{state}", "lead")
    with Tag("p", classes="links"):
        if not record.is_over:
            Link("Go on playing", f"/play/{id}")
        Link("Page to print", f"/review/{id}/page")
        Link("Record as text", f"/review/{id}/record")


def _delete(games: SolvedGames, game: SavedGame) -> None:
    """Let the game be deleted, once a person who may has said so twice."""
    request = ui.context.client.request
    if not may_delete(request, game):
        return

    def ask(sure: bool) -> None:
        first.visible, question.visible = not sure, sure

    async def delete() -> None:
        await games.write(games.history.of(owner_of_page()).delete, game.id)
        ui.navigate.to("/")

    with Tag("div", classes="apart"):
        first = Button("Delete this game", lambda: ask(True))
        with Tag("div", classes="answers", role="alert") as question:
            Tag("span", "Delete this game for good? It cannot be brought back.")
            Button("Delete it for good", delete)
            Button("Keep it", lambda: ask(False))
    ask(False)
