"""Measure a server under the load of a class: the time of a click, and its memory.

Run ``python benchmarks/server.py [--players N] [--seconds N] [--requests N]`` in an environment
with the test extra. The script starts a server with an empty cache, and prints

* the time from a click to its answer, for players who roll, keep, and score, each in a game of
  their own: on an idle server, and while it computes the statistics of several games;
* the memory of the server and its processes after each tenth of a number of mixed requests.
"""

import argparse
import asyncio
import json
import os
import random
import sys
import tempfile
import time
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import numpy as np
from websockets.asyncio.client import connect

from rollwise import Game, load_rules
from rollwise.history import History

sys.path.append(str(Path(__file__).parent.parent / "tests"))
from games import QUICK, at_random, play
from servers import Server, serving

RULES = load_rules("yahtzee")

PAUSE = 0.2, 1.2
"""The shortest and the longest time between two clicks of a player, in seconds."""

AT_ONCE = 20
"""The number of clients that send mixed requests."""


def next_event(state: dict[str, Any], rng: random.Random) -> str:
    """Return a roll, a random set of dice to keep, or a score in a random category."""
    stage = state["stage"]
    if not stage["dice"] or 0 in stage["dice"]:
        return "roll"
    if stage["rollsLeft"] and rng.random() < 0.8:
        kept = sorted(rng.sample(stage["dice"], rng.randrange(5)))
        return f"keep {''.join(map(str, kept)) or '-'}"
    category, _ = rng.choice(state["possible"])
    return f"score {RULES.keys[category]}"


async def play_until(server: Server, id: str, end: float) -> list[float]:
    """Play a game until a time, and return the seconds from each click to its answer."""
    rng, waits = random.Random(id), list[float]()
    async with connect(f"{server.address.replace('http', 'ws')}/play/{id}/socket") as socket:
        state = json.loads(await socket.recv())["state"]
        for number in count():
            await asyncio.sleep(rng.uniform(*PAUSE))
            if time.monotonic() > end or all(map(all, state["stage"]["cards"])):
                return waits
            event = next_event(state, rng)
            begun = time.perf_counter()
            request = {"id": number, "after": len(state["events"]), "event": event}
            await socket.send(json.dumps(request))
            answer: dict[str, Any] = {}
            while answer.get("id") != number:
                answer = json.loads(await socket.recv())
                state = answer.get("state", state)
            assert "refused" not in answer, answer
            waits.append(time.perf_counter() - begun)
    return waits


async def measure_clicks(server: Server, what: str, players: int, seconds: float) -> None:
    """Print the times of clicks of several players at the same time."""
    ids = [f"{what.replace(' ', '-')}-{number}" for number in range(players)]
    with History(server.database) as history:
        for number, id in enumerate(ids):
            history.save(id, Game(RULES, ["Ada", "Ben"][: 1 + number % 2], seed=number))
    end = time.monotonic() + seconds
    waits = sum(await asyncio.gather(*(play_until(server, id, end) for id in ids)), list[float]())
    at = np.percentile(waits, [50, 95, 99, 100]) * 1000
    print(
        f"{what}: {len(waits)} clicks of {players} players, in ms: median {at[0]:.0f}, "
        f"95 % {at[1]:.0f}, 99 % {at[2]:.0f}, longest {at[3]:.0f}",
        flush=True,
    )


def megabytes(process: int) -> float:
    """Return the memory of a process and its children."""
    folder = Path(f"/proc/{process}")
    (line,) = (row for row in (folder / "status").read_text().splitlines() if "VmRSS" in row)
    children = (folder / f"task/{process}/children").read_text().split()
    return int(line.split()[1]) / 1024 + sum(megabytes(int(child)) for child in children)


async def send(client: httpx.AsyncClient, number: int, rng: random.Random) -> None:
    """Send one of several requests, some of them wrong."""
    dice, quick = "".join(sorted(rng.choices("123456", k=5))), rng.choice(QUICK)
    match number % 10:
        case 0:
            await client.get("/")
        case 1:
            await client.get("/advise", params={"position": f"dice {dice} | rolls-left 1 | card -"})
        case 2:
            await client.get("/api/advise", params={"dice": dice, "rules": quick})
        case 3:
            await client.get("/api/odds", params={"dice": dice, "target": "full-house"})
        case 4:
            own = load_rules("micro-yahtzee").model_copy(update={"name": f"own-{number}"})
            await client.post(
                "/api/advise", json={"dice": "3", "rules": own.model_dump(mode="json")}
            )
        case 5:
            record = str(play(RULES, ["Ada"], number, at_random(number), rng.randrange(60)))
            await client.post("/games", data={"record": record}, follow_redirects=True)
        case 6:
            record = str(play(load_rules("micro-yahtzee"), ["Ada"], number, at_random(number)))
            await client.post("/api/review", json={"game": record})
        case 7:
            await client.post("/api/games", content=b"[" * number)
        case 8:
            started = await client.post("/", data={"rules": quick, "players": "Ada"})
            await client.get(started.headers.get("Location", "/"))
        case 9:
            await client.get(f"/puzzle/2026-01-{1 + number // 10 % 31:02d}")


async def measure_memory(server: Server, requests: int) -> None:
    """Print the memory of the server during mixed requests."""
    numbers = iter(range(requests))

    async def send_all() -> None:
        async with httpx.AsyncClient(base_url=server.address, timeout=600) as client:
            for number in numbers:
                await send(client, number, random.Random(number))
                if number % (requests // 10) == 0:
                    print(
                        f"{number:6} requests: {megabytes(server.process.pid):.0f} MB", flush=True
                    )

    await asyncio.gather(*(send_all() for _ in range(AT_ONCE)))
    print(f"{requests:6} requests: {megabytes(server.process.pid):.0f} MB")


async def main() -> None:
    """Start a server, and measure it."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--players", type=int, default=30)
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--requests", type=int, default=20_000)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["ROLLWISE_CACHE"] = str(folder)
        with serving(str(folder / "games.sqlite"), folder) as server:
            await measure_clicks(server, "idle", chosen.players, chosen.seconds)
            async with httpx.AsyncClient(base_url=server.address, timeout=600) as client:
                for rules in QUICK:
                    await client.get("/strategies", params={"rules": rules})
            busy = "computing statistics"
            await measure_clicks(server, busy, chosen.players, chosen.seconds)
        with serving(str(folder / "games.sqlite"), folder) as server:
            await measure_memory(server, chosen.requests)


if __name__ == "__main__":
    asyncio.run(main())
