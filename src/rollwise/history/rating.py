"""Ratings of players, results against each opponent, and streaks of consecutive days with a game.

The luck-adjusted score of a game is the value at the start minus the EV loss. Its mean equals the
mean score, because luck has mean zero, and its variance is much smaller. A few games are therefore
enough to estimate skill.
"""

import datetime
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from statistics import stdev
from typing import Any

from rollwise.errors import InputError, counted, quoted
from rollwise.game.headers import EXPECTED
from rollwise.history.store import History, SavedGame
from rollwise.notebook import Tabular, html_table
from rollwise.reviews.grades import VERDICTS
from rollwise.reviews.sample_size import games_to_tell_apart
from rollwise.rules import DEFAULT, RulesLike, as_rules

DAY = datetime.timedelta(days=1)


@dataclass(frozen=True)
class Mean:
    """A mean with its SE, which is None for fewer than two values."""

    mean: float
    error: float | None

    @classmethod
    def of(cls, values: Sequence[float]) -> "Mean":
        """Estimate the mean from at least one independent value."""
        n = len(values)
        mean = math.fsum(values) / n
        if n < 2:
            return cls(mean, None)
        variance = math.fsum((value - mean) ** 2 for value in values) / (n - 1)
        return cls(mean, math.sqrt(variance / n))

    def __format__(self, digits: str) -> str:
        number = digits or ".2f"
        return f"{self.mean:{number}}" + ("" if self.error is None else f" ± {self.error:{number}}")

    def __str__(self) -> str:
        return format(self)


@dataclass(frozen=True)
class DecisionGroup:
    """Statistics of the decisions in one turn of the game, or in the turns scored in one category.

    Only decisions whose options differ in value are counted. ``mean_loss`` is the EV loss per
    decision, and ``share`` is the group's fraction of the total EV loss.
    """

    name: str
    decisions: int
    mean_loss: float
    share: float

    def words(self) -> tuple[str, str, str, str]:
        """Return the statistics as strings for a table row, with the share in percent."""
        shares = f"{self.mean_loss:.3f}", f"{100 * self.share:.1f}"
        return self.name, str(self.decisions), *shares


@dataclass(frozen=True, repr=False)
class Rating(Tabular):
    """The rating of a player, or of all players together.

    Attributes
    ----------
    score, luck_adjusted : Mean
        The mean score per game, and the mean luck-adjusted score per game.
    best_play : float
        The expected score of a game with optimal play.
    mean_loss : float
        The EV loss per counted decision.
    tally : dict of str to int
        The number of counted decisions with each grade.
    by_turn, by_category : list of DecisionGroup
        The decisions grouped by turn, and by the category scored in the turn.
    trend : list of float
        The EV loss per decision in each game, earliest game first.
    """

    games: int
    decisions: int
    score: Mean
    luck_adjusted: Mean
    best_play: float
    mean_loss: float
    tally: dict[str, int]
    by_turn: list[DecisionGroup]
    by_category: list[DecisionGroup]
    trend: list[float]

    def __repr__(self) -> str:
        games = counted(self.games, "game")
        return f"<Rating over {games}: score {self.score}, luck-adjusted {self.luck_adjusted}>"

    def _repr_html_(self) -> str:
        rows = [group.words() for group in self.by_category]
        return html_table(repr(self).strip("<>"), rows, ("category", "decisions", "loss", "%"))

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each turn and each category."""
        groups = {"turn": self.by_turn, "category": self.by_category}
        return [{"group": kind, **asdict(part)} for kind, parts in groups.items() for part in parts]

    def as_dict(self) -> dict[str, Any]:
        """Return the rating as JSON-serializable data."""
        return asdict(self)


def rate_player(history: History, rules: str, name: str | None = None) -> Rating | None:
    """Return the rating of one player or of all players; None if they have no reviewed games."""
    scores, starts, adjusted, trend = list[float](), list[float](), list[float](), list[float]()
    losses = defaultdict[tuple[int, str, str], list[float]](list)
    for review in history.reviews(rules, name):
        if review.objective == EXPECTED:
            scores.append(review.score)
            starts.append(review.start)
            adjusted.append(review.start - review.loss)
            trend.append(review.loss / max(len(review.decisions), 1))
            for decision in review.decisions:
                losses[decision.turn, decision.category, decision.verdict].append(decision.loss)
    if not scores:
        return None
    parts = [
        _DecisionCounts(*kind, decisions=len(lost), loss=math.fsum(lost))
        for kind, lost in losses.items()
    ]
    number, loss = sum(part.decisions for part in parts), math.fsum(part.loss for part in parts)
    turns = sorted({part.turn for part in parts})
    categories = list(dict.fromkeys(part.category for part in parts))
    return Rating(
        games=len(scores),
        decisions=number,
        score=Mean.of(scores),
        luck_adjusted=Mean.of(adjusted),
        best_play=math.fsum(starts) / len(starts),
        mean_loss=loss / max(number, 1),
        tally={
            verdict: sum(part.decisions for part in parts if part.verdict == verdict)
            for verdict in VERDICTS
        },
        by_turn=[_group(str(t), [part for part in parts if part.turn == t], loss) for t in turns],
        by_category=sorted(
            (_group(key, [p for p in parts if p.category == key], loss) for key in categories),
            key=lambda group: -group.share,
        ),
        trend=trend,
    )


def rating(
    rules: RulesLike = DEFAULT, name: str | None = None, *, database: str | Path | None = None
) -> Rating | None:
    """Return the rating of a player over all saved games; None if there are no games.

    Parameters
    ----------
    rules : Rules, str, or Path
        The game, the name of a preset, or the path of a rule file.
    name : str, optional
        The name of the player (default: all players).
    database : str or Path, optional
        The file of saved games (default: a file in your data folder).

    Raises
    ------
    InputError
        If there are no saved games, or the player has no finished game of these rules.

    Examples
    --------
    >>> rating("yatzy", "Ada", database="none.sqlite")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    rollwise.history.database.HistoryError: there is no history in none.sqlite; ...
    """
    game = as_rules(rules)
    with History(database, create=False) as history:
        check_name(history, game.name, name)
        return rate_player(history, game.name, name)


def check_name(history: History, rules: str, name: str | None) -> None:
    """Raise InputError if nobody with this name has finished a game of these rules."""
    names = people(history, rules)
    if name is not None and name not in names:
        others = f"Players with games: {', '.join(sorted(names))}." if names else ""
        hint = missing_reviews(history, rules) or others or "Play one first."
        raise InputError(f"{quoted(name)} has no finished game of {rules}. {hint}")


def missing_reviews(history: History, rules: str) -> str:
    """Return a sentence about finished games that have no review; empty if all have one."""
    number = history.unreviewed(rules)
    games = counted(number, "finished game")
    return f"{games} without a review. To review, run: rollwise history check" if number else ""


def people(history: History, rules: str) -> list[str]:
    """Return the players of reviewed games with the given rules, ordered by their first game."""
    query = (
        "SELECT player FROM games JOIN reviews ON reviews.game = games.id "
        "WHERE {owned} AND is_over AND rules = :rules "
        "GROUP BY player ORDER BY min(saved_at), player"
    )
    with history.database.reading() as database:
        names = [name for (name,) in history.select(database, query, rules=rules)]
    return [name for name in names if isinstance(name, str) and name.isprintable()]


def rated_rules(history: History) -> list[str]:
    """Return the rules of the games that count in a rating, the rules of the latest game first."""
    query = (
        "SELECT rules FROM games JOIN reviews ON reviews.game = games.id "
        "WHERE {owned} AND is_over AND objective = :objective "
        "GROUP BY rules ORDER BY max(saved_at) DESC"
    )
    with history.database.reading() as database:
        return [rules for (rules,) in history.select(database, query, objective=EXPECTED)]


@dataclass(frozen=True)
class _DecisionCounts:
    """The number and total EV loss of the counted decisions of one turn, category, and grade."""

    turn: int
    category: str
    verdict: str
    decisions: int
    loss: float


def _group(name: str, parts: Sequence[_DecisionCounts], total: float) -> DecisionGroup:
    number, loss = sum(part.decisions for part in parts), math.fsum(part.loss for part in parts)
    return DecisionGroup(name, number, loss / number, loss / total if total else 0.0)


@dataclass(frozen=True)
class Rival:
    """A player's results against one opponent.

    ``difference`` is the player's score minus the opponent's score, and ``games_needed`` is the
    number of games after which this mean difference is significant, or None if it is unknown.
    """

    name: str
    won: int
    tied: int
    lost: int
    difference: Mean
    games_needed: int | None

    def words(self) -> tuple[str, ...]:
        """Return the results as strings for a table row."""
        games = "–" if self.games_needed is None else f"{self.games_needed:,}"
        tally = (str(number) for number in (self.won, self.tied, self.lost))
        return self.name, *tally, str(self.difference), games


def rivals(games: Iterable[SavedGame], rules: str, name: str) -> list[Rival]:
    """Return a player's results against each opponent; the one with the most games comes first."""
    differences: dict[str, list[int]] = {}
    for saved in games:
        game = saved.game
        scores = dict(zip(game.players, (card.points for card in game.cards), strict=True))
        if game.rules.name == rules and game.is_over and name in scores:
            for other in scores.keys() - {name}:
                differences.setdefault(other, []).append(scores[name] - scores[other])
    opponents = [_rival(other, of_games) for other, of_games in differences.items()]
    return sorted(opponents, key=lambda rival: (-rival.won - rival.tied - rival.lost, rival.name))


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
    """Return the lengths of the current streak and of the longest streak, in days.

    A streak is a run of consecutive ``days``. It is current if it includes today or yesterday.
    """
    streak = longest = 0
    played = sorted(set(days))
    for before, day in pairwise([datetime.date.min, *played]):
        streak = streak + 1 if day - before == DAY else 1
        longest = max(longest, streak)
    is_current = bool(played) and today - played[-1] <= DAY
    return streak if is_current else 0, longest
