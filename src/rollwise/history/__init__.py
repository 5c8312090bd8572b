"""The history: a database of saved games and their reviews, and ratings of players."""

from rollwise.history.database import (
    DiskFullError,
    GoneOnError,
    HistoryError,
    NoSuchGameError,
    NotOwnerError,
)
from rollwise.history.games import SavedGame, UnreadableGame, new_id
from rollwise.history.mistakes import chosen_mistakes, due_mistakes, mistakes, practiced
from rollwise.history.rating import (
    DecisionGroup,
    Rating,
    Rival,
    check_name,
    people,
    rate_player,
    rivals,
    streaks,
)
from rollwise.history.store import History

__all__ = [
    "DecisionGroup",
    "DiskFullError",
    "GoneOnError",
    "History",
    "HistoryError",
    "NoSuchGameError",
    "NotOwnerError",
    "Rating",
    "Rival",
    "SavedGame",
    "UnreadableGame",
    "check_name",
    "chosen_mistakes",
    "due_mistakes",
    "mistakes",
    "new_id",
    "people",
    "practiced",
    "rate_player",
    "rivals",
    "streaks",
]
