"""Check that an object store on an unreliable network gives the same bits or one error message."""

import gc
import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from threading import Event

import numpy as np
import pytest

from commands import run
from games_with_layers import small_maxi
from object_stores import Proxy, object_store
from rollwise.errors import MalformedError, MissingExtraError
from rollwise.solving.cache_entries import layers_folder
from rollwise.solving.objectives import EXPECTED
from rollwise.solving.solver import Solver
from rollwise.solving.storage import stores
from rollwise.solving.storage.layer_files import DamagedError, Values
from rollwise.solving.storage.stores import RemoteStore, open_store
from waiting import PATIENCE

RULES = small_maxi(3)
URL = "s3://games/all"
CARDS = "--rules", "micro-yahtzee", "--store", URL
STORE, FOLDER = RemoteStore(URL), layers_folder(RULES, EXPECTED).name

# The server leaves sockets to the garbage collector.
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")


@pytest.fixture(scope="module", autouse=True)
def _collected() -> Iterator[None]:
    """Collect the garbage of the server while these tests ignore its warnings."""
    yield
    gc.collect()


@pytest.fixture
def proxy() -> Iterator[Proxy]:
    stores._connection.cache_clear()
    with object_store() as proxied:
        yield proxied
    stores._connection.cache_clear()


@pytest.fixture(scope="module")
def whole() -> Values:
    return Solver(RULES, cache=False).solve().table_C_L


def solver() -> Solver:
    """Return a solver that computes the parts of layers on two threads."""
    return Solver(RULES, cache=False, store=URL, executor=lambda: ThreadPoolExecutor(2))


def is_right(solver: Solver, whole: Values) -> bool:
    return np.array_equal(solver.solve().table_C_L, whole, equal_nan=True)


def damage(name: str) -> None:
    """Change one bit of an object."""
    content = bytearray(STORE.read(f"{FOLDER}/{name}", 0, 1 << 20))
    content[200] ^= 4
    STORE.write(f"{FOLDER}/{name}", bytes(content))


def test_errors_and_slow_responses_change_nothing(proxy: Proxy, whole: Values) -> None:
    """Check a solve in which requests fail once, and one part is written later than the next."""
    seen = set[tuple[str, str]]()
    later = Event()

    def fault(method: str, path: str) -> int:
        if (method, path) not in seen:
            seen.add((method, path))
            if len(seen) % 2:
                return 500 if len(seen) % 4 == 1 else 503
        if method == "PUT" and "layer-01" in path:
            if path.endswith("0000.npy"):
                assert later.wait(PATIENCE)
            else:
                later.set()
        return 0

    proxy.fault = fault
    first, again = solver(), solver()
    assert is_right(first, whole)
    assert not first.from_cache
    assert {500, 503} <= set(proxy.answered)
    assert later.is_set()
    assert is_right(again, whole)
    assert again.from_cache


def test_a_lost_store_loses_only_unfinished_parts(
    proxy: Proxy, whole: Values, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check that four parts are stored, and a second run writes only the missing parts."""
    monkeypatch.setattr(stores, "RETRIES", 0)
    numbers, lost, done, written = count(), Event(), set[str](), set[str]()

    def fault(method: str, path: str) -> int:
        if method == "PUT" and "layer-" in path:
            if next(numbers) < 4:
                done.add(path)
                return 0
            lost.set()
        return 503 if lost.is_set() else 0

    proxy.fault = fault
    with pytest.raises(OSError, match=r"the store failed .*503 Service Unavailable"):
        solver().solve()

    def note(method: str, path: str) -> int:
        if method != "GET":
            written.add(path)
        return 0

    proxy.fault = note
    assert is_right(solver(), whole)
    assert len(done) == 4
    assert written
    assert not done & written


def test_a_damaged_part_is_noticed(
    proxy: Proxy, whole: Values, caplog: pytest.LogCaptureFixture
) -> None:
    """Check that a reader refuses a damaged part, and a worker that needs it computes it again."""
    caplog.set_level(logging.WARNING, "rollwise")
    solver().solve()
    name = "layer-02.0001.npy"
    damage(name)
    with pytest.raises(DamagedError, match=rf"{URL}/{FOLDER}/{name} is damaged; delete it"):
        solver().solve()
    for other in STORE.sizes(FOLDER):
        if other.startswith("layer-01"):
            STORE.drop(f"{FOLDER}/{other}")
    assert is_right(solver(), whole)
    assert f"{URL}/{FOLDER}/{name} is damaged; computing it again" in caplog.text


def test_errors_are_one_sentence(proxy: Proxy, monkeypatch: pytest.MonkeyPatch) -> None:
    def message() -> str:
        stores._connection.cache_clear()
        code, out, error = run("solve", *CARDS)
        assert (code, out) == (2, "")
        assert error.count("\n") == 1
        return error

    monkeypatch.setattr(stores, "RETRIES", 0)
    proxy.fault = lambda method, path: 403
    assert "403 Forbidden" in message()
    proxy.fault = lambda method, path: 0
    assert "404" in run("solve", *CARDS[:2], "--store", "s3://nobodys/x")[2]
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    assert "check its address and credentials" in message()


def test_addresses() -> None:
    with pytest.raises(
        MalformedError,
        match="cannot use 'ftp://x' as a store; give a folder, or an address that begins",
    ):
        open_store("ftp://x")
    with pytest.raises(MalformedError, match="'s3:///' is not a valid address of a store: "):
        open_store("s3:///")


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stores, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r'run: pip install "\.\[store\]"$'):
        open_store(URL)
