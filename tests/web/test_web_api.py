"""Test the JSON API: responses, errors, malformed requests, load, and crashes."""

import json
import signal
import socket
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from importlib import resources
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from commands import run
from games import at_random, play
from rollwise import Position, load_rules, solve
from rollwise.evaluation.forward_pass_by_score import final_distribution
from rollwise.game.game import Game
from rollwise.game.scorecard import Scorecard
from rollwise.questions import QUESTIONS
from rollwise.reviews.review import review
from rollwise.solving.cache import is_cached
from rollwise.solving.objectives import EXPECTED, beating
from rollwise.two_player.near_optimal import near_optimal
from servers import serving
from waiting import PATIENCE, wait_until

YAHTZEE = load_rules("yahtzee")
GAME = Game(YAHTZEE, ("Ada",), play(YAHTZEE, ["Ada"], 7, at_random(1)).events, seed=7)
LINE = "dice 11366 | rolls-left 1 | card ones=3,full-house=25,yahtzee=0"
OWN = load_rules("micro-yahtzee").model_copy(update={"name": "sent"})
OF_OWN = {"rules": OWN.model_dump(mode="json"), "dice": "4", "rolls_left": 0}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    folder = tmp_path_factory.mktemp("api")
    preset = resources.files("rollwise.rules").joinpath("presets", "micro-yahtzee.toml")
    text = preset.read_text(encoding="utf-8").replace('"micro-yahtzee"', '"mine"')
    (mine := folder / "mine.toml").write_text(text, encoding="utf-8")
    database = f"sqlite:///{folder}/games.sqlite"
    with (
        serving(database, folder, "--rules", str(mine)) as server,
        httpx.Client(base_url=server.address, timeout=PATIENCE) as client,
    ):
        # On a slow machine the time limit of a job is too short to compile the code as well.
        wait_until(lambda: client.post("/api/advise", json=OF_OWN).is_success)
        yield client


class TestAnswers:
    def test_options(self, client: httpx.Client) -> None:
        data = client.get("/api/advise", params={"dice": LINE}).json()
        options = solve(YAHTZEE, moments=True).options(Position(YAHTZEE, LINE))
        assert data["position"] == LINE
        assert [entry["value"] for entry in data["options"]] == [option.value for option in options]
        assert data["options"][0]["action"] == "keep 66"
        assert data["options"][0]["best"] is True

    def test_options_by_custom_rules(self, client: httpx.Client) -> None:
        data = client.post("/api/advise", json=OF_OWN).json()
        assert not is_cached(OWN, EXPECTED.name)  # custom rules do not fill the disk
        assert data["rules"] == "sent"
        assert data["options"][0]["value"] == pytest.approx(8 + 91 / 6)

    def test_rules_that_the_server_was_started_with(self, client: httpx.Client) -> None:
        assert "mine" in [rules["name"] for rules in client.get("/api/rules").json()]
        assert client.get("/api/advise", params={"rules": "mine"}).json()["value"] > 0
        for record in ("rules: mine\n5 double\n1 square", '{"rules": "mine"}'):
            assert client.post("/api/review", json={"game": record}).status_code == 200

    def test_options_against_known_scorecards(self, client: httpx.Client) -> None:
        line = "dice 3 | rolls-left 0 | card -"
        cards = ["square=9", "double=2"]
        query = {"rules": "mine", "dice": line, "objective": "beat"}
        response = client.get("/api/advise", params={**query, "opponent": cards}).json()
        position = Position(load_rules("micro-yahtzee"), line)
        distributions = [
            final_distribution("optimal", Scorecard(position.rules, card)) for card in cards
        ]
        objective = beating([(distribution, 1) for distribution in distributions])
        options = solve(position.rules, objective, position=position, moments=True).options(
            position
        )
        assert response["options"] == [option.as_dict(position.rules) for option in options]
        assert [opponent["mean"] for opponent in response["opponents"]] == [
            distribution.mean for distribution in distributions
        ]
        query |= {"opponent": "square=9", "opponent_strategy": "duel"}
        response = client.get("/api/advise", params=query).json()
        first = response["options"][0]
        assert "loss" not in first
        assert (first["action"], first["lose"]) == ("score double", pytest.approx(5 / 12))
        assert first["value"] == pytest.approx(first["win"] + first["tie"] / 2)
        assert response["exact"] is True

    def test_near_optimal_options_against_a_responding_opponent(self, client: httpx.Client) -> None:
        card = "ones=2,fours=12,chance=20"
        beat = {"objective": "beat", "opponent": card, "opponent_strategy": "duel"}
        response = client.get("/api/advise", params={"dice": LINE, **beat}).json()
        assert response["exact"] is False
        position = Position(YAHTZEE, LINE)
        near = near_optimal(position, Scorecard(YAHTZEE, card))
        options = near.options(position)
        assert [
            (entry["value"], entry["win"], entry["tie"], entry["lose"])
            for entry in response["options"]
        ] == [(option.value, *(option.chances or ())) for option in options]

    def test_value_of_a_card(self, client: httpx.Client) -> None:
        data = client.get("/api/advise").json()
        assert data["value"] == pytest.approx(254.5896094820, abs=1e-9)
        full = ",".join(f"{key}=0" for key in YAHTZEE.keys).replace("chance=0", "chance=5")
        response = client.get("/api/advise", params={"card": full})
        assert response.json()["detail"].startswith("the game is over")

    def test_review(self, client: httpx.Client) -> None:
        (expected,) = review(GAME, solve(YAHTZEE))
        for record in (str(GAME), GAME.as_json()):
            (data,) = client.post("/api/review", json={"game": record}).json()
            assert data["score"] == expected.score
            assert data["loss"] == pytest.approx(expected.loss)
            score = data["start"] + data["luck"] - data["loss"]
            assert score == pytest.approx(data["score"])

    def test_the_rating_test_and_the_puzzle(self, client: httpx.Client) -> None:
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
        wrong = client.get("/api/puzzle/yesterday")
        assert wrong.status_code == 422
        assert wrong.json() == {
            "detail": "day: expected a date such as 2026-11-22, got 'yesterday'"
        }

    def test_games(self, client: httpx.Client) -> None:
        response = client.post("/api/games", content=GAME.as_json(), headers=JSON)
        assert response.status_code == 201
        address = f"/api/games/{response.json()['id']}"
        assert Game.parse(client.get(address).text) == GAME
        assert client.delete(address).status_code == 204
        assert client.get(address).status_code == 404
        assert client.delete(address).status_code == 404

    def test_the_description_of_the_api(self, client: httpx.Client) -> None:
        paths = client.get("/api/openapi.json").json()["paths"]
        questions = {f"/api/{name.replace(' ', '/')}" for name in QUESTIONS}
        assert set(paths) == questions | {
            "/api/rules", "/api/games", "/api/games/{id}", "/api/test", "/api/puzzle/{day}"
        }  # fmt: skip

    def test_the_titles_of_the_rules(self, client: httpx.Client) -> None:
        titles = {rules["name"]: rules["title"] for rules in client.get("/api/rules").json()}
        assert titles["yahtzee"] == YAHTZEE.title
        assert titles["yahtzee-forced-joker"] == "Yahtzee (rule sheet)"
        assert "official" not in " ".join(titles.values()).lower()


@pytest.mark.parametrize("name", ["own", pytest.param("micro-yahtzee", marks=pytest.mark.slow)])
def test_requests_without_rules_use_the_default_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The default game is a preset or a rule file."""
    preset = resources.files("rollwise.rules").joinpath("presets", "micro-yahtzee.toml")
    text = preset.read_text(encoding="utf-8").replace('"micro-yahtzee"', '"own"')
    (file := tmp_path / "own.toml").write_text(text, encoding="utf-8")
    monkeypatch.setenv("ROLLWISE_RULES", str(file) if name == "own" else name)
    roll = {"dice": "4", "rolls_left": "0"}
    with (
        serving(f"sqlite:///{tmp_path}/games.sqlite", tmp_path) as server,
        httpx.Client(base_url=server.address, timeout=PATIENCE) as client,
    ):
        for path, query in (
            ("advise", roll),
            ("advise", roll | {"objective": "beat", "opponent": "square=9"}),
            ("advise", {}),
            ("test", {}),
            ("puzzle/2026-11-22", {}),
        ):
            assert client.get(f"/api/{path}", params=query).json()["rules"] == name


JSON = {"Content-Type": "application/json"}


class TestRefusals:
    @pytest.mark.parametrize(
        ("path", "query", "words"),
        [
            ("advise", {"dice": "1"}, "expected 5 dice"),
            ("advise", {"dice": "11366", "rules": "/etc/passwd.toml"}, "unknown rules"),
            ("advise", {"dice": "11366", "rules": "../x.toml"}, "unknown rules"),
            ("advise", {"objective": "utility:/etc/passwd"}, "is not built in"),
            ("simulate", {"strategy": "own.py:Own"}, "is not built in"),
            ("advise", {"card": "ones=6"}, "ones cannot score 6"),
            ("advise", {"objective": "beat", "opponent": ["-"] * 6}, "at most 5 scorecards"),
            ("duel", {"grid": "difference=64"}, "fill more categories"),
        ],
    )
    def test_one_sentence(
        self, client: httpx.Client, path: str, query: dict[str, str | list[str]], words: str
    ) -> None:
        response = client.get(f"/api/{path}", params=query)
        assert response.status_code == 400
        assert words in response.json()["detail"]

    def test_an_unknown_parameter_is_named(self, client: httpx.Client) -> None:
        response = client.post("/api/advise", json={"dices": "11366"})
        assert response.status_code == 422
        assert response.json()["detail"] == "dices: no such key"

    def test_a_record_names_no_file(self, client: httpx.Client) -> None:
        record = "rules: /etc/hostname.toml\n11366 1"
        response = client.post("/api/review", json={"game": record})
        assert response.status_code == 400
        assert response.json()["detail"].startswith("line 1: there is no game '/etc/hostname.toml'")

    def test_a_game_too_large_for_a_server(self, client: httpx.Client) -> None:
        rules = load_rules("micro-yahtzee").model_dump(mode="json")
        rules |= {"dice": 12, "faces": 20}
        for category in rules["categories"]:
            category["worth"] = None
        line = f"dice {' '.join('1' * 12)} | rolls-left 0 | card -"
        for path, request in (
            ("advise", {"rules": rules, "dice": line}),
            ("games", {"rules": rules}),
            ("review", {"game": json.dumps({"rules": rules})}),
        ):
            response = client.post(f"/api/{path}", json=request)
            assert response.status_code == 400
            assert "too large for this server" in response.json()["detail"]

    @pytest.mark.parametrize(
        ("header", "sent"),
        [
            (("Content-Length", "2000000"), b""),  # refused before it is read
            (("Transfer-Encoding", "chunked"), b"f4241\r\n" + b"x" * 1_000_001),
        ],
    )
    def test_a_body_too_large(
        self, client: httpx.Client, header: tuple[str, str], sent: bytes
    ) -> None:
        """Send no byte that the server does not read, or the connection could be reset."""
        connection = HTTPConnection(client.base_url.host, client.base_url.port, timeout=PATIENCE)
        connection.putrequest("POST", "/api/review")
        for name, value in (header, *JSON.items()):
            connection.putheader(name, value)
        connection.endheaders(sent)
        with closing(connection), connection.getresponse() as response:
            assert response.status == 413
            assert b"the limit is 1,000,000 bytes" in response.read()

    def test_another_host_name(self, client: httpx.Client) -> None:
        assert client.get("/api/rules", headers={"Host": "evil.example"}).status_code == 400


def test_the_default_server_is_for_this_machine_only(client: httpx.Client) -> None:
    """Check that the server listens on only one of this machine's loopback addresses."""
    with socket.socket() as other:
        assert other.connect_ex(("127.0.0.2", client.base_url.port)) != 0


@pytest.mark.slow
def test_schemathesis(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import schemathesis  # imported late: it takes a second, and only this test needs it

    monkeypatch.setenv("ROLLWISE_RULES", "micro-yahtzee")  # any question takes milliseconds
    with (
        serving(f"sqlite:///{tmp_path}/games.sqlite", tmp_path) as server,
        httpx.Client(base_url=server.address, timeout=PATIENCE) as client,
    ):
        schema = schemathesis.openapi.from_url(f"{server.address}/api/openapi.json")
        operations = [result.ok() for result in schema.get_all_operations()]  # type: ignore[union-attr]
        assert len(operations) == 6 + 2 * len(QUESTIONS)
        for operation in operations:
            run_cases(operation)
            if operation.method == "post":
                run_malformed_cases(operation, client)


def run_cases(operation: Any) -> None:
    """Check that no request causes a server error, whether it follows the schema or not."""
    from schemathesis.specs.openapi.checks import positive_data_acceptance

    @settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy())
    def check(case: Any) -> None:
        # The status is 400 if a string is not a position or a game record.
        case.call_and_validate(timeout=PATIENCE, excluded_checks=[positive_data_acceptance])

    check()


def run_malformed_cases(operation: Any, client: httpx.Client) -> None:
    """Check that the response to a body that is not JSON is small, and does not echo the body."""

    @settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(), data=st.data())
    def check(case: Any, data: st.DataObject) -> None:
        body = case.body if isinstance(case.body, dict) else {}
        text = json.dumps({**body, data.draw(st.sampled_from([*body, "more"])): "\0malformed"})
        malformed = text.replace(json.dumps("\0malformed"), data.draw(st.sampled_from(NOT_JSON)))
        response = client.post(operation.path, content=malformed, headers=JSON)
        assert response.status_code == 400
        assert len(response.content) < 200

    check()


NOT_JSON = (
    "NaN",
    "-Infinity",
    "1e400",
    '"\\ud800"',
    '{"\\udfff": 1}',
    "[" * 9_000,
    "{",
    '{"a":1,"a":1}',
)


def test_the_address_contains_the_port_that_the_system_has_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages: dict[int, str] = {}

    def serve(_: Any, sockets: list[socket.socket], *__: Any, page: str, **___: Any) -> None:
        (only,) = sockets
        pages[only.getsockname()[1]] = page

    monkeypatch.setenv("ROLLWISE_RULES", "micro-yahtzee")
    monkeypatch.setattr("rollwise.web.server.serve", serve)
    code, _, err = run("web", "--port", "0", "--database", f"sqlite:///{tmp_path}/games.sqlite")
    ((port, page),) = pages.items()
    assert page == f"http://127.0.0.1:{port}/"
    assert (code, f"rollwise is running at {page} " in err) == (0, True)


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
def test_concurrent_requests(tmp_path: Path) -> None:
    """Check that concurrent requests from 16 threads get the same response."""
    with serving(f"sqlite:///{tmp_path}/games.sqlite", tmp_path) as server:
        address = f"{server.address}/api/advise?dice={LINE.replace(' ', '%20')}"

        def ask(_: int) -> bytes:
            with urllib.request.urlopen(address, timeout=PATIENCE) as response:
                assert response.status == 200
                return bytes(response.read())

        with ThreadPoolExecutor(16) as clients:
            assert len(set(clients.map(ask, range(200)))) == 1


@pytest.mark.slow
@pytest.mark.parametrize("after", [1, 100])
def test_no_acknowledged_game_is_lost(tmp_path: Path, after: int) -> None:
    """Check that no acknowledged game is lost if the server is killed during 200 saves."""
    database, acknowledged = f"sqlite:///{tmp_path}/games.sqlite", []
    with serving(database, tmp_path) as server:

        def save(seed: int) -> None:
            record = Game(YAHTZEE, seed=seed, events=GAME.events)
            request = urllib.request.Request(
                f"{server.address}/api/games", record.as_json().encode(), JSON
            )
            with urllib.request.urlopen(request, timeout=PATIENCE) as response:
                acknowledged.append((json.load(response)["id"], seed))
            if len(acknowledged) >= after:
                server.process.send_signal(signal.SIGKILL)

        with ThreadPoolExecutor(8) as clients:
            jobs = [clients.submit(save, seed) for seed in range(200)]
        assert sum(job.exception() is not None for job in jobs) > 0
    assert len(acknowledged) >= after
    with serving(database, tmp_path) as server:
        for id, seed in acknowledged:
            address = f"{server.address}/api/games/{id}"
            with urllib.request.urlopen(address, timeout=PATIENCE) as response:
                assert json.load(response)["seed"] == seed
