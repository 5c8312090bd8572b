"""How fast the server answers requests for advice: ``python benchmarks/web.py [ADDRESS]``.

Starts a server of its own on loopback unless told the address of one; 2,000 requests for the
options of random positions, from 50 clients at once.
"""

import asyncio
import random
import socket
import subprocess
import sys
import tempfile
import time

import httpx

from rollwise import Position, load_rules
from rollwise.game import Game, fair_roll
from rollwise.notation import format_position

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


async def measure(address: str) -> list[float]:
    """Return the seconds that each answer took."""
    waiting, seconds = positions(REQUESTS), list[float]()

    async def client() -> None:
        async with httpx.AsyncClient(base_url=address, timeout=60) as web:
            while waiting:
                line = waiting.pop()
                start = time.perf_counter()
                answer = await web.get("/api/options", params={"position": line})
                seconds.append(time.perf_counter() - start)
                answer.raise_for_status()

    await asyncio.gather(*(client() for _ in range(CLIENTS)))
    return sorted(seconds)


def report(address: str) -> None:
    """Ask for one answer, so that the game is solved, then measure and print."""
    httpx.get(f"{address}/api/value", timeout=120).raise_for_status()
    start = time.perf_counter()
    seconds = asyncio.run(measure(address))
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
