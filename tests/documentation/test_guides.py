"""Check that the server and the cluster do what their guides show."""

import argparse
import json
import re
import shlex
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from console import Example, output_of, pages, reader
from repository import DOCS
from rollwise.questions import network, size_limits
from rollwise.web import access_control, computing, server
from servers import serving
from waiting import PATIENCE, wait_until

SCREENS = DOCS / "images" / "screens"
SERVER, CLUSTER = ((DOCS / name).read_text("utf-8") for name in ("server.md", "cluster.md"))


def test_every_screen_is_shown_and_small() -> None:
    shown = "".join(page.read_text("utf-8") for page in pages())
    named = set(re.findall(r"images/screens/([\w-]+\.png)", shown))
    files = {path.name: path.stat().st_size for path in SCREENS.iterdir()}
    assert named == files.keys()
    assert max(files.values()) < 150_000


def test_limits_of_a_server() -> None:
    page = (DOCS / "reference" / "server.md").read_text("utf-8")
    rows = page.partition("| what | at most |\n| --- | --- |\n")[2].partition("\n\n")[0]
    on_page = [row.rpartition(" | ")[2].removesuffix(" |") for row in rows.splitlines()]
    expected: list[list[float]] = [
        [server.MAX_CONNECTIONS], [access_control.MAX_BODY],
        [size_limits.MAX_KEEPS, size_limits.MAX_STATES, size_limits.MAX_WORK],
        [network.MOST_GAMES], [computing.MOST_WAITING], [computing.CPU_SECONDS],
        [computing.MEMORY >> 30], [computing.RESULT_BYTES >> 20],
    ]  # fmt: skip
    assert on_page == [", ".join(f"{number:,.0f}" for number in numbers) for numbers in expected]


def response_to(command: str, address: str) -> object:
    """Return the response of a server to a curl command."""
    words = argparse.ArgumentParser()
    words.add_argument("url")
    words.add_argument("-s", "-G", action="store_true")
    words.add_argument("-d", "--data-urlencode", action="append", default=[], dest="data")
    arguments = words.parse_args(shlex.split(command)[1:])
    url = arguments.url.replace("localhost:8642", address)
    query = dict(item.partition("=")[::2] for item in arguments.data)
    return httpx.get(url, params=query, timeout=PATIENCE).json()


@pytest.mark.slow
def test_answers_of_a_server(tmp_path: Path) -> None:
    shown = re.findall(r"```sh\n(curl .*)\n```\n\n```json\n([^`]*)```", SERVER)
    assert len(shown) == SERVER.count("```json") == 2
    with serving(f"sqlite:///{tmp_path}/games.sqlite", tmp_path) as server:
        for command, answer in shown:
            assert response_to(command, server.address) == json.loads(answer)


@pytest.mark.slow
def test_a_cluster_started_as_in_the_guide(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    text = CLUSTER.replace("10.0.0.1:8786", f"127.0.0.1:{port}").replace(
        "port 8786", f"port {port}"
    )
    beginnings = (
        "dask scheduler ", "dask worker ", "rollwise sweep .*--cluster tcp:",
        "rollwise solve .*--cluster local:", "rollwise solve .*--cluster tcp:",
    )  # fmt: skip
    scheduler, worker, sweep, here, there = (
        re.findall(rf"^{beginning}.*", text, re.MULTILINE)[0] for beginning in beginnings
    )
    with dask(scheduler, tmp_path):
        wait_until(lambda: listens(port))
        with dask(worker.replace("--nworkers 4", "--nworkers 1"), tmp_path), reader(tmp_path):
            assert "mean" in output_of(Example("", sweep))
            value = [f"{output_of(Example('', line))}" for line in (there, here)]
            assert value[0].splitlines()[:3] == value[1].splitlines()[:3]
            assert "149.847593" in value[0]


@contextmanager
def dask(command: str, folder: Path) -> Iterator[None]:
    """Run a process of a cluster until the end of the block."""
    with (folder / "dask.log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", *shlex.split(command)], cwd=folder, stdout=log, stderr=log
        )
        try:
            yield
        finally:
            process.terminate()
            process.wait(PATIENCE)


def listens(port: int) -> bool:
    """Return whether a process listens on a port of this machine."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
