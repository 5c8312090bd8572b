"""``/play/ID``: the table, by mouse, touch or keys; shared by everybody who has the address."""

from nicegui import ui

from rollwise.errors import InputError
from rollwise.history import NoSuchGameError
from rollwise.web.elements import Link, Tag, page
from rollwise.web.live import Rooms
from rollwise.web.table import TableView

NO_SCROLLING = "(key) => { if (key.event.key === ' ') key.event.preventDefault(); }"


def add(rooms: Rooms) -> None:
    """Add the page."""

    @ui.page("/play/{id}", response_timeout=120)
    async def play(id: str) -> None:
        try:
            room = await rooms.enter(id)
        except NoSuchGameError as error:
            no_such_game(str(error))
            return
        except InputError as error:  # too large for this server, or against a strategy of a file
            with page("Not here"):
                Tag("p", f"This game cannot be played here: {error}")
            return
        with page(room.session.game.rules.title, "/", wide=True):
            table = TableView(room)
            ui.keyboard(table.controls.press, ignore=["input", "select", "textarea"])
            # A button that has the focus knows space and Enter itself.
            ui.keyboard(
                table.controls.press_space,
                ignore=["input", "select", "textarea", "button"],
            ).on("key", js_handler=NO_SCROLLING)
        ui.context.client.on_delete(room.look(table.show))
        room.let_robots_play()


def no_such_game(sentence: str) -> None:
    """Say that there is no game with this address."""
    with page("No such game"):
        Tag("p", sentence)
        with Tag("p"):
            Link("Start another one", "/")
