"""How a game is played beside its rules: who is a robot, whether a tutor warns, and for what."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rollwise.errors import MalformedError, quoted

EXPECTED = "expected"
ON, OFF = "on", "off"


@dataclass(frozen=True)
class Setting:
    """What a record says of the table, so that the game goes on there as it was.

    Attributes
    ----------
    robots : mapping of int to str
        The strategies of those players, by number, that are no people.
    tutor : bool
        Whether choices that lose something are warned of.
    objective : str
        What hints and the tutor play for.
    """

    robots: Mapping[int, str] = field(default_factory=dict, hash=False)
    tutor: bool = False
    objective: str = EXPECTED

    def head(self, players: Sequence[str]) -> dict[str, str]:
        """Return what the head of a record says of it, by field; nothing that is as ever."""
        robots = "; ".join(f"{players[n]}: {robot}" for n, robot in sorted(self.robots.items()))
        told = {
            "robots": robots,
            "tutor": ON if self.tutor else "",
            "objective": self.objective if self.objective != EXPECTED else "",
        }
        return {key: words for key, words in told.items() if words}


def robots_of(text: str) -> dict[str, str]:
    """Return the strategies that the head of a record names, by player.

    Raises
    ------
    MalformedError
        When it names none.
    """
    robots = {}
    for part in text.split(";"):
        name, colon, strategy = part.partition(":")
        if not colon or not strategy.strip():
            expected = "a player and a strategy, such as Ben: greedy"
            raise MalformedError(f"expected {expected}, got {quoted(part.strip())}")
        robots[name.strip()] = strategy.strip()
    return robots


def seated(robots: Mapping[str, str], players: Sequence[str]) -> dict[int, str]:
    """Return the strategies of robots by the number of their player.

    Raises
    ------
    MalformedError
        When one is no player.
    """
    for name in robots:
        if name not in players:
            raise MalformedError(f"expected robots among {', '.join(players)}, got {quoted(name)}")
    return {players.index(name): strategy for name, strategy in robots.items()}


def tutor_of(text: str) -> bool:
    """Return whether a text says that the tutor is on.

    Raises
    ------
    MalformedError
        When it says neither.
    """
    if text not in (ON, OFF):
        raise MalformedError(f"expected {ON} or {OFF}, got {quoted(text)}")
    return text == ON
