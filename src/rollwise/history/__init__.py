"""The history: a database of saved games and their reviews, and ratings of players."""

from rollwise.history.database import HistoryError, NoSuchGameError, NotOwnerError
from rollwise.history.games import SavedGame, UnreadableGame, new_id
from rollwise.history.mistakes import due_mistakes, mistakes, practised
from rollwise.history.rating import (
    DecisionGroup,
    Proficiency,
    Rival,
    people,
    proficiency,
    rivals,
    streaks,
)
from rollwise.history.store import History

__all__ = [
    "DecisionGroup",
    "History",
    "HistoryError",
    "NoSuchGameError",
    "NotOwnerError",
    "Proficiency",
    "Rival",
    "SavedGame",
    "UnreadableGame",
    "due_mistakes",
    "mistakes",
    "new_id",
    "people",
    "practised",
    "proficiency",
    "rivals",
    "streaks",
]
