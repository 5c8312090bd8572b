"""Decision analysis of any finite prospect and of one turn of roll and keep, exact and drawn."""

from rollwise.decision.chains import MarkovChain, turn_chain
from rollwise.decision.diagram import InfluenceDiagram, turn_diagram
from rollwise.decision.hands import KeepValue, keeps_within, rank
from rollwise.decision.induction import TurnAnalysis, analyse_turn
from rollwise.decision.multisets import Multisets, multiset_turn
from rollwise.decision.profiles import Profiles, profile_turn
from rollwise.decision.prospect import Decision, Prospect, analyse, decide, expected
from rollwise.decision.targets import target_turn
from rollwise.decision.turn import Turn

__all__ = [
    "Decision",
    "InfluenceDiagram",
    "KeepValue",
    "MarkovChain",
    "Multisets",
    "Profiles",
    "Prospect",
    "Turn",
    "TurnAnalysis",
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
