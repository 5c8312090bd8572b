"""The seats of a game: who plays which player, from which browser.

A browser takes a seat and gets a cookie with the number of the player. After that, only windows
with this cookie can move for this player. Players without a seat of their own are played in any
window that has no seat.

The server signs the cookies, so that a seat is only ever taken through the server, and saves its
key beside the history, so that everyone keeps their seat when it is restarted.
"""

import hmac
import secrets
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from starlette.requests import HTTPConnection

from rollwise.errors import IllegalError
from rollwise.files import replace_file
from rollwise.web.access_token import may_change, new_token

COOKIE = "rollwise-seat"


def seat_cookie(request: HTTPConnection) -> str:
    """Return the seat cookie of someone who may change games; otherwise an empty string."""
    return request.cookies.get(COOKIE, "") if may_change(request) else ""


def seat_key(history_file: Path | None) -> bytes:
    """Return the key that signs the cookies, from a file that only its owner can read.

    If it cannot be saved beside the history, the key is new, and seats end with the server.
    """
    key = secrets.token_bytes()
    if history_file is None:
        return key
    path = history_file.with_name(f"{history_file.name}.seats")
    try:
        if not path.exists():
            replace_file(path, key, mode=0o600)
        return path.read_bytes()
    except OSError:
        return key


class Seats:
    """The seats of the players of one game.

    Parameters
    ----------
    id : str
        The id of the game.
    players : sequence of str
    key : bytes
        The key that signs the cookies.
    """

    def __init__(self, id: str, players: Sequence[str], key: bytes) -> None:
        self._id, self._players, self._key = id, players, key
        self._cookies: dict[int, str] = {}
        self._given_up: set[str] = set()
        self._windows: Counter[str] = Counter()

    def take(self, player: int) -> str:
        """Take a free seat, and return its cookie.

        Raise IllegalError if there is no such player, or if someone else has the seat.
        """
        if not 0 <= player < len(self._players):
            raise IllegalError(f"this game has no player {player + 1}")
        if player in self._cookies:
            raise IllegalError(f"{self._players[player]} plays on another device")
        seat = f"{player}.{new_token()}"
        self._cookies[player] = f"{seat}.{self._signature(seat)}"
        return self._cookies[player]

    def leave(self, cookie: str) -> None:
        """Free the seat of a cookie, which then has no seat in any window."""
        if (player := self.player(cookie)) is not None:
            del self._cookies[player]
            self._given_up.add(cookie)

    def player(self, cookie: str) -> int | None:
        """Return the player whose seat a cookie has; None if it has none.

        A cookie takes its seat again after the server was restarted, but not if the seat was given
        up.
        """
        seat, _, signature = cookie.rpartition(".")
        if not hmac.compare_digest(signature.encode(), self._signature(seat).encode()):
            return None
        player = int(seat.partition(".")[0])
        if cookie not in self._given_up:
            self._cookies.setdefault(player, cookie)
        return player if self._cookies.get(player) == cookie else None

    def _signature(self, seat: str) -> str:
        return hmac.digest(self._key, f"{self._id} {seat}".encode(), "sha256").hex()

    def enter(self, cookie: str) -> None:
        """Count a window with a cookie."""
        self._windows[cookie] += 1

    def exit(self, cookie: str) -> None:
        """Stop counting a window with a cookie."""
        self._windows[cookie] -= 1
        if not self._windows[cookie]:
            del self._windows[cookie]

    def states(self) -> list[str]:
        """Return the state of each seat: ``free``, or ``here`` or ``away`` after its owner."""
        here = {self.player(cookie) for cookie in self._windows}
        return [
            "free" if p not in self._cookies else "here" if p in here else "away"
            for p in range(len(self._players))
        ]

    def may_play(self, player: int, own: int | None) -> bool:
        """Return whether a window with the seat ``own``, or without one, may move for a player."""
        return player == own if own is not None else player not in self._cookies

    def check(self, player: int, own: int | None) -> None:
        """Check that a window may move for a player.

        Raise IllegalError if the player has another seat.
        """
        if not self.may_play(player, own):
            mine = f"; you play {self._players[own]}" if own is not None else ""
            raise IllegalError(f"{self._players[player]} plays in another window{mine}")
