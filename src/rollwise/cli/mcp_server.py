"""The server of ``rollwise mcp``: tools for assistants, by the Model Context Protocol.

The tools call the functions of the JSON API and of the command line. Bad input is one sentence.
"""

from __future__ import annotations

from threading import Lock
from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field, ValidationError

from rollwise import __version__, decision_analysis
from rollwise.errors import InputError
from rollwise.game.game import Game
from rollwise.game.scorecard import Scorecard
from rollwise.rules import Rules, load_rules, preset_names
from rollwise.rules.describe import describe
from rollwise.settings import default_rules
from rollwise.two_player.advice import DUEL
from rollwise.web import computations, opponent_advice
from rollwise.web.size_limits import check_size

INSTRUCTIONS = (
    "rollwise solves Yahtzee and other roll-and-keep dice games exactly. Use its tools for every "
    "number about these games. Values are expected final scores with optimal play, in points."
)

Dice = Annotated[str, Field(description="The dice, such as 11366.")]
Card = Annotated[
    str, Field(description="The filled categories, such as ones=3,full-house=25; - if empty.")
]
Left = Annotated[int, Field(description="The number of rerolls left in this turn.")]
Name = Annotated[
    str, Field(description="A game from the tool rules, or a rule file; empty: the default game.")
]
Objective = Annotated[str, Field(description="expected, worst-case, or best-case.")]
Top = Annotated[int, Field(description="The number of options to return, best first.")]

_computing = Lock()
"""The SDK runs each tool in a thread; the solved games in memory are used by one at a time."""


class ToolServer(MCPServer[None]):  # type: ignore[misc]
    """A server whose errors are one sentence each."""

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        """Call a tool by name.

        Raises
        ------
        ToolError
            If the input is bad. The message is the whole answer.
        """
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            cause = error.__cause__
            if isinstance(cause, ValidationError):
                first = cause.errors(include_url=False)[0]
                field = ".".join(map(str, first["loc"]))
                raise ToolError(f"{field}: {first['msg'].lower()}.") from None
            if isinstance(cause, InputError):
                raise ToolError(str(cause)) from None
            if isinstance(cause, OSError) and cause.strerror:
                raise ToolError(f"{cause.filename}: {cause.strerror.lower()}.") from None
            raise


def make_server() -> ToolServer:
    """Return the server with all tools."""
    server = ToolServer(
        "rollwise", version=__version__, instructions=INSTRUCTIONS, log_level="WARNING"
    )
    for tool in (advise, value, odds, review, rules, duel):
        server.add_tool(tool)
    return server


def _no_progress(_: float) -> None:
    """Ignore the progress of a computation."""


def _game(name: str) -> Rules:
    """Return the rules with a name, or the default game; check that they can be solved now."""
    game = load_rules(name or default_rules().source)
    check_size(game)
    return game


def _position(dice: str, rolls_left: int, card: str) -> str:
    """Return a position in one line."""
    return f"dice {dice} | rolls-left {rolls_left} | card {card}"


def advise(
    dice: Dice,
    rolls_left: Left = 2,
    card: Card = "-",
    rules: Name = "",
    objective: Objective = "expected",
    top: Top = 5,
) -> dict[str, Any]:
    """Find the best dice to keep, or the best category, for a roll."""
    line = _position(dice, rolls_left, card)
    game = _game(rules)
    with _computing:
        data = computations.options(game, line, objective, True, _no_progress)
    return data | {"options": data["options"][: max(top, 1)]}


def value(card: Card = "-", rules: Name = "", objective: Objective = "expected") -> dict[str, Any]:
    """Compute the value of a scorecard before the first roll of a turn."""
    game = _game(rules)
    scorecard = Scorecard(game, card)
    with _computing:
        solution = computations.solution(game, objective, True, _no_progress)
        return {
            "rules": game.name,
            "objective": objective,
            "card": card,
            "value": solution.value(scorecard),
        }


def odds(
    target: Annotated[
        str, Field(description="full-house, 3-of-a-kind, 4x6+ (four sixes), sum>=25, or sum.")
    ],
    dice: Annotated[int, Field(ge=1, description="The number of dice.")] = 5,
    faces: Annotated[int, Field(ge=1, description="The number of faces of each die.")] = 6,
    rolls: Annotated[int, Field(ge=1, description="The number of rolls in the turn.")] = 3,
    hand: Annotated[str, Field(description="The current dice; empty: before the roll.")] = "",
    rolls_left: Left = 2,
) -> dict[str, Any]:
    """Compute the odds of a target within one turn, and with a hand the best dice to keep."""
    left = rolls_left if hand else rolls - 1
    with _computing:
        result = decision_analysis.odds(
            target, faces, dice, rolls, hand=hand or None, rolls_left=left
        )
        return result.as_dict()


def review(
    record: Annotated[str, Field(description="A game record, as text or as JSON.")],
    rules: Name = "",
    objective: Objective = "expected",
) -> list[dict[str, Any]]:
    """Review a game: the EV loss of each decision, and the luck of each roll, for each player."""
    game = Game.parse(record, load_rules(rules) if rules else None)
    check_size(game.rules)
    with _computing:
        reviews = computations.reviews(game.as_json(), objective, True, _no_progress)
        return [item.as_dict() for item in reviews]


def rules(name: Name = "") -> dict[str, Any]:
    """List the games, or describe the rules of one game in words."""
    if not name:
        games = {preset: load_rules(preset).title for preset in preset_names()}
        return {"default": str(default_rules().source), "games": games}
    game = load_rules(name)
    return {
        "name": game.name,
        "title": game.title,
        "rules": list(describe(game)),
        "categories": {category.key: category.title for category in game.categories},
    }


def duel(
    dice: Dice,
    opponent: Annotated[str, Field(description="The opponent's scorecard, like card.")],
    rolls_left: Left = 2,
    card: Card = "-",
    plays: Annotated[
        str, Field(description="duel: the opponent responds; or a strategy, such as optimal.")
    ] = DUEL,
    rules: Name = "",
    top: Top = 5,
) -> dict[str, Any]:
    """Find the best option to win against an opponent whose scorecard you know."""
    line = _position(dice, rolls_left, card)
    game = _game(rules)
    with _computing:
        data = opponent_advice.reply(game, line, opponent, plays, _no_progress).told
    return data | {"options": data["options"][: max(top, 1)]}
