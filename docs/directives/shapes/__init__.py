"""What each command writes with ``--json``: one type a document, of which its schema is made.

No key is ever there that is not named, and each is unless it has a default. The tests hold what
commands write to these schemas.
"""

from typing import Any

from directives.shapes.advice import (
    Advice,
    Duel,
    DuelAdvice,
    DuelSize,
    Greedy,
    Solved,
    Value,
)
from directives.shapes.decisions import Decision
from directives.shapes.games import Checked, Practice, Reviewed, Saved, Unreadable
from directives.shapes.play import (
    Comparison,
    Frontier,
    Match,
    Report,
    Simulation,
    Stopping,
    Sweep,
    Targets,
)
from directives.shapes.rest import (
    Cached,
    DefaultGame,
    Estimates,
    Openings,
    Preset,
    Published,
    Tree,
    WorstGame,
)
from directives.shapes.turns import PayoffLine, Turn, TurnKeeps, TurnSimulated
from rollwise.game.records.as_json import GameData
from rollwise.history.rating import Rating
from rollwise.rules import Rules

DOCUMENTS: dict[str, Any] = {
    "advise": Advice | DuelAdvice | Value,
    "cache": Cached,
    "odds": Turn | TurnKeeps | TurnSimulated,
    "compare": Comparison,
    "decide": Decision,
    "duel": Duel | DuelSize,
    "frontier restart": Stopping,
    "frontier targets": Targets,
    "frontier variance": Frontier,
    "greedy": Greedy,
    "history check": Checked,
    "history list": list[Saved | Unreadable],
    "history show": GameData,
    "payoff-line": PayoffLine,
    "practice": Practice,
    "rating": Rating | None,
    "report": Report | Openings,
    "review": list[Reviewed],
    "rules list": list[Preset],
    "rules show": Rules,
    "rules use": DefaultGame,
    "simulate": Simulation | Match,
    "solve": Solved | Estimates,
    "sweep": Sweep,
    "tree": Tree,
    "verify": Published,
    "worst-game": WorstGame,
}
"""The type of what each command writes. Of advise for a file there is one document a line."""
