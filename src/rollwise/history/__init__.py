"""Games kept in a database, with their reviews, and how well one plays over all of them."""

from rollwise.history.proficiency import Group, Proficiency, proficiency
from rollwise.history.store import History, HistoryError, NoSuchGameError, SavedGame, new_id

__all__ = [
    "Group",
    "History",
    "HistoryError",
    "NoSuchGameError",
    "Proficiency",
    "SavedGame",
    "new_id",
    "proficiency",
]
