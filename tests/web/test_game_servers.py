"""Test servers as processes: shared games, odd messages, ends, and restarts."""

import json
import signal
import socket
import struct
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from rollwise import Game
from rollwise.game.actions import Score
from rollwise.game.notation import format_action
from rollwise.history import History, NoSuchGameError
from rollwise.web.game_socket import UNSUPPORTED
from rollwise.web.server import listening
from servers import Server, serving
from waiting import PATIENCE

PLAYERS = ("Ada", "Ben", "Cleo", "Dora")


class Window:
    """A window of a game that sends events and reads answers, without a browser."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.state = json.loads(socket.recv(PATIENCE))["state"]
        self._number = 0

    def send(self, event: str) -> str:
        """Send an event after all events that the window has seen; return the refusal, or ''."""
        self._number += 1
        after = len(self.state["events"])
        self.socket.send(json.dumps({"id": self._number, "after": after, "event": event}))
        while True:
            message = json.loads(self.socket.recv(PATIENCE))
            self.state = message.get("state", self.state)
            if message.get("id") == self._number:
                return str(message.get("refused", ""))


@contextmanager
def opened(server: Server, id: str) -> Iterator[Window]:
    with connect(f"{server.address.replace('http', 'ws')}/play/{id}/socket") as socket:
        yield Window(socket)


def next_event(events: list[str]) -> str:
    """Return a roll, or a score in the first open category."""
    game = Game("crag", PLAYERS, events)
    if game.awaits_roll:
        return "roll"
    score = next(action for action in game.legal_actions() if isinstance(action, Score))
    return format_action(game.rules, score)


def test_two_servers_lose_no_event_of_a_game(server: Server, tmp_path: Path) -> None:
    server.save("shared", Game("crag", PLAYERS, seed=5))
    acknowledged: list[str] = []
    with (
        serving(server.database, tmp_path) as other,
        opened(server, "shared") as here,
        opened(other, "shared") as there,
    ):
        for number in range(100):
            window = (here, there)[number % 2]
            event = next_event(window.state["events"])
            if refusal := window.send(event):
                assert refusal == "The game has gone on in another window."
                assert window.state["events"] == acknowledged
                event = next_event(acknowledged)
                assert window.send(event) == ""
            *before, last = window.state["events"]
            assert (before, last.split()[0]) == (acknowledged, event.split()[0])
            acknowledged.append(last)
        assert server.game("shared").lines == acknowledged
        with History(server.database) as history:
            history.delete("shared")
        assert here.send(next_event(acknowledged)) == "The game was deleted."
        with pytest.raises(NoSuchGameError):
            server.game("shared")
        for each in (server, other):
            with pytest.raises(urllib.error.HTTPError, match="404"):
                urllib.request.urlopen(f"{each.address}/api/games/shared")


def request(server: Server, head: str, body: bytes = b"") -> socket.socket:
    """Send a request, or the first part of one, and return the connection."""
    connection = socket.create_connection(("127.0.0.1", server.port), PATIENCE)
    lines = f"{head}\r\nHost: 127.0.0.1:{server.port}\r\n\r\n"
    connection.sendall(lines.encode("latin-1") + body)
    return connection


UPGRADE = (
    "GET /play/odd/socket HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="
)


def test_odd_requests_close_a_connection_without_a_traceback(server: Server) -> None:
    server.save("odd", Game("crag", seed=5))
    with opened(server, "odd") as window:
        for message in (b"\0", "x", "[]", "{}", '{"id": 1, "after": 0, "event": 1}', "\N{SNOWMAN}"):
            with opened(server, "odd") as other:
                other.socket.send(message)
                with suppress(ConnectionClosed):
                    while True:
                        other.socket.recv(PATIENCE)
                assert other.socket.close_code == UNSUPPORTED
        odd = "Host: \xe9", f"Cookie: rollwise-seat={'9' * 5000}.{'A' * 22}", "Origin: http://["
        for more in ("", *(f"\r\n{header}" for header in odd)):
            with request(server, UPGRADE + more) as connection:
                assert connection.recv(12) in (b"HTTP/1.1 101", b"HTTP/1.1 400", b"HTTP/1.1 403")
                # The connection is reset while the server sends.
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        assert window.send("roll") == ""
        assert window.state["events"]
    assert "Traceback" not in server.log.read_text()


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_a_server_at_once(sign: signal.Signals, tmp_path: Path) -> None:
    query = urllib.parse.urlencode({"dice": "11366", "objective": "beat", "opponent": "-"})
    half = "POST /api/games HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 99"
    with serving(f"sqlite:///{tmp_path}/games.sqlite", tmp_path) as server:
        server.save("open", Game("crag", PLAYERS, seed=5))
        with (
            opened(server, "open"),
            request(server, half, b"{"),
            request(server, f"GET /api/advise?{query} HTTP/1.1") as computing,
        ):
            urllib.request.urlopen(f"{server.address}/healthz", timeout=PATIENCE).close()
            server.process.send_signal(sign)
            server.process.wait(8)  # 2 s for requests that might finish, and a busy machine
            assert computing.recv(12) in (b"HTTP/1.1 503", b"")
    assert "Traceback" not in server.log.read_text()


def test_answers_do_not_wait_for_an_acknowledgment() -> None:
    with listening("127.0.0.1", 0) as (one, *_), socket.create_connection(one.getsockname()):
        connection, _ = one.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
