"""Games kept in a database, with their reviews, and how well one plays over all of them."""

from rollwise.history.errors import HistoryError, NoSuchGameError, NotOwnerError
from rollwise.history.games import SavedGame, UnreadableGame, new_id
from rollwise.history.mistakes import due_mistakes, mistakes, practised
from rollwise.history.proficiency import Group, Proficiency, people, proficiency
from rollwise.history.rivals import Rival, rivals, streaks
from rollwise.history.store import History

__all__ = [
    "Group",
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
