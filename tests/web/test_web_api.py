"""Test the JSON API and its server: answers, rules, games, refusals, load, and crashes."""

import json
import signal
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from importlib import resources
from pathlib import Path
from typing import Any
from unittest.mock import Mock
from urllib.parse import urlsplit

import httpx
import pytest
from hypothesis import HealthCheck, given, settings

import rollwise
from commands import run
from games import at_random, play
from rollwise import load_rules
from rollwise.game.game import Game
from rollwise.questions import QUESTIONS
from rollwise.solving.cache import is_cached
from rollwise.solving.objectives import EXPECTED
from servers import serving
from waiting import PATIENCE, wait_until

YAHTZEE = load_rules("yahtzee")
GAME = Game(YAHTZEE, ("Ada",), play(YAHTZEE, ["Ada"], 7, at_random(1)).events, seed=7)
LINE = "dice 11366 | rolls-left 1 | card ones=3,full-house=25,yahtzee=0"
MICRO = load_rules("micro-yahtzee")
OWN = MICRO.model_copy(update={"name": "sent"})
OF_OWN = {"rules": OWN.model_dump(mode="json"), "dice": "4", "rolls_left": 0}


def rule_file(folder: Path, name: str) -> str:
    """Write a file of the rules of Micro Yahtzee under another name."""
    preset = resources.files("rollwise.rules").joinpath("presets", "micro-yahtzee.toml")
    text = preset.read_text(encoding="utf-8").replace('"micro-yahtzee"', f'"{name}"')
    (file := folder / f"{name}.toml").write_text(text, encoding="utf-8")
    return str(file)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Yield a client of a server with rule files: one for its default game, and one more."""
    folder = tmp_path_factory.mktemp("api")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("ROLLWISE_RULES", rule_file(folder, "default"))
        mine = rule_file(folder, "mine")
        with (
            serving(f"sqlite:///{folder}/games.sqlite", folder, "--rules", mine) as server,
            httpx.Client(base_url=server.address, timeout=PATIENCE) as client,
        ):
            # On a slow machine the time limit of a job is too short to compile the code as well.
            wait_until(lambda: client.post("/api/advise", json=OF_OWN).is_success)
            yield client


DUEL = {"objective": "beat", "opponent": ["square=9"], "opponent_strategy": "duel"}


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("advise", {"rules": "yahtzee"}),
        ("advise", {"rules": "yahtzee", "dice": LINE}),
        ("advise", {"rules": "micro-yahtzee", "dice": "3", "rolls_left": 0, **DUEL}),
        (
            "advise",
            {"rules": "micro-yahtzee", "objective": "beat", "opponent": ["square=9", "double=2"]},
        ),
        ("simulate", {"rules": "micro-yahtzee", "strategy": "greedy", "games": 10, "seed": 1}),
        ("review", {"game": str(GAME)}),
        ("review", {"game": GAME.as_json()}),
    ],
)
def test_answers_to_a_query_and_to_a_body(
    client: httpx.Client, name: str, arguments: dict[str, Any]
) -> None:
    """Check that both ways to send the arguments of a function get its answer."""
    answer = json.loads(json.dumps(getattr(rollwise, name)(**arguments).data()))
    assert client.get(f"/api/{name}", params=arguments).json() == answer
    assert client.post(f"/api/{name}", json=arguments).json() == answer


def test_the_description_of_the_api(client: httpx.Client) -> None:
    paths = client.get("/api/openapi.json").json()["paths"]
    others = ("rules", "games", "games/{id}", "test", "puzzle/{day}")
    names = {*(name.replace(" ", "/") for name in QUESTIONS), *others}
    assert set(paths) == {f"/api/{name}" for name in names}


class TestRules:
    def test_names_and_titles(self, client: httpx.Client) -> None:
        titles = {rules["name"]: rules["title"] for rules in client.get("/api/rules").json()}
        assert titles["yahtzee"] == YAHTZEE.title
        assert titles["yahtzee-forced-joker"] == "Yahtzee (rule sheet)"
        assert "official" not in " ".join(titles.values()).lower()

    def test_files_that_the_server_was_started_with(self, client: httpx.Client) -> None:
        assert "mine" in [rules["name"] for rules in client.get("/api/rules").json()]
        assert client.get("/api/advise", params={"rules": "mine"}).json()["value"] > 0
        for record in ("rules: mine\n5 double\n1 square", '{"rules": "mine"}'):
            assert client.post("/api/review", json={"game": record}).status_code == 200

    def test_a_request_can_contain_rules(self, client: httpx.Client) -> None:
        data = client.post("/api/advise", json=OF_OWN).json()
        assert not is_cached(OWN, EXPECTED.name)  # custom rules do not fill the disk
        assert data["rules"] == "sent"
        assert data["options"][0]["value"] == pytest.approx(8 + 91 / 6)

    def test_requests_without_rules_use_the_default_game(self, client: httpx.Client) -> None:
        roll = "dice=4&rolls_left=0"
        for path in (
            "advise",
            f"advise?{roll}",
            f"advise?{roll}&objective=beat&opponent=square%3D9",
            "test",
            "puzzle/2026-11-22",
        ):
            assert client.get(f"/api/{path}").json()["rules"] == "default"
        assert client.get("/puzzle").headers["Location"].endswith("?rules=default")
        for path in ("/advise", "/strategies"):
            assert '<option value="default" selected' in client.get(path).text


def test_the_rating_test_and_the_puzzle(client: httpx.Client) -> None:
    mine = {"rules": "mine"}
    test = client.get("/api/test", params=mine).json()
    assert (test["rules"], len(test["questions"])) == ("mine", 6)
    assert test["scale"]["Medium"] > 0
    puzzle = client.get("/api/puzzle/2026-11-22", params=mine).json()
    for question in (*test["questions"], *puzzle["questions"]):
        position = mine | {"dice": question["position"]}
        options = client.get("/api/advise", params=position).json()["options"]
        assert question["best"] == options[0]["action"]
        keys = question["options"][0]
        assert question["options"] == [{key: option[key] for key in keys} for option in options]


def test_a_game_is_saved_and_deleted(client: httpx.Client) -> None:
    response = client.post("/api/games", json=json.loads(GAME.as_json()))
    assert response.status_code == 201
    address = f"/api/games/{response.json()['id']}"
    assert Game.parse(client.get(address).text) == GAME
    assert client.delete(address).status_code == 204
    assert client.get(address).status_code == 404
    assert client.delete(address).status_code == 404


LARGE = MICRO.model_dump(mode="json") | {"dice": 12, "faces": 20}
LARGE["categories"] = [category | {"worth": None} for category in LARGE["categories"]]
FULL = ",".join(f"{key}={5 * (key == 'chance')}" for key in YAHTZEE.keys)

REFUSED: list[tuple[str, dict[str, Any], int, str]] = [
    ("GET advise", {"rules": "yahtzee", "dice": "1"}, 400, "expected 5 dice"),
    ("GET advise", {"rules": "yahtzee", "card": "ones=6"}, 400, "ones cannot score 6"),
    ("GET advise", {"rules": "yahtzee", "card": FULL}, 400, "the game is over"),
    ("GET advise", {"dice": "11366", "rules": "/etc/passwd.toml"}, 400, "unknown rules"),
    ("GET advise", {"dice": "11366", "rules": "../x.toml"}, 400, "unknown rules"),
    ("GET advise", {"objective": "utility:/etc/passwd"}, 400, "is not built in"),
    ("GET simulate", {"strategy": "own.py:Own"}, 400, "is not built in"),
    ("GET advise", {"objective": "beat", "opponent": ["-"] * 6}, 400, "at most 5 scorecards"),
    ("GET duel", {"rules": "yahtzee", "grid": "light"}, 400, "fill more categories"),
    ("GET duel", {"rules": "micro-yahtzee", "save": "true"}, 400, "leave out save"),
    ("GET puzzle/yesterday", {}, 422, "day: expected a date such as 2026-11-22, got 'yesterday'"),
    ("POST advise", {"dices": "11366"}, 422, "dices: no such key"),
    (
        "POST review",
        {"game": "rules: /etc/hostname.toml\n11366 1"},
        400,
        "line 1: there is no game '/etc/hostname.toml'",
    ),
    ("POST advise", {"rules": LARGE, "dice": "1" * 12}, 400, "too large for this server"),
    ("POST games", {"rules": LARGE}, 400, "too large for this server"),
    ("POST review", {"game": json.dumps({"rules": LARGE})}, 400, "too large for this server"),
]


class TestRefusals:
    @pytest.mark.parametrize(("request_line", "data", "status", "words"), REFUSED)
    def test_a_sentence(
        self, client: httpx.Client, request_line: str, data: dict[str, Any], status: int, words: str
    ) -> None:
        method, path = request_line.split()
        sent = {"params": data} if method == "GET" else {"json": data}
        response = client.request(method, f"/api/{path}", **sent)  # type: ignore[arg-type]
        assert response.status_code == status
        assert words in response.json()["detail"]

    def test_a_large_body_is_refused_before_it_is_read(self, client: httpx.Client) -> None:
        connection = HTTPConnection(client.base_url.host, client.base_url.port, timeout=PATIENCE)
        connection.putrequest("POST", "/api/review")
        connection.putheader("Content-Length", "2000000")
        connection.endheaders()
        with closing(connection), connection.getresponse() as response:
            assert response.status == 413
            assert b"the limit is 1,000,000 bytes" in response.read()

    def test_another_machine(self, client: httpx.Client) -> None:
        """Check that the server has only one of this machine's loopback addresses, and no names."""
        assert client.get("/api/rules", headers={"Host": "evil.example"}).status_code == 400
        with socket.socket() as other:
            assert other.connect_ex(("127.0.0.2", client.base_url.port)) != 0


def test_a_browser_opens_the_address_that_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROLLWISE_RULES", "micro-yahtzee")
    monkeypatch.setattr("rollwise.web.server.serve", serve := Mock())
    code, _, err = run("web", "--port", "0", "--database", f"sqlite:///{tmp_path}/games.sqlite")
    page = serve.call_args.kwargs["page"]
    assert (code, f"rollwise is running at {page} " in err) == (0, True)
    assert urlsplit(page).port  # the port that the system has chosen


def test_a_port_in_use(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        code, _, err = run("web", "--port", port, "--database", f"sqlite:///{tmp_path}/g.sqlite")
    assert code == 2
    assert err == (
        f"error: cannot listen on port {port} of 127.0.0.1: address already in use. "
        "Choose another port with --port, or another address with --host.\n"
    )


@pytest.mark.slow
def test_any_request(client: httpx.Client) -> None:
    """Check that no request causes a server error, whether it follows the schema or not."""
    import schemathesis  # imported late: it takes a second, and only this test needs it
    from schemathesis.specs.openapi.checks import positive_data_acceptance

    schema = schemathesis.openapi.from_url(f"{client.base_url}/api/openapi.json")
    for result in schema.get_all_operations():

        @settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
        @given(case=result.ok().as_strategy())  # type: ignore[union-attr]
        def check(case: Any) -> None:
            # The status is 400 if a string is not a position or a game record.
            case.call_and_validate(timeout=PATIENCE, excluded_checks=[positive_data_acceptance])

        check()


def test_concurrent_requests_get_the_same_answer(client: httpx.Client) -> None:
    def ask(_: int) -> bytes:
        query = {"rules": "yahtzee", "dice": LINE}
        return client.get("/api/advise", params=query).raise_for_status().content

    with ThreadPoolExecutor(16) as clients:
        assert len(set(clients.map(ask, range(200)))) == 1


@pytest.mark.slow
def test_no_acknowledged_game_is_lost(tmp_path: Path) -> None:
    """Check that no acknowledged game is lost if the server is killed during 200 saves."""
    database, acknowledged = f"sqlite:///{tmp_path}/games.sqlite", dict[str, int]()
    with serving(database, tmp_path) as server:

        def save(seed: int) -> None:
            game = Game(YAHTZEE, seed=seed, events=GAME.events)
            sent = json.loads(game.as_json())
            response = httpx.post(f"{server.address}/api/games", json=sent, timeout=PATIENCE)
            acknowledged[response.json()["id"]] = seed
            if len(acknowledged) >= 50:
                server.process.send_signal(signal.SIGKILL)

        with ThreadPoolExecutor(8) as clients:
            saves = [clients.submit(save, seed) for seed in range(200)]
        assert any(save.exception() for save in saves)
    assert len(acknowledged) >= 50
    assert {id: server.game(id).headers.seed for id in acknowledged} == acknowledged
