"""Decision analysis of finite decision problems and of one turn of roll and keep."""

from rollwise.decision_analysis.chains import MarkovChain, turn_chain
from rollwise.decision_analysis.decision_problem import (
    Decision,
    DecisionProblem,
    analyze,
    decide,
    expected,
)
from rollwise.decision_analysis.dice_multisets import Multisets, multiset_turn
from rollwise.decision_analysis.dice_profiles import Profiles, profile_turn
from rollwise.decision_analysis.drawing import Picture, decision_picture, turn_picture
from rollwise.decision_analysis.induction import TurnAnalysis, analyze_turn
from rollwise.decision_analysis.influence_diagram import (
    ChanceNode,
    Choice,
    DecisionNode,
    DiagramSolution,
    InfluenceDiagram,
    ValueNode,
    solve_diagram,
    value_of_information,
)
from rollwise.decision_analysis.keep_ranking import KeepOption, keeps_within, rank
from rollwise.decision_analysis.payoffs import parse_payoffs, payoff_turn
from rollwise.decision_analysis.policies import parse_policy, policy_names
from rollwise.decision_analysis.simulation import (
    Estimate,
    approximately_best,
    compare_policies,
    sample_options,
    simulate_turn,
)
from rollwise.decision_analysis.targets import target_pattern, target_turn
from rollwise.decision_analysis.turn_problem import TurnProblem

__all__ = [
    "ChanceNode",
    "Choice",
    "Decision",
    "DecisionNode",
    "DecisionProblem",
    "DiagramSolution",
    "Estimate",
    "InfluenceDiagram",
    "KeepOption",
    "MarkovChain",
    "Multisets",
    "Picture",
    "Profiles",
    "TurnAnalysis",
    "TurnProblem",
    "ValueNode",
    "analyze",
    "analyze_turn",
    "approximately_best",
    "compare_policies",
    "decide",
    "decision_picture",
    "expected",
    "keeps_within",
    "multiset_turn",
    "parse_payoffs",
    "parse_policy",
    "payoff_turn",
    "policy_names",
    "profile_turn",
    "rank",
    "sample_options",
    "simulate_turn",
    "solve_diagram",
    "target_pattern",
    "target_turn",
    "turn_chain",
    "turn_picture",
    "value_of_information",
]
