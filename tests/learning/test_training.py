"""The network of ``benchmarks/train.py`` learns from its own games."""

import runpy

import pytest

from repository import ROOT
from rollwise import evaluate, load_rules
from rollwise.strategies.by_values import ByValues

BOXES = load_rules(ROOT / "examples" / "three_boxes.toml")


@pytest.mark.slow
def test_training_improves_the_expected_score() -> None:
    """With all values 0 the policy maximizes the turn's points and gets 27.16, not 29.07."""
    learner = runpy.run_path(str(ROOT / "benchmarks" / "train.py"))["Learner"](BOXES, 500, seed=1)
    assert evaluate(ByValues(learner.value_C_L), BOXES).distribution.mean < 27.5
    for number in range(8):
        learner.play(number)
        learner.learn(64)
    assert evaluate(ByValues(learner.value_C_L), BOXES).distribution.mean > 28.7
