"""``/play/ID``: a game, by mouse, touch or keys; shared by everybody who has the address."""

from fastapi import Response
from nicegui import ui

from rollwise.errors import InputError
from rollwise.history import NoSuchGameError
from rollwise.web.access_token import may_change
from rollwise.web.elements import Tag, head, page
from rollwise.web.live_games import LiveGames
from rollwise.web.pages.missing import no_such_game
from rollwise.web.table.view import GameView

NO_SCROLLING = "(key) => { if (key.event.key === ' ') key.event.preventDefault(); }"


def add(games: LiveGames) -> None:
    """Add the page."""

    @ui.page("/play/{id}", response_timeout=120)
    async def play(id: str) -> Response | None:
        try:
            live = await games.enter(id)
        except NoSuchGameError as error:
            return no_such_game(str(error))
        except InputError as error:  # too large for this server, or against a strategy of a file
            with page("Not here"):
                Tag("p", f"This game cannot be played here: {error}")
            return None
        head(live.session.game.rules.title, "/")
        view = GameView(live, may_play=may_change(ui.context.client.request))
        ui.keyboard(view.press, ignore=["input", "select", "textarea"])
        ui.keyboard(view.press_space, ignore=["input", "select", "textarea", "button"]).on(
            "key", js_handler=NO_SCROLLING
        )
        ui.context.client.on_delete(live.add_viewer(view.show))
        live.let_bots_play()
        live.review()
        return None
