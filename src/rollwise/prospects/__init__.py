"""Decision analysis of any finite prospect and of one turn of roll and keep, exact or sampled."""

from rollwise.prospects.chains import MarkovChain, turn_chain
from rollwise.prospects.estimates import Estimate, approximately_best, sample_options
from rollwise.prospects.hands import KeepValue, keeps_within, rank
from rollwise.prospects.induction import TurnAnalysis, analyse_turn
from rollwise.prospects.influence import ChanceNode, DecisionNode, InfluenceDiagram, ValueNode
from rollwise.prospects.influence_solution import (
    Choice,
    DiagramSolution,
    solve_diagram,
    value_of_information,
)
from rollwise.prospects.multisets import Multisets, multiset_turn
from rollwise.prospects.payoffs import parse_payoffs, payoff_turn
from rollwise.prospects.picture import Picture
from rollwise.prospects.policies import parse_policy, policy_names
from rollwise.prospects.profiles import Profiles, profile_turn
from rollwise.prospects.prospect import Decision, Prospect, analyse, decide, expected
from rollwise.prospects.prospect_picture import prospect_picture, turn_picture
from rollwise.prospects.targets import target_pattern, target_turn
from rollwise.prospects.turn_problem import TurnProblem
from rollwise.prospects.turn_simulation import compare_policies, simulate_turn

__all__ = [
    "ChanceNode",
    "Choice",
    "Decision",
    "DecisionNode",
    "DiagramSolution",
    "Estimate",
    "InfluenceDiagram",
    "KeepValue",
    "MarkovChain",
    "Multisets",
    "Picture",
    "Profiles",
    "Prospect",
    "TurnAnalysis",
    "TurnProblem",
    "ValueNode",
    "analyse",
    "analyse_turn",
    "approximately_best",
    "compare_policies",
    "decide",
    "expected",
    "keeps_within",
    "multiset_turn",
    "parse_payoffs",
    "parse_policy",
    "payoff_turn",
    "policy_names",
    "profile_turn",
    "prospect_picture",
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
