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
from rollwise.decision_analysis.keep_ranking import KeepOption, keeps_within, rank
from rollwise.decision_analysis.odds import Odds, is_payoff, odds
from rollwise.decision_analysis.picture import Picture, decision_picture, turn_picture
from rollwise.decision_analysis.policies import parse_policy, policy_names
from rollwise.decision_analysis.simulation import (
    Estimate,
    approximately_best,
    compare_policies,
    sample_options,
    simulate_turn,
)
from rollwise.decision_analysis.targets import target_pattern, target_turn
from rollwise.decision_analysis.turn import Multisets, Profiles, Turn

__all__ = [
    "Decision",
    "DecisionProblem",
    "Estimate",
    "KeepOption",
    "MarkovChain",
    "Multisets",
    "Odds",
    "Picture",
    "Profiles",
    "Turn",
    "analyze",
    "approximately_best",
    "compare_policies",
    "decide",
    "decision_picture",
    "expected",
    "is_payoff",
    "keeps_within",
    "load_decision",
    "odds",
    "parse_policy",
    "policy_names",
    "rank",
    "sample_options",
    "simulate_turn",
    "target_pattern",
    "target_turn",
    "turn_chain",
    "turn_picture",
]
