"""Win probabilities after every roll, and the moves of the strategy ``duel``, for the web."""

from functools import lru_cache

from rollwise.game.actions import Action
from rollwise.game.records.record import Record
from rollwise.playing.bot import Bot
from rollwise.rules import Rules
from rollwise.solving.progress import Progress
from rollwise.solving.solver import solve
from rollwise.strategies import Duel
from rollwise.two_player.win_probability import Outlook, WinProbability


@lru_cache(maxsize=1)  # retains solutions from turn to turn, up to a gigabyte
def _duel_bot(rules: Rules) -> tuple[Bot, WinProbability]:
    bot = Bot(Duel(solve(rules)), rules)
    assert bot.win_probability is not None
    return bot, bot.win_probability


def outlook(record: Record, _: Progress) -> Outlook | None:
    """Return the win probability of the first of two players."""
    return _duel_bot(record.rules)[1].outlook(record.game())


def answer(record: Record, _: Progress) -> Action:
    """Return the action of the strategy ``duel``."""
    return _duel_bot(record.rules)[0].choose(record.game())
