"""A game of two takes the memory it says; stopped or killed it goes on from its last layer."""

import mmap
import subprocess
import sys
import tracemalloc
from collections import Counter
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rollwise import solve
from rollwise.errors import InconsistentError
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard
from rollwise.solving import cache_entries
from rollwise.solving.place import CardPlace
from rollwise.solving.storage import retention
from rollwise.solving.storage.layer_files import LayerFiles, Values
from rollwise.solving.storage.stores import LocalStore
from rollwise.two_player import cache as checkpoints
from rollwise.two_player import layout, size
from rollwise.two_player import solver as duel
from rollwise.two_player.simulation import against_points

WORK = 1 << 20
"""Bytes that a solver needs beside a game's tables, however large these are."""


@pytest.mark.parametrize("kept", [duel.KEPT, 0])
def test_memory_is_as_stated(kept: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All layers of a small game, two of a large one, and no third."""
    monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path))
    monkeypatch.setattr(size, "LOOKED_AT", 1 << 10)
    monkeypatch.setattr(duel, "KEPT", kept)
    duel.DuelSolver("micro-yahtzee").solve()  # compiles
    solver = duel.DuelSolver("yamb-down")
    tracemalloc.start()
    try:
        solver.solve(on_disk=True)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert solver.size().bytes < most < solver.size().bytes + WORK


def test_games_of_layers_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path))
    points = solve("micro-yahtzee")
    in_memory = against_points(duel.DuelSolver("micro-yahtzee").solve(), points, 100)
    monkeypatch.setattr(duel, "KEPT", 0)  # as if it were large
    solution = duel.DuelSolver("micro-yahtzee").solve(on_disk=True)
    assert sum(isinstance(values, np.ndarray) for values in solution.values) < 4
    assert against_points(solution, points, 100) == in_memory
    *_, layers = tmp_path.glob("*.layers")
    assert not (layers / "wanted").exists()


def test_what_was_read_is_handed_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a large layer strip by strip, and the values are the same bits."""
    whole = duel.DuelSolver("yamb-down").solve()
    monkeypatch.setattr(duel, "KEPT", 0)  # as if it were large
    monkeypatch.setattr(layout, "STRIP", 1000)
    monkeypatch.setattr(retention, "AT_LEAST", 1 << 14)
    solution = duel.DuelSolver("yamb-down", cache=False).solve()
    assert max(len(layer.first_U) for layer in solution.layers) == layout.STRIPS + 1
    assert solution.chances() == whole.chances()


@pytest.mark.skipif(sys.platform != "linux", reason="pages are handed back on Linux")
def test_memory_is_handed_back() -> None:
    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * mmap.PAGESIZE

    values = np.ones(1 << 22)
    full = resident()
    retention.release_pages(values[1 << 20 :])
    assert full - resident() > 20 << 20
    assert values[: 1 << 20].all()


class StoppedError(Exception):
    """Somebody stopped the run."""


def stop_half_way(share: float) -> None:
    """Stop a run whose progress this is."""
    if share > 0.5:
        raise StoppedError


def test_a_stopped_game_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path))
    whole = duel.DuelSolver("micro-yahtzee").solve()
    monkeypatch.setattr(duel, "KEPT", 0)  # as if it were large
    monkeypatch.setattr(checkpoints, "WRITTEN", np.inf)  # as if every layer were worth it
    written: list[int] = []
    write = LayerFiles.write

    def noted(files: LayerFiles, layer: int, values: Values) -> None:
        written.append(layer)
        write(files, layer, values)

    monkeypatch.setattr(LayerFiles, "write", noted)
    with pytest.raises(StoppedError):
        duel.DuelSolver("micro-yahtzee").solve(progress=stop_half_way)
    before, written[:] = list(written), []
    assert before
    solution = duel.DuelSolver("micro-yahtzee").solve()
    assert written == list(range(before[-1] - 1, -1, -1))
    assert solution.chances() == whole.chances()
    written.clear()
    again = duel.DuelSolver("micro-yahtzee").solve()
    assert written == []
    assert np.array_equal(again.chances() or (), whole.chances() or ())


def test_a_layer_is_written_if_it_is_worth_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tenth of the time of the work that it saves, and no two large ones stay."""
    monkeypatch.setattr(checkpoints, "STAYING", 0)
    shapes: list[tuple[int, ...]] = [(1, 1 << 10)] * 7
    second = 8192 / checkpoints.WRITTEN
    files = LayerFiles(LocalStore(tmp_path), "game.layers")

    def solve(last: int) -> list[int]:
        retention = checkpoints.Checkpoints(shapes, files, [3.5 * second] * 7)
        done: list[int] = []

        def compute(layer: int) -> None:
            if layer < last:
                raise StoppedError
            done.append(layer)
            retention.put(layer, np.full(shapes[layer], layer))

        with suppress(StoppedError):
            retention.fill(np.zeros(shapes[-1]), compute)
        return done

    def kept() -> list[int]:
        there = files.missing(shapes)
        return [layer for layer, gone in enumerate(there) if not gone]

    assert (solve(5), kept()) == ([5], [])
    assert (solve(4), kept()) == ([5, 4], [])
    assert (solve(3), kept()) == ([5, 4, 3], [3])
    assert (solve(1), kept()) == ([2, 1], [1])
    assert (solve(0), kept()) == ([0], [0, 1])
    assert (solve(0), kept()) == ([], [0, 1])


Ends = tuple[Scorecard, Scorecard, float]
"""The card of the player to move, the other one, and what a tie is worth to him."""


class Questions:
    """Questions to the smallest game that take long, as far as it is told, and what they read."""

    def __init__(self, path: Path, patch: pytest.MonkeyPatch) -> None:
        patch.setenv("ROLLWISE_CACHE", str(path))
        patch.setattr(duel, "LONG", 0)
        self.path, self.solved = path, list[str]()
        fill = duel.DuelSolver._fill

        def noted(solver: duel.DuelSolver, *rest: Any) -> None:
            self.solved.append(solver.rules.name)
            fill(solver, *rest)

        patch.setattr(duel.DuelSolver, "_fill", noted)

    def ask(self, ends: Ends, **how: Any) -> tuple[float, ...]:
        """Return the value, the chances and the best options of every roll, solved or read."""
        mine, other, tie = ends
        solution = duel.DuelSolver("micro-yahtzee", **how).solve(mine, other, tie=tie)
        rolls = [Position.of(mine, (face,), 0) for face in range(1, 7)]
        best = [solution.options(roll)[0] for roll in rolls]
        numbers = [(option.value, *(option.chances or ())) for option in best]
        return (solution.value(), *(solution.chances() or ()), solution.lanes, *chain(*numbers))


@pytest.fixture
def questions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Questions:
    return Questions(tmp_path, monkeypatch)


def micro(mine: str, other: str, tie: float = 0.5) -> Ends:
    return Scorecard("micro-yahtzee", mine), Scorecard("micro-yahtzee", other), tie


@pytest.mark.parametrize("tie", [0.5, 0.0])
def test_the_next_questions_are_answered_from_disk(questions: Questions, tie: float) -> None:
    """Of the same cards, after the first one's turn and after both; the same bits as solved."""
    nexts = [
        micro("-", "-", tie),
        micro("-", "double=6", 1 - tie),
        micro("double=6", "square=16", tie),
    ]
    expected = [questions.ask(ends, cache=False) for ends in nexts]
    questions.solved.clear()
    assert questions.ask(nexts[0]) == expected[0]
    assert len(questions.solved) == 1
    assert [questions.ask(ends) for ends in nexts] == expected
    assert len(questions.solved) == 1


@pytest.mark.parametrize(
    ("earlier", "ends"),
    [
        (micro("-", "-"), micro("-", "-", 0.25)),  # a tie is worth something else
        (micro("-", "-"), micro("-", "double=8", 0.25)),
        (micro("-", "double=6"), micro("double=8", "square=16")),  # no game leads there
        (micro("double=6", "square=16"), micro("-", "double=6")),
    ],
)
def test_other_questions_are_solved(questions: Questions, earlier: Ends, ends: Ends) -> None:
    questions.ask(earlier)
    questions.ask(ends)
    assert len(questions.solved) == 2


def test_what_is_kept_and_damaged_is_solved_again(questions: Questions) -> None:
    start = micro("-", "-")
    expected = questions.ask(start)
    *_, layers = questions.path.glob("*.layers")
    (layers / "layer-01.0000.npy").write_bytes(b"damaged")
    assert questions.ask(start) == expected
    assert len(questions.solved) == 2
    assert questions.ask(start) == expected
    assert len(questions.solved) == 2


def test_only_a_turn_is_at_hand_of_what_was_read(questions: Questions) -> None:
    """Its start is, what follows the turn is not: of that nothing can be told."""
    start, after = micro("-", "-"), micro("-", "double=6")
    questions.ask(start)
    solution = duel.DuelSolver("micro-yahtzee").solve()
    assert len(questions.solved) == 1
    places = [CardPlace.of_card(solution.model, card) for card in after[:2]]
    assert solution.has(solution.card, solution.opponent)
    assert not solution.has(*places)
    with pytest.raises(InconsistentError, match="starts from others"):
        solution.options(Position.of(after[0], (6,), 0), places[1])


@pytest.mark.parametrize("name", ["copy", "1_0_2_0_0_0_0_0_0", "1_2", "1_2_2_0_0_0_0_0_0 (1)"])
def test_folders_of_others_are_let_be(questions: Questions, name: str) -> None:
    start = micro("-", "-")
    expected = questions.ask(start)
    (layers,) = questions.path.glob("*.duel.*.layers")
    begins = layers.name.partition("_")[0]
    layers.rename(layers.with_name(f"{begins}_{name}.layers"))
    assert questions.ask(start) == expected
    assert len(questions.solved) == 2


def test_the_cache_stays_within_its_limit(
    questions: Questions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was asked first goes, what was asked last stays."""
    start, other = micro("-", "-"), micro("-", "-", 0.25)
    questions.ask(start)
    held = sum(entry.size for entry in cache_entries.entries())
    monkeypatch.setenv("ROLLWISE_CACHE_LIMIT", str(held / 1e9))
    questions.ask(other)
    assert len(list(questions.path.glob("*.duel.*"))) == 1
    questions.solved.clear()
    questions.ask(other)
    assert not questions.solved
    questions.ask(start)
    assert questions.solved


SOLVE = """
import hashlib, os, signal, sys
import numpy as np
from rollwise.two_player import kept, solver as duel
from rollwise.solving.storage.layer_files import LayerFiles

duel.KEPT = 0  # as if it were large
kept.WRITTEN = np.inf  # as if every layer were worth it
write, replace = LayerFiles.write, os.replace


def solve(moment, number):
    # Be killed when something, such as "drafted", was done so many times in this run.
    done = dict.fromkeys(("computed", "drafted", "written"), 0)

    def note(what):
        done[what] += 1
        if what == moment and done[what] == number:
            os.kill(os.getpid(), signal.SIGKILL)

    def noted(files, layer, values):
        print("writes", layer, flush=True)
        os.replace = lambda draft, path: (note("drafted"), replace(draft, path))
        write(files, layer, values)
        os.replace = replace
        note("written")

    LayerFiles.write = noted
    solved = duel.DuelSolver("yatzy-forced-order").solve(progress=lambda _: note("computed"))
    bits = hashlib.sha256()
    for layer, values in zip(solved.layers[:2], solved.values):
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
def test_a_killed_game_goes_on(tmp_path: Path) -> None:
    """In the middle of a layer, of a file, between two: the same bits, and no layer done twice."""
    moments = "computed 7,written 1,drafted 4,written 9,computed 43,drafted 1,written 3,never 0"
    killed = [[str(tmp_path / "killed"), *moment.split()] for moment in moments.split(",")]
    runs = [*killed, [str(tmp_path / "whole"), "never", "0"]]
    command = [sys.executable, "-c", SOLVE, *chain(*runs)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    said = [line.split() for line in done.stdout.splitlines()]
    assert [words for words in said if len(words) == 1] == [["killed"]] * 7 + [["over"]] * 2
    goes_on, whole = (words for words in said if words[0] == "ends")
    assert goes_on == whole
    begun = [int(words[1]) for words in said[: said.index(goes_on)] if words[0] == "writes"]
    # What was only drafted is written again, all else once.
    assert Counter(Counter(begun).values()) == {1: 28, 2: 2}
    assert begun == sorted(begun, reverse=True)
