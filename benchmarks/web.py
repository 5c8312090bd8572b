"""Measure the speed of the server: ``python benchmarks/web.py [ADDRESS]``.

By default, 50 parallel clients send 2,000 requests for the options of random positions to a new
local server. With ``--attack [SECONDS]`` 200 clients attack the server, by default for three
minutes (:mod:`web_attack`). With ``--share [SECONDS]`` ten clients send heavy requests, and the
script prints the delays of another client's light requests. With ``--memory [REQUESTS]`` clients
send mixed requests, by default 50,000, and the script prints the memory of the server. With
``--clicks`` the script plays a game in Chromium and prints the delay from a click to its effect
(:mod:`web_clicks`).
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
"""The seconds to wait after an attack until the server is idle."""

MICRO = load_rules("micro-yahtzee").model_dump(mode="json")


def positions(count: int) -> list[str]:
    """Return random positions from random games."""
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
    """Return the seconds of each request, sorted; each client keeps one connection open."""
    waiting = [f"/api/options?{urlencode({'position': line})}" for line in positions(REQUESTS)]

    def client(number: int) -> list[float]:
        connection, seconds = HTTPConnection(urlsplit(address).netloc, timeout=60), list[float]()
        headers = {"X-Forwarded-For": f"10.0.0.{number}"}  # as a proxy sends it
        with suppress(IndexError):  # all requests are sent
            while True:
                path, start = waiting.pop(), time.perf_counter()
                connection.request("GET", path, headers=headers)
                response = connection.getresponse()
                response.read()
                seconds.append(time.perf_counter() - start)
                assert response.status == 200
        connection.close()
        return seconds

    with ThreadPoolExecutor(CLIENTS) as clients:
        return sorted(chain.from_iterable(clients.map(client, range(CLIENTS))))


def report(address: str) -> None:
    """Send one request, which solves the game, and then measure and print the delays."""
    with urlopen(f"{address}/api/value", timeout=120) as response:
        assert response.status == 200
    start = time.perf_counter()
    seconds = measure(address)
    total = time.perf_counter() - start
    print(f"{REQUESTS} requests, {CLIENTS} clients: {REQUESTS / total:.0f} a second, no error")
    for share in (0.5, 0.9, 0.99):
        print(f"{share:4.0%} within {1000 * seconds[int(share * REQUESTS) - 1]:.0f} ms")


def memory(process: int) -> str:
    """Describe the memory of a process and of its children, in MiB."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    pages = [int(Path(f"/proc/{id}/statm").read_text().split()[1]) for id in (process, *children)]
    sizes = [page * os.sysconf("SC_PAGE_SIZE") >> 20 for page in pages]
    return f"{sizes[0]} MiB, beside it {len(children)} processes of {sum(sizes[1:])} MiB"


def attack(address: str, process: int, seconds: float) -> None:
    """Let 200 clients attack the server, and print the delays of players."""
    with urlopen(f"{address}/api/value", timeout=120) as response:
        assert response.status == 200
    print(f"before: {memory(process)}")
    fight = Attack(address, positions(100), seconds)
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as others:
        attacked = others.submit(web_attack.attack, address, positions(500), seconds)
        asyncio.run(fight.play())
    for kind, statuses in (fight.statuses | attacked.result()).items():
        print(f"{kind:10s} {', '.join(f'{n} × {status}' for status, n in statuses.most_common())}")
    for effect, delays in fight.clicks.items():
        clicks = sorted(delays)
        within = (
            f"{share:.0%} within {1000 * clicks[int(share * len(clicks)) - 1]:.0f} ms"
            for share in (0.5, 0.9, 0.99)
        )
        print(f"{len(clicks)} clicks {effect}: {', '.join(within)}")
    print(f"after: {memory(process)}", flush=True)
    time.sleep(CALM)
    print(f"{CALM} s later: {memory(process)}")


def share(address: str, process: int, seconds: float) -> None:
    """Let ten clients send heavy requests, and print the delays of light requests of another."""
    with urlopen(f"{address}/api/value", timeout=120) as response:
        assert response.status == 200
    print(f"before: {memory(process)}")
    delays, statuses = web_attack.greedy_mix(address, seconds)
    for kind, counts in statuses.items():
        print(f"{kind:10s} {', '.join(f'{n} × {status}' for status, n in counts.most_common())}")
    for part in (0.5, 0.9, 0.99):
        print(f"{part:4.0%} within {1000 * delays[int(part * len(delays)) - 1]:.0f} ms")
    print(f"after: {memory(process)}", flush=True)


def mixed(number: int, lines: list[str]) -> tuple[str, str, str]:
    """Return the method, path, and body of a random request, often with new rules."""
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
    """Send mixed requests; after each tenth of the requests, print the memory of the server."""
    lines = positions(500)

    def client(numbers: range) -> int:
        connection, errors = HTTPConnection(urlsplit(address).netloc, timeout=120), 0
        for number in numbers:
            method, path, body = mixed(number, lines)
            headers = {"X-Forwarded-For": f"10.0.{number % 50}.1"}
            if body:
                headers["Content-Type"] = "application/json"
            connection.request(method, path, body or None, headers)
            response = connection.getresponse()
            response.read()
            errors += response.status >= 500 and response.status != 503
        connection.close()
        return errors

    part, clients = requests // 10, 8
    for begin in range(0, requests, part):
        with ThreadPoolExecutor(clients) as pool:
            numbers = [range(begin + first, begin + part, clients) for first in range(clients)]
            errors = sum(pool.map(client, numbers))
        print(f"{begin + part} requests: {memory(process)}, {errors} × 5xx but 503", flush=True)


def main() -> None:
    """Measure the server at an address, or a new server."""
    option = sys.argv[1] if len(sys.argv) > 1 else ""
    amount = float(sys.argv[2]) if len(sys.argv) > 2 else 0.0
    if option and not option.startswith("--"):
        report(sys.argv[1])
        return
    with serving() as server:
        if option == "--attack":
            attack(server.address, server.process, amount or 180.0)
        elif option == "--share":
            share(server.address, server.process, amount or 180.0)
        elif option == "--clicks":
            web_clicks.report(server.address)
        elif option == "--memory":
            fill(server.address, server.process, int(amount) or 50_000)
        else:
            report(server.address)


if __name__ == "__main__":
    main()
