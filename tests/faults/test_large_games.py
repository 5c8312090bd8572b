"""Check that a game that is too large gives an error before rollwise takes memory or minutes."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commands import run
from games_with_layers import small_maxi
from rollwise.errors import TooLargeError
from rollwise.evaluation.forward_pass import apart
from rollwise.experiments.simulation import simulate
from rollwise.model.arrays import build
from rollwise.model.classes import classes_by_layer, number_classes
from rollwise.model.outcomes import special_categories
from rollwise.rules import Rules, load_rules, parse_rules
from rollwise.solving.solver import solve
from rollwise.strategies import Optimal

BOX = """
[[categories]]
key = "c{k}"
title = "Box {k}"
section = "upper"
pattern = {{ kind = "face", face = 1 }}
points = "matched"
"""


def giant(categories: int, threshold: int, more: str = "") -> str:
    """Return the rules of a game with many categories."""
    head = f'name = "giant"\ntitle = "Giant"\ndice = 5\nfaces = 6\nrolls = 3\n{more}\n'
    bonus = f"[upper_bonus]\nthreshold = {threshold}\npoints = 35\n"
    return head + bonus + "".join(BOX.format(k=k) for k in range(categories))


def never(*_: Any, **__: Any) -> Any:
    raise AssertionError("memory was taken")


def test_a_table_that_does_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rollwise.solving.saved_results.build", never)
    with pytest.raises(TooLargeError, match=r"needs a table of 31\.3 GiB, and the limit is"):
        solve(parse_rules(giant(22, 1000)), cache=False)


def test_too_many_states(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rollwise.model.classes.LazyArray.__init__", never)
    with pytest.raises(TooLargeError, match=r"33,554,432 sets of filled categories"):
        number_classes(parse_rules(giant(25, 63)), 0)
    with pytest.raises(TooLargeError, match=r"combinations of filled categories and rolls saved"):
        number_classes(parse_rules(giant(23, 63, "saves_rolls = true")), 0)


def test_states_are_numbered_without_listing_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("rollwise.model.classes.LazyArray.__array__", never)
    for name in ("maxi-yatzy", "kniffel-extreme"):
        model, random = build(load_rules(name)), np.random.default_rng(3)
        classes = random.integers(model.n_classes, size=500)
        parts = (model.mask_C[classes], model.eligible_C[classes], model.saved_C[classes])
        again = [
            model.class_of(mask, eligible == 1, saved)
            for mask, eligible, saved in zip(*(part.tolist() for part in parts), strict=True)
        ]
        assert again == classes.tolist()
        assert (np.diff(np.bitwise_count(model.mask_C[np.sort(classes)])) >= 0).all()
        few, categories = classes[:20], range(len(model.before_K))
        may_fill = [[model.may_fill(c, k) for k in categories] for c in few.tolist()]
        assert model.open_categories(few).tolist() == may_fill
        assert sum(map(len, apart(model, few))) == len(few)


def test_advice_and_simulations_do_not_list_states(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = small_maxi()
    solution = replace(solve(rules, cache=False), model=build(rules))
    monkeypatch.setattr("rollwise.model.classes.LazyArray.__array__", never)
    assert solution.options("1" * rules.dice)
    assert len(simulate(Optimal(solution), rules, 10, seed=8).scores_N) == 10


def test_a_worst_game_that_is_too_large_is_refused_before_solving(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("rollwise.questions.worst_game.solved", never)
    (tmp_path / "giant.toml").write_text(giant(14, 63))
    monkeypatch.setattr("rollwise.solving.policy.MAX_LAYER_BYTES", 1 << 20)
    code, out, error = run("report", "--worst", "--rules", str(tmp_path / "giant.toml"))
    assert (code, out) == (2, "")
    assert error.startswith("error: the policy of giant needs ")
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    "rules",
    [
        *map(load_rules, ("yahtzee", "kniffel-holderied", "yamb-up", "balut", "crag")),
        load_rules("micro-yahtzee").model_copy(update={"saves_rolls": True}),
    ],
    ids=lambda rules: rules.name,
)
def test_states_are_counted_before_they_are_listed(rules: Rules) -> None:
    made_F = np.diff(build(rules).layer_starts).tolist()
    assert classes_by_layer(rules, special_categories(rules).extra) == made_F
