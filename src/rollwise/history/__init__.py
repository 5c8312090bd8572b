"""The history: saved games and their reviews in an SQLite file, and ratings of players."""

from rollwise.history.database import (
    DiskFullError,
    GoneOnError,
    HistoryError,
    NoSuchGameError,
    NotOwnerError,
)
from rollwise.history.mistakes import (
    Mistake,
    chosen_mistakes,
    due_mistakes,
    mistakes,
    practiced,
)
from rollwise.history.rating import (
    DecisionGroup,
    Rating,
    Rival,
    check_name,
    missing_reviews,
    people,
    rate_player,
    rivals,
    streaks,
)
from rollwise.history.store import History, SavedGame, new_id

__all__ = [
    "DecisionGroup",
    "DiskFullError",
    "GoneOnError",
    "History",
    "HistoryError",
    "Mistake",
    "NoSuchGameError",
    "NotOwnerError",
    "Rating",
    "Rival",
    "SavedGame",
    "check_name",
    "chosen_mistakes",
    "due_mistakes",
    "missing_reviews",
    "mistakes",
    "new_id",
    "people",
    "practiced",
    "rate_player",
    "rivals",
    "streaks",
]
