"""What a process computes of two players: their chances, and the choices of one who answers."""

from functools import lru_cache

from rollwise.game.actions import Action
from rollwise.game.records.record import Record
from rollwise.playing.bot import Bot
from rollwise.rules import Rules
from rollwise.solving.progress import Progress
from rollwise.solving.solver import solve
from rollwise.strategies import Duel
from rollwise.two_player.win_probability import Outlook, WinProbability


@lru_cache(maxsize=1)  # what it found for a turn is there for the next, and may be a gigabyte
def _answering(rules: Rules) -> tuple[Bot, WinProbability]:
    robot = Bot(Duel(solve(rules)), rules)
    assert robot.win_probability is not None
    return robot, robot.win_probability


def outlook(record: Record, _: Progress) -> Outlook | None:
    """Return what the first of two players has to expect."""
    return _answering(record.rules)[1].outlook(record.game())


def answer(record: Record, _: Progress) -> Action:
    """Return what the strategy ``duel`` does."""
    return _answering(record.rules)[0].choose(record.game())
