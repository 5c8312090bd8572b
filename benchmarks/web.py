"""How fast the server answers requests for advice: ``python benchmarks/web.py [ADDRESS]``.

``--attack [SECONDS]`` lets 200 clients do their worst for three minutes (:mod:`web_attack`);
``--memory [REQUESTS]`` sends 50,000 mixed requests, and tells what the server holds meanwhile.
``--clicks`` plays a game in Chromium, and tells how long clicks take to be seen
(:mod:`web_clicks`).

Starts a server of its own on loopback unless told the address of one; 2,000 requests for the
options of random positions, from 50 clients at once.
"""

import asyncio
import json
import multiprocessing
import os
import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from http.client import HTTPConnection
from itertools import chain
from pathlib import Path
from urllib.parse import urlencode, urlsplit
from urllib.request import urlopen

import web_attack
import web_clicks
from rollwise import Position, load_rules
from rollwise.game.game import Game, fair_roll
from rollwise.game.notation import format_position
from web_attack import Attack
from web_server import serving

REQUESTS, CLIENTS = 2_000, 50
CALM = 90
"""Seconds after an attack, within which pages that nobody has connected are forgotten."""

MICRO = load_rules("micro-yahtzee").model_dump(mode="json")


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

    def client(number: int) -> list[float]:
        connection, seconds = HTTPConnection(urlsplit(address).netloc, timeout=60), list[float]()
        headers = {"X-Forwarded-For": f"10.0.0.{number}"}  # as a proxy tells them apart
        with suppress(IndexError):  # nothing is waiting any more
            while True:
                path, start = waiting.pop(), time.perf_counter()
                connection.request("GET", path, headers=headers)
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


def memory(process: int) -> str:
    """Return what a process and its children hold, in MiB."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    pages = [int(Path(f"/proc/{one}/statm").read_text().split()[1]) for one in (process, *children)]
    sizes = [page * os.sysconf("SC_PAGE_SIZE") >> 20 for page in pages]
    return f"{sizes[0]} MiB, beside it {len(children)} processes of {sum(sizes[1:])} MiB"


def attack(address: str, process: int, seconds: float) -> None:
    """Let 200 clients do their worst, and print what players met."""
    with urlopen(f"{address}/api/value", timeout=120) as answer:
        assert answer.status == 200
    print(f"before: {memory(process)}")
    fight = Attack(address, positions(100), seconds)
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as others:
        attacked = others.submit(web_attack.attack, address, positions(500), seconds)
        asyncio.run(fight.play())
    for who, statuses in (fight.statuses | attacked.result()).items():
        print(f"{who:10s} {', '.join(f'{n} × {status}' for status, n in statuses.most_common())}")
    for kind, seconds_of in fight.clicks.items():
        clicks = sorted(seconds_of)
        within = (
            f"{share:.0%} within {1000 * clicks[int(share * len(clicks)) - 1]:.0f} ms"
            for share in (0.5, 0.9, 0.99)
        )
        print(f"{len(clicks)} clicks {kind}: {', '.join(within)}")
    print(f"after: {memory(process)}", flush=True)
    time.sleep(CALM)
    print(f"{CALM} s later: {memory(process)}")


def mixed(number: int, lines: list[str]) -> tuple[str, str, str]:
    """Return a request of a stranger: method, path and body; every other one new to the server."""
    rng = random.Random(number)
    rules = {**MICRO, "name": f"own-{number}", "title": f"Own {number}", "about": "x" * 1_000}
    position = {"rules": rules, "position": "dice 4 | rolls-left 0 | card -"}
    record = {"rules": rules, "players": [f"Ada {number}"]}
    kinds = [
        ("GET", f"/api/options?{urlencode({'position': rng.choice(lines)})}", ""),
        ("GET", f"/api/value?{urlencode({'rules': f'none-{number}'})}", ""),
        ("GET", f"/api/games/none-{number}", ""),
        ("GET", "/api/value?rules=crag", ""),
        ("POST", "/api/options", json.dumps(position)),
        ("POST", "/api/review", json.dumps({"record": f"rules: none-{number}\n11366 1"})),
        ("POST", "/api/review", json.dumps({"record": record})),
        ("POST", "/api/review", '{"record": NaN}'),
        ("POST", "/api/games", json.dumps({"rules": rules, "turns": number})),
        ("GET", rng.choice(("/", "/review", f"/play/none-{number}")), ""),
    ]
    weights = [20, 15, 15, 15, 5, 10, 3, 10, 6, 1]
    return rng.choices(kinds, weights)[0]


def fill(address: str, process: int, requests: int) -> None:
    """Send mixed requests, and print what the server holds after each tenth of them."""
    lines = positions(500)

    def client(numbers: range) -> int:
        connection, wrong = HTTPConnection(urlsplit(address).netloc, timeout=120), 0
        for number in numbers:
            method, path, body = mixed(number, lines)
            headers = {"X-Forwarded-For": f"10.0.{number % 50}.1"}
            if body:
                headers["Content-Type"] = "application/json"
            connection.request(method, path, body or None, headers)
            answer = connection.getresponse()
            answer.read()
            wrong += answer.status >= 500 and answer.status != 503
        connection.close()
        return wrong

    part, clients = requests // 10, 8
    for begin in range(0, requests, part):
        with ThreadPoolExecutor(clients) as pool:
            numbers = [range(begin + one, begin + part, clients) for one in range(clients)]
            wrong = sum(pool.map(client, numbers))
        print(f"{begin + part} requests: {memory(process)}, {wrong} × 5xx but 503", flush=True)


def main() -> None:
    """Measure the server that was named, or one of our own."""
    asked = sys.argv[1] if len(sys.argv) > 1 else ""
    most = float(sys.argv[2]) if len(sys.argv) > 2 else 0.0
    if asked and not asked.startswith("--"):
        report(sys.argv[1])
        return
    with serving() as server:
        if asked == "--attack":
            attack(server.address, server.process, most or 180.0)
        elif asked == "--clicks":
            web_clicks.report(server.address)
        elif asked == "--memory":
            fill(server.address, server.process, int(most) or 50_000)
        else:
            report(server.address)


if __name__ == "__main__":
    main()
