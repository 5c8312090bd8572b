"""The pages that are rendered from templates, their static files, and their error pages."""

import hashlib
import ipaddress
import logging
from collections.abc import Callable, Coroutine
from functools import cache
from html import unescape
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qs, urlencode

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse
from fastapi.routing import APIRoute
from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

from rollwise.client.bundle import bundle, table_style
from rollwise.client.languages import LANGUAGES, catalogs, language_of, texts_in
from rollwise.client.page_content import table_content, with_texts
from rollwise.errors import InputError, MalformedError
from rollwise.history import DiskFullError, NoSuchGameError
from rollwise.questions.answer import with_minus
from rollwise.reviews.page import COURSE
from rollwise.rules import Rules
from rollwise.style import PAGE, sheet, style, token
from rollwise.web import cookies
from rollwise.web.computing import BusyError, FailedError
from rollwise.web.sent_texts import SENT

log = logging.getLogger("rollwise")

FAILED = "something went wrong. Your games are saved. Reload the page to try again"

SECTIONS = {
    "/": "Play",
    "/puzzle": "Puzzle",
    "/advise": "Advice",
    "/games": "Your games",
    "/strategies": "Strategies",
}
"""The pages in the menu."""

HEADERS = {"Cache-Control": "no-store"}

FOREVER = {"Cache-Control": "public, max-age=31536000, immutable"}
"""The caching of a static file, whose address contains a digest of its content."""

LANGUAGE = "language"
"""The field of an address with the language that the reader has chosen, and the cookie with it."""

SCRIPTS = ("game_page.js", "advice_page.js", "quiz_page.js", "replay_page.js")
"""The modules of the client that begin a page of the table."""

STATIC = ("style.css", "site.js", "icon.svg", "table.css", *SCRIPTS)

MAX_FIELDS, MAX_FIELD = 64, 2_000
"""The maximum number of fields in a form, and of characters in a field."""

TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}


def style_sheet() -> str:
    """Return the style sheet of all pages but the table."""
    sheets = sorted((files("rollwise.web") / "style").iterdir(), key=lambda path: path.name)
    texts = (path.read_text("utf-8") for path in (COURSE, *sheets))
    return sheet(*map(style, PAGE), *texts)


@cache
def static_file(name: str) -> bytes:
    """Return the content of a static file."""
    if name in SCRIPTS:
        return bundle(name).encode()
    if name == "table.css":
        return table_style().encode()
    if name == "style.css":
        return style_sheet().encode()
    return (files("rollwise.web") / "static" / name).read_bytes()


@cache
def static_address(name: str) -> str:
    """Return the address of a static file, which changes with its content."""
    digest = hashlib.blake2b(static_file(name), digest_size=6).hexdigest()
    return f"/static/{name}?v={digest}"


def address(path: str, **query: str) -> str:
    """Return the address of a page."""
    return f"{path}?{urlencode(query)}" if query else path


def shared_address(request: Request, path: str, **query: str) -> str:
    """Return the URL of a page for other people; empty if only this machine can open it."""
    host = request.url.hostname or ""
    try:
        is_local = ipaddress.ip_address(host).is_loopback
    except ValueError:
        is_local = host == "localhost"
    return "" if is_local else address(f"{str(request.base_url)[:-1]}{path}", **query)


def sentence(text: str) -> str:
    """Return a message as a sentence, with a capital letter and a full stop."""
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


@cache
def templates() -> Environment:
    """Return the templates, which escape all text."""
    environment = Environment(
        loader=ChoiceLoader(
            [PackageLoader("rollwise.web", "html"), PackageLoader("rollwise.client", "")]
        ),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        auto_reload=False,
    )
    environment.globals.update(
        address=address, static=static_address, sections=SECTIONS, felt=token("felt")
    )
    environment.filters.update(sentence=sentence, minus=with_minus)
    return environment


def render(template: str, status: int = 200, **content: Any) -> HTMLResponse:
    """Return a page.

    Parameters
    ----------
    template : str
        The name of its template, without the ending.
    """
    page = templates().get_template(f"{template}.html").render(**content)
    if "entry" in content:
        texts = texts_of_script(content["entry"]) | texts_in(unescape(page))
        page = with_texts(page, catalogs(texts, [content["language"]]))
    return HTMLResponse(page, status, HEADERS)


@cache
def texts_of_script(entry: str) -> frozenset[str]:
    """Return the texts of a script of the table, and those that it gets from the server."""
    return texts_in(bundle(entry)) | frozenset(SENT)


def table_page(request: Request, rules: Rules, entry: str, data: Any) -> dict[str, Any]:
    """Return the content of a page of the table, with its script and its language."""
    chosen = request.query_params.get(LANGUAGE) or request.cookies.get(LANGUAGE, "")
    language = language_of(request.headers.get("accept-language", ""), chosen)
    return {"entry": entry, "language": language, **table_content(rules, data)}


async def form_of(request: Request, long: str = "") -> dict[str, str]:
    """Return the fields of a form that was sent by POST, with commas between values of one name.

    Parameters
    ----------
    long : str
        The name of the field that can have more than ``MAX_FIELD`` characters.

    Raises
    ------
    MalformedError
        If the form has too many fields, or if a field is too long.
    """
    body = (await request.body()).decode(errors="replace")
    try:
        fields = parse_qs(body, keep_blank_values=True, max_num_fields=MAX_FIELDS)
    except ValueError:
        raise MalformedError(f"a form can have at most {MAX_FIELDS} fields") from None
    form = {name: ",".join(values) for name, values in fields.items()}
    for name, value in form.items():
        if name != long and len(value) > MAX_FIELD:
            raise MalformedError(
                f"the field {name[:40]!r} has {len(value):,} characters; use at most {MAX_FIELD:,}"
            )
    return form


def failure(problem: str, status: int, again: str = "") -> HTMLResponse:
    """Return the page of a request that failed, with a link to try again."""
    return render("failed", status, problem=sentence(problem), again=again)


class PageRoute(APIRoute):
    """A route whose errors are pages instead of JSON."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the handler of a request."""
        handle = super().get_route_handler()

        async def page(request: Request) -> Response:
            response = await answer(request)
            language = request.query_params.get(LANGUAGE)
            if language in LANGUAGES:
                cookies.give(response.headers, request, LANGUAGE, language)
            return response

        async def answer(request: Request) -> Response:
            again = f"{request.url.path}?{request.url.query}".rstrip("?")
            try:
                return await handle(request)
            except HTTPException:
                raise
            except NoSuchGameError:
                return failure("this game does not exist or was deleted", 404)
            except InputError as error:
                return failure(str(error), 507 if isinstance(error, DiskFullError) else 400)
            except RequestValidationError:
                return failure("a value in this address is not valid", 422)
            except BusyError as error:
                busy = failure(str(error), 503, again)
                busy.headers["Retry-After"] = str(error.seconds)
                return busy
            except FailedError as error:
                return failure(str(error), 503, again)
            except Exception:
                log.exception("%s failed", request.url.path)
                return failure(FAILED, 500, again)

        return page


def make_page_router() -> APIRouter:
    """Return a router for pages, with their static files."""
    router = APIRouter(route_class=PageRoute, include_in_schema=False)

    @router.get("/static/{name}")
    async def static(name: str) -> Response:
        if name not in STATIC:
            raise HTTPException(404)
        return Response(static_file(name), headers=FOREVER, media_type=TYPES[name.split(".")[1]])

    return router
