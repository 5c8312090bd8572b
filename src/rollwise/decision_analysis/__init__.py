"""Decision analysis of finite decision problems and of one turn of roll and keep."""

from rollwise.decision_analysis.chain_picture import chain_picture
from rollwise.decision_analysis.chains import MarkovChain, turn_chain
from rollwise.decision_analysis.decision_file import (
    DecisionFile,
    DecisionFileError,
    load_decision,
    load_decision_file,
    parse_decision,
)
from rollwise.decision_analysis.decision_model import (
    DecisionModel,
    DiagramDecision,
    Information,
    ModelSolution,
    PlannedChoice,
    StagedDecision,
)
from rollwise.decision_analysis.decision_problem import (
    Decision,
    DecisionProblem,
    analyze,
    decide,
    expected,
)
from rollwise.decision_analysis.drawing import Picture, decision_picture, turn_picture
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
from rollwise.decision_analysis.odds import Odds, is_payoff, odds
from rollwise.decision_analysis.policies import parse_policy, policy_names
from rollwise.decision_analysis.sensitivity import Sensitivity, Threshold, sensitivity
from rollwise.decision_analysis.simulation import (
    Estimate,
    approximately_best,
    compare_policies,
    sample_options,
    simulate_turn,
)
from rollwise.decision_analysis.targets import target_pattern, target_turn
from rollwise.decision_analysis.turn import Multisets, Profiles, Turn
from rollwise.decision_analysis.utility import (
    ExponentialUtility,
    LinearUtility,
    LossUtility,
    TableUtility,
    Utility,
)

__all__ = [
    "ChanceNode",
    "Choice",
    "Decision",
    "DecisionFile",
    "DecisionFileError",
    "DecisionModel",
    "DecisionNode",
    "DecisionProblem",
    "DiagramDecision",
    "DiagramSolution",
    "Estimate",
    "ExponentialUtility",
    "InfluenceDiagram",
    "Information",
    "KeepOption",
    "LinearUtility",
    "LossUtility",
    "MarkovChain",
    "ModelSolution",
    "Multisets",
    "Odds",
    "Picture",
    "PlannedChoice",
    "Profiles",
    "Sensitivity",
    "StagedDecision",
    "TableUtility",
    "Threshold",
    "Turn",
    "Utility",
    "ValueNode",
    "analyze",
    "approximately_best",
    "chain_picture",
    "compare_policies",
    "decide",
    "decision_picture",
    "expected",
    "is_payoff",
    "keeps_within",
    "load_decision",
    "load_decision_file",
    "odds",
    "parse_decision",
    "parse_policy",
    "policy_names",
    "rank",
    "sample_options",
    "sensitivity",
    "simulate_turn",
    "solve_diagram",
    "target_pattern",
    "target_turn",
    "turn_chain",
    "turn_picture",
    "value_of_information",
]
