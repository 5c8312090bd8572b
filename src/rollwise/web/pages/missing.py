"""What is answered where there is no page to show: what there is, and never another game."""

from fastapi import Request, Response
from fastapi.responses import JSONResponse
from nicegui import Client, ui
from nicegui import app as nicegui
from nicegui.page import page as bare_page

from rollwise.web.elements import FAILED, SECTIONS, Link, Tag, page
from rollwise.web.size_limits import PLAYERS, preparing
from rollwise.web.solved_games import SolvedGames

NOT_FOUND, FAULT = 404, 500


def add() -> None:
    """Have addresses without a page answered, and pages that fail."""

    @nicegui.exception_handler(NOT_FOUND)
    def no_such_page(request: Request, _: Exception) -> Response:
        if request.url.path.startswith(("/api/", "/_nicegui")):
            return JSONResponse({"detail": f"no {request.url.path[:60]} here"}, NOT_FOUND)
        with Client(bare_page(""), request=request):
            with page("No such page"):
                Tag("p", "Nothing is kept under this address. Here is what there is:")
                with Tag("ul", classes="known"):
                    for path, text in SECTIONS.items():
                        with Tag("li"):
                            Link(text, path)
            return _answer()

    @nicegui.exception_handler(Exception)
    def failed(request: Request, error: Exception) -> Response:
        if not request.scope.get("nicegui_page_path"):
            raise error  # it is answered as JSON
        again = f"{request.url.path}?{request.url.query}"
        with Client(bare_page(""), request=request):
            with page("This page cannot be shown"):
                Tag("p", f"{FAILED[:1].upper()}{FAILED[1:]}.")
                with Tag("p"):
                    Link("Load it again", again, "button primary")
            return _answer(FAULT)


def no_such_game(sentence: str) -> Response:
    """Answer that no game has this address."""
    with page("No such game"):
        Tag("p", sentence[:1].upper() + sentence[1:] + ".")
        with Tag("p"):
            Link("Start another one", "/", "button primary")
    return _answer()


def no_such_day(given: str) -> Response:
    """Answer that a puzzle has no such date."""
    with page("No such puzzle", "/practice"):
        Tag("p", f"“{given[:60]}” is no date: expected one such as 2026-11-22.")
        with Tag("p"):
            Link("The puzzle of today", "/puzzle", "button primary")
    return _answer()


def no_such_rules(games: SolvedGames, rules: str, path: str) -> Response:
    """Answer that a page has no such rules: how large ones are prepared, and which there are."""
    large = games.large.get(rules)
    with page(large.title if large else "No such rules", path):
        if large:
            Tag(
                "p",
                f"{large.title} takes longer to solve than a page can wait. One command prepares "
                "it, in the terminal; from then on its table and its advice are here too:",
            )
            Tag("pre", preparing(large), "command")
            Tag("p", "These are answered here:")
        else:
            Tag("p", f"No rules are called “{rules[:60]}”. Here is what there is:")
        with Tag("ul", classes="known"):
            for name, title in games.titles().items():
                with Tag("li"):
                    Link(title, path, rules=name)
    return _answer()


def no_such_strategy(given: str, path: str, key: str, **query: str) -> Response:
    """Answer that a page has no such strategy, which its address names under a key."""
    with page("No such strategy", path):
        Tag("p", f"No strategy is called “{given[:60]}” here. Here is what there is:")
        with Tag("ul", classes="known"):
            for name in PLAYERS:
                with Tag("li"):
                    Link(name, path, **query, **{key: name})
    return _answer()


def _answer(status: int = NOT_FOUND) -> Response:
    """Return the page at hand with a status: that of one that is not there, if nothing is said."""
    client = ui.context.client
    return client.build_response(client.request, status)
