"""The seats of a game: who plays which player, from which browser.

A browser takes a seat and gets a cookie with the number of the player and a secret. After that,
only windows with this cookie can move for this player. Players without a seat of their own are
played in any window that has no seat.
"""

from collections import Counter
from collections.abc import Sequence

from rollwise.errors import IllegalError
from rollwise.web.access_token import new_token

COOKIE = "rollwise-seat"


class Seats:
    """The seats of the players of one game.

    Parameters
    ----------
    players : sequence of str
    """

    def __init__(self, players: Sequence[str]) -> None:
        self._players = players
        self._secrets: dict[int, str] = {}
        self._given_up: set[int] = set()
        self._windows: Counter[str] = Counter()

    def take(self, player: int) -> str:
        """Take a free seat, and return its cookie.

        Raises
        ------
        IllegalError
            If there is no such player, or if someone else has the seat.
        """
        if not 0 <= player < len(self._players):
            raise IllegalError(f"this game has no player {player + 1}")
        if player in self._secrets:
            raise IllegalError(f"{self._players[player]} plays on another device")
        self._secrets[player] = new_token()
        return f"{player}.{self._secrets[player]}"

    def leave(self, cookie: str) -> None:
        """Free the seat of a cookie, which then has no seat in any window."""
        if (player := self.player(cookie)) is not None:
            del self._secrets[player]
            self._given_up.add(player)

    def player(self, cookie: str) -> int | None:
        """Return the player whose seat a cookie has; None if it has none.

        A cookie takes its seat again after the server was restarted, but not if the seat was given
        up.
        """
        number, _, secret = cookie.partition(".")
        if not (number.isascii() and number.isdecimal() and len(secret) == len(new_token())):
            return None
        player = int(number)
        if player >= len(self._players):
            return None
        if player not in self._given_up:
            self._secrets.setdefault(player, secret)
        return player if self._secrets.get(player) == secret else None

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
            "free" if p not in self._secrets else "here" if p in here else "away"
            for p in range(len(self._players))
        ]

    def may_play(self, player: int, own: int | None) -> bool:
        """Return whether a window with the seat ``own``, or without one, may move for a player."""
        return player == own if own is not None else player not in self._secrets

    def check(self, player: int, own: int | None) -> None:
        """Check that a window may move for a player.

        Raises
        ------
        IllegalError
            If the player has another seat.
        """
        if not self.may_play(player, own):
            mine = f"; you play {self._players[own]}" if own is not None else ""
            raise IllegalError(f"{self._players[player]} plays in another window{mine}")
