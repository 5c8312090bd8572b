"""What each command writes with ``--json``: one type a document, of which its schema is made.

No key is ever there that is not named, and each is unless it has a default. The tests hold what
commands write to these schemas.
"""

from typing import Any

from directives.shapes.advice import (
    Advice,
    Duel,
    DuelAdvice,
    DuelBracket,
    DuelSize,
    Greedy,
    Solved,
    Value,
)
from directives.shapes.games import Checked, Practice, Reviewed, Saved, Unreadable
from directives.shapes.play import (
    Comparison,
    Frontier,
    Judged,
    Match,
    Reached,
    Report,
    Simulation,
    Stopping,
    Sweep,
    Targets,
)
from directives.shapes.rest import Cached, Plans, Preset, Published, Tree, Trivia, WorstGame
from directives.shapes.turns import PayoffLine, Turn, TurnKeeps, TurnSampled
from rollwise.game.records.as_json import RecordData
from rollwise.history.rating import Proficiency
from rollwise.rules import Rules

DOCUMENTS: dict[str, Any] = {
    "advise": Advice | DuelAdvice,
    "cache": Cached,
    "chance": Turn | TurnKeeps | TurnSampled,
    "compare": Comparison,
    "distribution": list[Reached],
    "duel": Duel | DuelSize | DuelBracket,
    "frontier stopping": Stopping,
    "frontier targets": Targets,
    "frontier variance": Frontier,
    "greedy": Greedy,
    "history check": Checked,
    "history list": list[Saved | Unreadable],
    "history show": RecordData,
    "judge": Judged,
    "match": Match,
    "payoff-line": PayoffLine,
    "plan": Plans,
    "practice": Practice,
    "proficiency": Proficiency | None,
    "report": Report,
    "review": list[Reviewed],
    "rules list": list[Preset],
    "rules show": Rules,
    "simulate": Simulation,
    "solve": Solved,
    "sweep": Sweep,
    "tree": Tree,
    "trivia": Trivia,
    "value": Value,
    "verify": list[Published],
    "worst-game": WorstGame,
}
"""The type of what each command writes. Of advise for a file there is one document a line."""
