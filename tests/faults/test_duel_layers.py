"""A whole game of two that is interrupted goes on from its last finished layer."""

from pathlib import Path

import numpy as np
import pytest

from rollwise.solving.duel import solver as duel
from rollwise.solving.storage.layer_files import LayerFiles, Values


class StoppedError(Exception):
    """Somebody stopped the run."""


def stop_half_way(share: float) -> None:
    """Stop a run whose progress this is."""
    if share > 0.5:
        raise StoppedError


def test_an_interrupted_game_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path))
    whole = duel.DuelSolver("micro-yahtzee").solve()
    monkeypatch.setattr(duel, "KEPT", 0)  # as if it were large
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
