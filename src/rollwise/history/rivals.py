"""Head to head: how somebody fares against those he played with, and his days of playing."""

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import stdev

from rollwise.history.games import SavedGame
from rollwise.history.proficiency import Mean
from rollwise.reviews.apart import games_to_tell_apart

DAY = datetime.timedelta(days=1)


@dataclass(frozen=True)
class Rival:
    """Games against the same opponent.

    Attributes
    ----------
    name : str
        Of the opponent.
    won, tied, lost : int
        Games, seen from the other side of the table.
    difference : Mean
        One's own score less that of the opponent.
    games_needed : int or None
        After how many games such a difference is no chance; None where that cannot be said.
    """

    name: str
    won: int
    tied: int
    lost: int
    difference: Mean
    games_needed: int | None

    def words(self) -> tuple[str, ...]:
        """Return all of it as a line of a table has it."""
        games = "–" if self.games_needed is None else f"{self.games_needed:,}"
        tally = (str(number) for number in (self.won, self.tied, self.lost))
        return self.name, *tally, str(self.difference), games


def rivals(games: Iterable[SavedGame], rules: str, name: str) -> list[Rival]:
    """Return everybody whom somebody met in finished games of some rules, most games first."""
    met: dict[str, list[int]] = {}
    for game in games:
        record = game.record
        scores = dict(zip(record.players, (card.points for card in record.cards), strict=True))
        if record.rules.name == rules and record.is_over and name in scores:
            for other in scores.keys() - {name}:
                met.setdefault(other, []).append(scores[name] - scores[other])
    found = [_rival(other, differences) for other, differences in met.items()]
    return sorted(found, key=lambda one: (-one.won - one.tied - one.lost, one.name))


def _rival(name: str, differences: Sequence[int]) -> Rival:
    mean = Mean.of(differences)
    needed = games_to_tell_apart(mean.mean, stdev(differences)) if len(differences) > 1 else None
    return Rival(
        name,
        sum(d > 0 for d in differences),
        sum(d == 0 for d in differences),
        sum(d < 0 for d in differences),
        mean,
        needed,
    )


def streaks(days: Iterable[datetime.date], today: datetime.date) -> tuple[int, int]:
    """Return how many days in a row somebody played up to now, and at most.

    A row goes on as long as yesterday belongs to it.
    """
    row = longest = 0
    played = sorted(set(days))
    for before, day in pairwise([datetime.date.min, *played]):
        row = row + 1 if day - before == DAY else 1
        longest = max(longest, row)
    is_on = bool(played) and today - played[-1] <= DAY
    return row if is_on else 0, longest
