"""Decision analysis of any finite prospect and of one turn of roll and keep, exact and drawn."""

from rollwise.prospects.chains import MarkovChain, turn_chain
from rollwise.prospects.diagram import InfluenceDiagram, turn_diagram
from rollwise.prospects.hands import KeepValue, keeps_within, rank
from rollwise.prospects.induction import TurnAnalysis, analyse_turn
from rollwise.prospects.multisets import Multisets, multiset_turn
from rollwise.prospects.profiles import Profiles, profile_turn
from rollwise.prospects.prospect import Decision, Prospect, analyse, decide, expected
from rollwise.prospects.targets import target_turn
from rollwise.prospects.turn_problem import TurnProblem

__all__ = [
    "Decision",
    "InfluenceDiagram",
    "KeepValue",
    "MarkovChain",
    "Multisets",
    "Profiles",
    "Prospect",
    "TurnAnalysis",
    "TurnProblem",
    "analyse",
    "analyse_turn",
    "decide",
    "expected",
    "keeps_within",
    "multiset_turn",
    "profile_turn",
    "rank",
    "target_turn",
    "turn_chain",
    "turn_diagram",
]
