"""The history: saved games and their reviews in an SQLite file, and ratings of players."""

from rollwise.history.database import DiskFullError as DiskFullError
from rollwise.history.database import GoneOnError as GoneOnError
from rollwise.history.database import HistoryError as HistoryError
from rollwise.history.database import NoSuchGameError as NoSuchGameError
from rollwise.history.database import NotOwnerError as NotOwnerError
from rollwise.history.mistakes import Mistake as Mistake
from rollwise.history.mistakes import chosen_mistakes as chosen_mistakes
from rollwise.history.mistakes import due_mistakes as due_mistakes
from rollwise.history.mistakes import mistakes as mistakes
from rollwise.history.mistakes import practiced as practiced
from rollwise.history.rating import DecisionGroup as DecisionGroup
from rollwise.history.rating import Rating as Rating
from rollwise.history.rating import Rival as Rival
from rollwise.history.rating import check_name as check_name
from rollwise.history.rating import missing_reviews as missing_reviews
from rollwise.history.rating import people as people
from rollwise.history.rating import rate_player as rate_player
from rollwise.history.rating import rated_rules as rated_rules
from rollwise.history.rating import rivals as rivals
from rollwise.history.rating import streaks as streaks
from rollwise.history.store import History as History
from rollwise.history.store import SavedGame as SavedGame
from rollwise.history.store import check_turns as check_turns
from rollwise.history.store import new_id as new_id
