"""Check that the network of ``benchmarks/train.py`` learns from its own games."""

import runpy

import pytest

from repository import ROOT
from rollwise import evaluate, load_rules

BOXES = load_rules(ROOT / "examples" / "three_categories.toml")


@pytest.mark.slow
def test_training_improves_the_expected_score() -> None:
    """Check that training raises the expected score from about 27.2 to more than 28.7 points.

    If all values are 0, the policy maximizes the points of each turn, and its expected score is
    27.16. The expected score of optimal play is 29.07.
    """
    learner = runpy.run_path(str(ROOT / "benchmarks" / "train.py"))["Learner"](BOXES, 500, seed=1)
    assert evaluate(learner.policy(), BOXES).distribution.mean < 27.5
    for number in range(8):
        learner.play(number)
        learner.learn(64)
    assert evaluate(learner.policy(), BOXES).distribution.mean > 28.7
