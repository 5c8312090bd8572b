"""Decision analysis of finite decision problems and of one turn of roll and keep."""

from rollwise.decision_analysis.chains import MarkovChain, turn_chain
from rollwise.decision_analysis.decision_file import load_decision
from rollwise.decision_analysis.decision_problem import (
    Decision,
    DecisionProblem,
    analyze,
    decide,
    expected,
)
from rollwise.decision_analysis.picture import Picture, decision_picture, turn_picture
from rollwise.decision_analysis.targets import target_pattern, target_turn
from rollwise.decision_analysis.turn import Multisets, Profiles, Turn

__all__ = [
    "Decision",
    "DecisionProblem",
    "MarkovChain",
    "Multisets",
    "Picture",
    "Profiles",
    "Turn",
    "analyze",
    "decide",
    "decision_picture",
    "expected",
    "load_decision",
    "target_pattern",
    "target_turn",
    "turn_chain",
    "turn_picture",
]
__dir__ = __all__.copy  # the names that completion offers
