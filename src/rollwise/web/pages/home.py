"""``/``: a new game, and those that were played."""

from collections.abc import Collection
from functools import partial

from nicegui import ui

from rollwise.errors import InputError
from rollwise.history import SavedGame, UnreadableGame
from rollwise.playing.bot import seat_names
from rollwise.web.access_token import READ_ONLY, may_change
from rollwise.web.elements import Button, ChoiceList, Link, Tag, TextLine, Tick, page
from rollwise.web.live_games import begin_game
from rollwise.web.opponent_advice import DUEL
from rollwise.web.owners import owner_of_page
from rollwise.web.size_limits import PLAYERS, preparing
from rollwise.web.solved_games import SolvedGames

RECENT = 12

TOO_LARGE = (
    "This game takes too long to solve here: people play it by the rules, without advice. "
    "One command prepares it in a terminal; from then on it has advice, here too:"
)

ANSWERS = "duel: plays to win against you"


class _NewGame:
    """What the form says."""

    def __init__(self) -> None:
        self.rules = "yahtzee"
        self.people = "You"
        self.opponent = ""
        self.manual = False


def add(games: SolvedGames) -> None:
    """Add the page."""

    @ui.page("/", response_timeout=60)
    async def home() -> None:
        with page("Play", "/"):
            Tag(
                "p", "Yahtzee and its relatives, with exact advice: no account, no network.", "lead"
            )
            if may_change(ui.context.client.request):
                _form(games, [name for name in games.large if await games.prepared.named(name)])
            else:
                Tag("p", READ_ONLY)
            recent = await games.read(games.history.of(owner_of_page()).games, RECENT)
            if recent:
                Tag("h2", "Games")
                with Tag("ul", classes="games"):
                    for game in recent:
                        _game(game)


def _form(games: SolvedGames, prepared: Collection[str]) -> None:
    new = _NewGame()
    unprepared = {name: one for name, one in games.large.items() if name not in prepared}

    async def begin() -> None:
        history = games.history.of(owner_of_page())
        names = [name.strip() for name in new.people.split(",")]
        opponents = [new.opponent] if new.opponent else []
        try:
            seats = seat_names(names, opponents)
            rules = {**games.rules, **games.large}[new.rules]
            id = await begin_game(games, history, rules, seats, real_dice=new.manual)
        except InputError as error:
            problem.text = str(error)
            return
        ui.navigate.to(f"/play/{id}")

    def choose(name: str) -> None:
        new.rules, large = name, unprepared.get(name)
        note.visible = large is not None
        if large is not None:
            command.text = preparing(large)

    with Tag("section", classes="panel", aria_label="New game"):
        with Tag("div", classes="fields"):
            large = {
                name: one.title + (" – without advice" if name in unprepared else "")
                for name, one in games.large.items()
            }
            ChoiceList("Rules", games.titles() | large, new.rules, choose).classes("whole")
            with Tag("div", classes="whole") as note:
                Tag("p", TOO_LARGE, "soft")
                command = Tag("pre", classes="command")
            note.visible = False
            TextLine("Players", new.people, partial(setattr, new, "people"), at_once=True)
            players = {"": "nobody", **{name: name for name in PLAYERS}, DUEL: ANSWERS}
            ChoiceList("Against", players, "", partial(setattr, new, "opponent"))
        Tick("Real dice: I type in what they show", False, partial(setattr, new, "manual"))
        problem = Tag("p", classes="problem", role="alert")
        Button("New game", begin, "primary")


def _game(game: SavedGame | UnreadableGame) -> None:
    if isinstance(game, UnreadableGame):
        with Tag("li"):
            Tag("span", game.id)
            Tag("span", f"cannot be read: {game.reason}", "soft")
        return
    record = game.record
    scores = ", ".join(
        f"{name} {card.points}" for name, card in zip(record.players, record.cards, strict=True)
    )
    with Tag("li"):
        Link(scores, f"/review/{game.id}" if record.is_over else f"/play/{game.id}")
        state = "" if record.is_over else ", unfinished"
        Tag("span", f"{record.rules.title}, {game.saved_at:%Y-%m-%d}{state}", "soft")
