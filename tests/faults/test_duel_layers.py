"""Test layers of two-player solutions: memory use, cached layers, and interrupted solutions."""

import mmap
import subprocess
import sys
import tracemalloc
from collections import Counter
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from rollwise.cache_folder import entries
from rollwise.errors import InconsistentError
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard
from rollwise.model.arrays import build
from rollwise.rules import Rules, load_rules
from rollwise.solving.compiled_game import CompiledGame
from rollwise.solving.position_index import CardIndex
from rollwise.solving.storage import layers as storage
from rollwise.solving.storage.layers import Values
from rollwise.two_player import cache, layout, size, solver
from rollwise.two_player.grid import LIGHT, Grid
from rollwise.two_player.solution import DuelSolution
from rollwise.two_player.solver import DuelSolver

FIVE_OPEN = "ones=3,twos=6,threes=9,fours=8,straight=0"
OTHER = 1 << 18
"""The bytes that a solver needs beside its tables and the scratch arrays of its threads."""


def scratch_bytes(rules: Rules) -> int:
    """Return the size of the scratch arrays of a thread."""
    legal, reads, writes, *others = CompiledGame(build(rules)).work()
    return sum(np.asarray(array).nbytes for array in (*legal, *reads, *writes, *others))


@pytest.mark.parametrize("max_bytes", [size.MAX_BYTES_OF_ALL, 0])
def test_memory_use_matches_the_estimate(
    max_bytes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check a small game, which keeps all layers in memory, and a large game, which keeps two."""
    monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path))
    monkeypatch.setattr(size, "PAIRS_COUNTED", 1 << 10)
    monkeypatch.setattr(size, "MAX_BYTES_OF_ALL", max_bytes)
    DuelSolver("yamb-down", cache=False).solve()  # compiles and imports
    yamb = DuelSolver("yamb-down", threads=2)
    tracemalloc.start()
    try:
        yamb.solve(on_disk=True)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    tables = yamb.size().bytes
    assert tables < most < tables + 2 * scratch_bytes(yamb.rules) + OTHER


def all_values(solution: DuelSolution) -> list[NDArray[np.float64]]:
    """Return the values of all pairs of scorecards with their lowest scores, layer by layer."""
    values = []
    for t, layer in enumerate(solution.layers):
        pairs = np.indices((len(layer.moved), len(layer.movers)))
        moved, mover = (
            (cards.class_A[number], cards.lane_A[number], cards.low_A[number])
            for cards, number in zip((layer.moved, layer.movers), pairs, strict=True)
        )
        values.append(solution.look_up(t, moved, mover))
    return values


def test_games_with_layers_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path))
    in_memory = all_values(DuelSolver("micro-yahtzee").solve())
    monkeypatch.setattr(size, "MAX_BYTES_OF_ALL", 0)  # as if it were large
    solution = DuelSolver("micro-yahtzee").solve(on_disk=True)
    assert sum(not isinstance(values, np.memmap) for values in solution.values) == 1
    assert all(map(np.array_equal, all_values(solution), in_memory))
    (layers,) = tmp_path.rglob("*.layers")
    assert not (layers / "wanted").exists()


def test_saved_layers_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that all layers of a small game are saved on request, and opened when they are read."""
    monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path))
    saved = DuelSolver("micro-yahtzee").solve(save=True)
    (layers,) = tmp_path.rglob("*.layers")
    assert (layers / "wanted").exists()
    again = DuelSolver("micro-yahtzee").cached()
    assert again is not None
    assert again.lanes == saved.lanes
    assert all(map(np.array_equal, all_values(again), all_values(saved)))
    (layers / "layer-03.npy").unlink()
    again = DuelSolver("micro-yahtzee").cached()
    assert again is not None
    assert [t for t in range(len(again.layers)) if again.values[t] is None] == [3]


def test_strips_are_released(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that a large layer is released strip by strip, and the values are bit-identical."""
    whole = DuelSolver("yamb-down").solve()
    monkeypatch.setattr(size, "MAX_BYTES_OF_ALL", 0)  # as if it were large
    monkeypatch.setattr(layout, "STRIP", 1000)
    monkeypatch.setattr(layout, "STRIPS", 32)
    monkeypatch.setattr(solver, "RELEASED", 1 << 14)
    solution = DuelSolver("yamb-down", cache=False).solve()
    assert max(len(layer.strips.first_U) for layer in solution.layers) == layout.STRIPS + 1
    assert solution.chances() == whole.chances()


def test_only_one_large_layer_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that layers are listed again, in blocks of pairs, and the values are bit-identical."""
    whole = DuelSolver("yamb-down", cache=False).solve()
    monkeypatch.setattr(layout, "MAX_PAIRS", 100)
    monkeypatch.setattr(layout, "PAIRS_AT_ONCE", 10)
    solution = DuelSolver("yamb-down", cache=False).solve()
    pairs = [layer.pairs for layer in solution.layers.cards]
    small, large = pairs.index(1), pairs.index(max(pairs))
    latest = {t: solution.layers[t] for t in (small, large)}
    assert solution.layers[large] is latest[large]
    assert solution.layers[large - 1] is not None
    assert solution.layers[small] is latest[small]
    assert solution.layers[large] is not latest[large]
    assert all(map(np.array_equal, all_values(solution), all_values(whole)))


@pytest.mark.parametrize("grid", [None, LIGHT])
def test_a_look_up_lists_a_part_of_a_saved_layer(
    grid: Grid | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check players to move from all strips, with saved strips and with damaged ones."""
    monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path))
    rules = load_rules("generala")
    card = Scorecard(rules, FIVE_OPEN)
    expected = all_values(DuelSolver(rules, cache=False).solve(card, card, ties=False, grid=grid))
    monkeypatch.setattr(layout, "MAX_PAIRS", 0)  # as if all layers were large
    monkeypatch.setattr(layout, "STRIP", 1000)
    DuelSolver(rules).solve(card, card, ties=False, grid=grid, save=True)
    (strips,) = tmp_path.rglob("strips.json")
    for text in (strips.read_text(), strips.read_text().replace("1", "2", 1), "[]"):
        strips.write_text(text)
        saved = DuelSolver(rules).cached(card, card, ties=False, grid=grid)
        assert saved is not None
        fewer = 0
        for t, cards in enumerate(saved.layers.cards):
            (moved, mover), values = cards[:2], []
            some = range(0, len(mover), 9)
            for a in some:
                one = (mover.class_A[[a]], mover.lane_A[[a]], mover.low_A[[a]])
                values.append(saved.look_up(t, (moved.class_A, moved.lane_A, moved.low_A), one))
                fewer += len(saved.layers.part(t, mover.row_A[[a]]).movers) < len(mover)
            assert np.array_equal(np.stack(values, axis=1), expected[t][:, some])
        assert (fewer > 0) == (saved.layers.strips != {})


@pytest.mark.skipif(sys.platform != "linux", reason="pages are released on Linux")
def test_memory_is_released() -> None:
    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * mmap.PAGESIZE

    values = np.ones(1 << 22)
    full = resident()
    solver.release_pages(values[1 << 20 :])
    assert full - resident() > 20 << 20
    assert values[: 1 << 20].all()


class StoppedError(Exception):
    """An error that a test raises to interrupt a run."""


def stop_half_way(share: float) -> None:
    """Interrupt a run after half of the work; this is a progress callback."""
    if share > 0.5:
        raise StoppedError


def test_an_interrupted_solution_continues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path))
    whole = DuelSolver("micro-yahtzee").solve()
    monkeypatch.setattr(size, "MAX_BYTES_OF_ALL", 0)  # as if it were large
    monkeypatch.setattr(cache, "WRITTEN", np.inf)  # as if every layer saved time
    written: list[int] = []
    write = storage.save_layer

    def noting_write(folder: Path, layer: int, values: Values) -> None:
        written.append(layer)
        write(folder, layer, values)

    monkeypatch.setattr(storage, "save_layer", noting_write)
    with pytest.raises(StoppedError):
        DuelSolver("micro-yahtzee").solve(progress=stop_half_way)
    before, written[:] = list(written), []
    assert before
    solution = DuelSolver("micro-yahtzee").solve()
    assert written == list(range(before[-1] - 1, -1, -1))
    assert solution.chances() == whole.chances()
    written.clear()
    again = DuelSolver("micro-yahtzee").solve()
    assert written == []
    assert np.array_equal(again.chances() or (), whole.chances() or ())


def test_a_layer_is_written_if_that_saves_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that writing takes at most a tenth of the computing time that the file saves."""
    now = [0.0]
    monkeypatch.setattr(cache, "perf_counter", lambda: now[0])
    size = 1 << 13
    is_worth_saving = cache.checkpoints([size] * 7)
    saved = list[int]()
    for layer in reversed(range(6)):
        now[0] += 3.5 * size / cache.WRITTEN
        if is_worth_saving(layer):
            saved.append(layer)
    assert saved == [3, 1, 0]


Start = tuple[Scorecard, Scorecard, float]
"""The scorecards of the player to move and the opponent, and the value of a tie."""


class Questions:
    """Requests about the smallest game, which is cached as if it were large; solves are logged."""

    def __init__(self, path: Path, patch: pytest.MonkeyPatch) -> None:
        patch.setenv("ROLLWISE_CACHE", str(path))
        patch.setattr(solver, "SAVED_STATES", 0)
        self.path, self.solved = path, list[str]()
        solved = DuelSolver._solved

        def noting(solver: DuelSolver, *rest: Any) -> DuelSolution:
            self.solved.append(solver.rules.name)
            return solved(solver, *rest)

        patch.setattr(DuelSolver, "_solved", noting)

    def ask(self, start: Start, **how: Any) -> tuple[float, ...]:
        """Return the value, the win probabilities, and the best option for every roll."""
        mine, other, tie = start
        solution = DuelSolver("micro-yahtzee", **how).solve(mine, other, tie=tie)
        rolls = [Position.of(mine, (face,), 0) for face in range(1, 7)]
        best = [solution.options(roll)[0] for roll in rolls]
        numbers = [(option.value, *(option.chances or ())) for option in best]
        return (solution.value(), *(solution.chances() or ()), solution.lanes, *chain(*numbers))


@pytest.fixture
def questions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Questions:
    return Questions(tmp_path, monkeypatch)


def micro(mine: str, other: str, tie: float = 0.5) -> Start:
    return Scorecard("micro-yahtzee", mine), Scorecard("micro-yahtzee", other), tie


@pytest.mark.parametrize("tie", [0.5, 0.0])
def test_the_next_request_is_read_from_disk(questions: Questions, tie: float) -> None:
    start = micro("-", "double=6", tie)
    expected = questions.ask(start, cache=False)
    questions.solved.clear()
    assert [questions.ask(start) for _ in range(2)] == [expected] * 2
    assert len(questions.solved) == 1


@pytest.mark.parametrize("other", [micro("-", "-", 0.25), micro("-", "double=8")])
def test_other_requests_are_solved(questions: Questions, other: Start) -> None:
    questions.ask(micro("-", "-"))
    questions.ask(other)
    assert len(questions.solved) == 2


def test_a_damaged_layer_is_solved_again(questions: Questions) -> None:
    start = micro("-", "-")
    expected = questions.ask(start)
    (layers,) = questions.path.rglob("*.layers")
    (layers / "layer-01.npy").write_bytes(b"damaged")
    assert questions.ask(start) == expected
    assert len(questions.solved) == 2
    assert questions.ask(start) == expected
    assert len(questions.solved) == 2


def test_a_solution_from_the_cache_covers_one_turn(questions: Questions) -> None:
    """Check that a solution from the cache values its first position, but none after the turn."""
    start, after = micro("-", "-"), micro("-", "double=6")
    questions.ask(start)
    solution = DuelSolver("micro-yahtzee").solve()
    assert len(questions.solved) == 1
    places = [CardIndex.of_card(solution.model, card) for card in after[:2]]
    assert solution.has(solution.card, solution.opponent)
    assert not solution.has(*places)
    with pytest.raises(InconsistentError, match="starts from other scorecards"):
        solution.options(Position.of(after[0], (6,), 0), places[1])


def test_the_cache_stays_within_its_limit(
    questions: Questions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check that the oldest entry is deleted."""
    start, other = micro("-", "-"), micro("-", "-", 0.25)
    questions.ask(start)
    held = sum(entry.size for entry in entries())
    monkeypatch.setenv("ROLLWISE_CACHE_LIMIT", str(held / 1e9))
    questions.ask(other)
    assert len(list(questions.path.rglob("*.duel.*"))) == 1
    questions.solved.clear()
    questions.ask(other)
    assert not questions.solved
    questions.ask(start)
    assert questions.solved


SOLVE = """
import hashlib, os, signal, sys
import numpy as np
from rollwise import files
from rollwise.two_player import cache, size
from rollwise.two_player.solver import DuelSolver
from rollwise.solving.storage import layers

size.MAX_BYTES_OF_ALL = 0  # as if it were large
cache.WRITTEN = np.inf  # as if every layer saved time
write, put = layers.save_layer, files.put_in_place


def solve(moment, number):
    # Be killed when something, such as "drafted", was done so many times in this run.
    done = dict.fromkeys(("computed", "drafted", "written"), 0)

    def note(what):
        done[what] += 1
        if what == moment and done[what] == number:
            os.kill(os.getpid(), signal.SIGKILL)

    def noted(folder, layer, values):
        print("writes", layer, flush=True)
        files.put_in_place = lambda draft, path: (note("drafted"), put(draft, path))
        write(folder, layer, values)
        files.put_in_place = put
        note("written")

    layers.save_layer = noted
    solved = DuelSolver("yatzy-forced-order").solve(progress=lambda _: note("computed"))
    bits = hashlib.sha256()
    for layer, values in zip(list(solved.layers)[:2], solved.values):
        spans = zip(layer.start_P, layer.high_P - layer.low_P)
        leads = np.concatenate([np.arange(start, start + length) for start, length in spans])
        bits.update(values[:, leads].tobytes())
    print("ends", bits.hexdigest(), *map(float.hex, solved.chances()), flush=True)


for folder, moment, number in zip(sys.argv[1::3], sys.argv[2::3], map(int, sys.argv[3::3])):
    os.environ["ROLLWISE_CACHE"] = folder
    child = os.fork()
    if not child:
        solve(moment, number)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    print("killed" if os.WIFSIGNALED(status) and os.WTERMSIG(status) == 9 else "over", flush=True)
"""


@pytest.mark.slow
def test_a_killed_solution_continues(tmp_path: Path) -> None:
    """Check that a killed process continues with the same bits, and solves no saved layer again."""
    moments = "computed 7,written 1,drafted 4,written 9,computed 43,drafted 1,written 3,never 0"
    killed = [[str(tmp_path / "killed"), *moment.split()] for moment in moments.split(",")]
    runs = [*killed, [str(tmp_path / "whole"), "never", "0"]]
    command = [sys.executable, "-c", SOLVE, *chain(*runs)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    lines = [line.split() for line in done.stdout.splitlines()]
    assert [words for words in lines if len(words) == 1] == [["killed"]] * 7 + [["over"]] * 2
    continued, whole = (words for words in lines if words[0] == "ends")
    assert continued == whole
    begun = [int(words[1]) for words in lines[: lines.index(continued)] if words[0] == "writes"]
    # The two layers that were drafts are written again, and all other layers are written once.
    assert Counter(Counter(begun).values()) == {1: 28, 2: 2}
    assert begun == sorted(begun, reverse=True)
