"""How fast the server answers requests for advice: ``python benchmarks/web.py [ADDRESS]``.

Starts a server of its own on loopback unless told the address of one; 2,000 requests for the
options of random positions, from 50 clients at once.
"""

import random
import socket
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.client import HTTPConnection
from itertools import chain
from urllib.parse import urlencode, urlsplit
from urllib.request import urlopen

from rollwise import Position, load_rules
from rollwise.game.game import Game, fair_roll
from rollwise.game.notation import format_position

REQUESTS, CLIENTS = 2_000, 50


def positions(count: int) -> list[str]:
    """Return positions of games that are played at random."""
    rules, rng, lines = load_rules("yahtzee"), random.Random(1), list[str]()
    while len(lines) < count:
        game, seed = Game(rules), rng.getrandbits(40)
        while not game.is_over:
            if game.awaits_roll:
                game.push(fair_roll(game, seed))
                position: Position | None = game.position
                assert position is not None
                lines.append(format_position(position))
            else:
                game.push(rng.choice(game.legal_actions()))
    return rng.sample(lines, count)


def measure(address: str) -> list[float]:
    """Return the seconds that each answer took, sorted; a connection a client, kept open."""
    waiting = [f"/api/options?{urlencode({'position': line})}" for line in positions(REQUESTS)]

    def client(_: int) -> list[float]:
        connection, seconds = HTTPConnection(urlsplit(address).netloc, timeout=60), list[float]()
        with suppress(IndexError):  # nothing is waiting any more
            while True:
                path, start = waiting.pop(), time.perf_counter()
                connection.request("GET", path)
                answer = connection.getresponse()
                answer.read()
                seconds.append(time.perf_counter() - start)
                assert answer.status == 200
        connection.close()
        return seconds

    with ThreadPoolExecutor(CLIENTS) as clients:
        return sorted(chain.from_iterable(clients.map(client, range(CLIENTS))))


def report(address: str) -> None:
    """Ask for one answer, so that the game is solved, then measure and print."""
    with urlopen(f"{address}/api/value", timeout=120) as answer:
        assert answer.status == 200
    start = time.perf_counter()
    seconds = measure(address)
    whole = time.perf_counter() - start
    print(f"{REQUESTS} requests, {CLIENTS} clients: {REQUESTS / whole:.0f} a second, no error")
    for share in (0.5, 0.9, 0.99):
        print(f"{share:4.0%} within {1000 * seconds[int(share * REQUESTS) - 1]:.0f} ms")


def main() -> None:
    """Measure the server that was named, or one of our own."""
    if len(sys.argv) > 1:
        report(sys.argv[1])
        return
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable, "-m", "rollwise", "web", "--no-browser", "--quiet",
            "--port", str(port), "--database", f"sqlite:///{folder}/games.sqlite",
        ]  # fmt: skip
        server = subprocess.Popen(command)
        try:
            for _ in range(300):
                time.sleep(0.2)
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
            report(f"http://127.0.0.1:{port}")
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
