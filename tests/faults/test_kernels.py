"""Compiled code: same results however it runs, and never stale."""

import ast
import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import rollwise.solving.kernels
from rollwise.rules import load_rules
from rollwise.solving.card_solution import signature
from rollwise.solving.solver import solve

FOLDER = Path(rollwise.solving.kernels.__file__).parent

SIGNATURE = """
import sys
from rollwise.rules import load_rules
from rollwise.solving.card_solution import signature
from rollwise.solving.solver import solve
print(signature(solve(load_rules(sys.argv[1]), cache=False, threads=int(sys.argv[2]))))
"""


def signature_elsewhere(rules: str, threads: int, **environment: str) -> str:
    """Return the signature that a fresh process with this environment computes."""
    return subprocess.run(
        [sys.executable, "-c", SIGNATURE, rules, str(threads)],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    ).stdout.strip()


class TestSignature:
    @pytest.mark.parametrize("name", ["yahtzee", "yahtzee-forced-joker", "yatzy-forced-order"])
    def test_one_and_two_threads(self, name: str) -> None:
        rules = load_rules(name)
        one, two = (solve(rules, cache=False, threads=threads) for threads in (1, 2))
        assert signature(one) == signature(two)
        assert np.array_equal(one.remaining_C_L, two.remaining_C_L, equal_nan=True)

    def test_without_compilation(self, tmp_path: Path) -> None:
        small = tmp_path / "small.toml"
        small.write_text(SMALL_GAME)
        compiled = signature(solve(load_rules(small), cache=False))
        assert signature_elsewhere(str(small), 2, NUMBA_DISABLE_JIT="1") == compiled

    def test_differs_between_games(self) -> None:
        names = ("yahtzee", "yahtzee-no-joker", "yahtzee-plain")
        assert len({signature(solve(load_rules(name))) for name in names}) == 3


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.name)
def test_kept_code_is_never_stale(path: Path) -> None:
    """Each file names the hashes of the kernel files that it inlines, however indirectly."""
    named: dict[str, str] = {}
    inlined = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "INLINES":
            named = ast.literal_eval(node.value)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
            "rollwise.solving.kernels."
        ):
            inlined.add((node.module or "").rsplit(".", 1)[1] + ".py")
    assert set(named) == inlined
    for name, digest in named.items():
        current = hashlib.sha256((FOLDER / name).read_bytes()).hexdigest()[:12]
        assert digest == current, f"write {current} for {name} in {path.name}"


SMALL_GAME = """
name = "small"
title = "Three dice of four faces"
dice = 3
faces = 4
rolls = 3

[upper_bonus]
threshold = 12
points = 10

[extra_bonus]
box = "alike"
points = 20

[joker]
box = "alike"
policy = "free"

[[categories]]
key = "threes"
title = "Threes"
section = "upper"
pattern = { kind = "face", face = 3 }
points = "matched"

[[categories]]
key = "fours"
title = "Fours"
section = "upper"
pattern = { kind = "face", face = 4 }
points = "matched"

[[categories]]
key = "run"
title = "Run"
pattern = { kind = "run", length = 3 }
points = 12

[[categories]]
key = "alike"
title = "All alike"
pattern = { kind = "groups", sizes = [3] }
points = 15
"""
