"""The answers to addresses without a page: what exists instead."""

from collections.abc import Mapping

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse

from rollwise.playing.opponents import opponent_labels
from rollwise.questions.size_limits import PLAYERS, preparing
from rollwise.web.rendering import SECTIONS, address, render
from rollwise.web.solved_games import SolvedGames


def add(app: FastAPI) -> None:
    """Answer addresses without a page."""

    @app.exception_handler(404)
    def no_such_page(request: Request, _: Exception) -> Response:
        if request.url.path.startswith("/api/"):
            return JSONResponse({"detail": f"there is no {request.url.path[:60]}"}, 404)
        known = [(path, text) for path, text in SECTIONS.items()]
        words = "There is no page at this address. These pages exist:"
        return _missing("Page not found", words, known)


def _missing(
    heading: str,
    words: str,
    known: list[tuple[str, str]] | None = None,
    *,
    command: str = "",
    action: tuple[str, str] | None = None,
    section: str = "",
) -> Response:
    """Return the page of a missing thing, with an action or with links to what is known."""
    return render(
        "missing",
        404,
        heading=heading,
        words=words,
        known=known or [],
        command=command,
        action=action,
        section=section,
    )


def _links(path: str, key: str, labels: Mapping[str, str], **query: str) -> list[tuple[str, str]]:
    return [(address(path, **query, **{key: name}), label) for name, label in labels.items()]


def no_such_day(given: str) -> Response:
    """Return the page of a puzzle without a valid date."""
    words = f"“{given[:60]}” is not a date. Write a date such as 2026-11-22."
    action = ("Today's puzzle", "/puzzle")
    return _missing("Puzzle not found", words, action=action, section="/puzzle")


def no_such_rules(games: SolvedGames, rules: str, path: str) -> Response:
    """Return the page of rules that are unknown, or too large to solve here."""
    large, known = games.large.get(rules), _links(path, "rules", games.titles())
    if large:
        words = (
            f"{large.title} takes too long to solve on this server. To prepare it, run this "
            "command once in a terminal:"
        )
        return _missing(large.title, words, known, command=preparing(large), section=path)
    words = f"There are no rules called “{rules[:60]}”. These are available:"
    return _missing("Rules not found", words, known, section=path)


def no_such_strategy(given: str, rules: str) -> Response:
    """Return the page of an unknown strategy."""
    words = f"There is no strategy called “{given[:60]}”. These are available:"
    known = _links("/strategies", "strategy", opponent_labels(PLAYERS), rules=rules)
    return _missing("Strategy not found", words, known, section="/strategies")
