"""Games kept in a database, with their reviews, and how well one plays over all of them."""

from rollwise.history.errors import HistoryError, NoSuchGameError, NotOwnerError
from rollwise.history.games import SavedGame, UnreadableGame, new_id
from rollwise.history.proficiency import Group, Proficiency, mistakes, people, proficiency
from rollwise.history.store import History

__all__ = [
    "Group",
    "History",
    "HistoryError",
    "NoSuchGameError",
    "NotOwnerError",
    "Proficiency",
    "SavedGame",
    "UnreadableGame",
    "mistakes",
    "new_id",
    "people",
    "proficiency",
]
