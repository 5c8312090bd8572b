"""Ratings of players, results against each opponent, and streaks of consecutive days with a game.

The luck-adjusted score of a game is the value at the start minus the EV loss. Its mean equals the
mean score, because luck has mean zero, and its variance is much smaller. A few games are therefore
enough to estimate skill.
"""

import datetime
import json
import logging
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import pairwise
from statistics import stdev
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Float, Select, String, cast, func, select

from rollwise.errors import InputError, counted, quoted
from rollwise.history.games import SavedGame
from rollwise.history.schema import DecisionRow, GameRow, PlayedRow, checksum
from rollwise.history.store import BATCH, History
from rollwise.notebook import Tabular, html_table
from rollwise.reviews.grades import VERDICTS
from rollwise.reviews.sample_size import games_to_tell_apart
from rollwise.rules import RulesLike, as_rules

log = logging.getLogger("rollwise")

Query = TypeVar("Query", bound=Select[*tuple[Any, ...]])

KIND = re.compile(r"(\d+) (.*) (\w+)")
"""The turn, category, and grade of a decision."""

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

    def __str__(self) -> str:
        return f"{self.mean:.2f}" + ("" if self.error is None else f" ± {self.error:.2f}")


@dataclass(frozen=True)
class DecisionGroup:
    """Statistics of the decisions in one turn of the game, or in the turns scored in one category.

    Attributes
    ----------
    decisions : int
        The number of decisions whose options differ in value.
    mean_loss : float
        The EV loss per decision.
    share : float
        The group's fraction of the total EV loss, from 0 to 1.
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


def rate_player(
    history: History, rules: str, name: str | None = None, objective: str = "expected"
) -> Rating | None:
    """Return a player's rating over finished games with the given rules.

    Return None if there are no games. Games with damaged reviews are skipped with a warning.

    Parameters
    ----------
    rules : str
        The name of the rules.
    name : str, optional
        The name of the player; default: all players.
    objective : str
        The name of the objective.
    """
    played, damaged = list[_PlayedGame](), list[str]()
    losses = defaultdict[str, list[float]](list)
    with history.database.reading() as session:
        query = _reviews(history, rules, name).execution_options(yield_per=BATCH)
        for row in session.execute(query):
            decisions = _decisions(row)
            if decisions is None:
                damaged.append(row.game_id)
            elif row.objective == objective:
                played.append(_PlayedGame(row.score, row.start, row.loss, len(decisions)))
                for kind, lost in decisions:
                    losses[kind].append(lost)
    for id in dict.fromkeys(damaged):
        log.warning(
            "the game %s is not rated, because its review is damaged; to review it again, run: "
            "rollwise history check",
            id,
        )
    if not played:
        return None
    parts = [
        _DecisionCounts(int(turn), category, verdict, len(lost), math.fsum(lost))
        for kind, lost in losses.items()
        for turn, category, verdict in KIND.findall(kind)
    ]
    number, loss = sum(part.decisions for part in parts), math.fsum(part.loss for part in parts)
    turns = sorted({part.turn for part in parts})
    categories = list(dict.fromkeys(part.category for part in parts))
    return Rating(
        games=len(played),
        decisions=number,
        score=Mean.of([game.score for game in played]),
        luck_adjusted=Mean.of([game.start - game.loss for game in played]),
        best_play=math.fsum(game.start for game in played) / len(played),
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
        trend=[game.loss / max(game.decisions, 1) for game in played],
    )


def _reviews(history: History, rules: str, player: str | None) -> Select[*tuple[Any, ...]]:
    """Return a query for reviews, with the kinds and EV losses of counted decisions as JSON."""
    is_sqlite = history.database.engine.dialect.name == "sqlite"
    array = func.json_group_array if is_sqlite else func.json_agg
    kind = cast(DecisionRow.turn, String) + " " + DecisionRow.category + " " + DecisionRow.verdict
    decisions = (
        cast(array(value).filter(DecisionRow.id.is_not(None)), String).label(name)
        for name, value in (("kinds", kind), ("losses", cast(DecisionRow.loss, Float)))
    )  # a damaged loss is 0
    columns = (
        PlayedRow.game_id, PlayedRow.name, PlayedRow.objective, PlayedRow.score, PlayedRow.start,
        PlayedRow.luck, PlayedRow.loss, PlayedRow.checksum,
    )  # fmt: skip
    return (
        finished(history, select(*columns, *decisions), rules, player)
        .outerjoin(DecisionRow, (DecisionRow.played_id == PlayedRow.id) & DecisionRow.counted)
        .group_by(GameRow.saved_at, PlayedRow.id)
        .order_by(GameRow.saved_at, PlayedRow.id)
    )


def _decisions(row: Any) -> list[tuple[str, float]] | None:
    """Return the kinds and EV losses of the counted decisions of a review; None if it is damaged.

    A review is damaged if it does not add up, or does not match its checksum.
    """
    *values, expected, kinds_text, losses_text = row
    try:
        kinds, losses = json.loads(kinds_text or "[]"), json.loads(losses_text or "[]")
        is_sound = math.isclose(sum(losses), row.loss, rel_tol=1e-12, abs_tol=1e-12)
    except (ValueError, TypeError):
        return None
    if None in values or not is_sound or not all(map(_is_kind, kinds)):
        return None
    if expected not in (None, checksum(*values, ",".join(sorted(kinds)))):
        return None
    return list(zip(kinds, losses, strict=True))


@lru_cache(10_000)
def _is_kind(text: str | None) -> bool:
    return text is not None and KIND.fullmatch(text) is not None


def rating(
    rules: RulesLike, name: str | None = None, *, database: str | None = None
) -> Rating | None:
    """Return the rating of a player over all saved games; None if there are no games.

    Parameters
    ----------
    rules : Rules, str, or Path
        The game, the name of a preset, or the path of a rule file.
    name : str, optional
        The name of the player (default: all players).
    database : str, optional
        The database of saved games (default: a file in your data folder).

    Raises
    ------
    InputError
        If there are no saved games, or the player has no finished game of these rules.

    Examples
    --------
    >>> rating("yatzy", "Ada", database="sqlite://")
    Traceback (most recent call last):
    rollwise.errors.InputError: 'Ada' has no finished game of yatzy. Play one first.
    """
    game = as_rules(rules)
    with History(database, create=False) as history:
        check_name(history, game.name, name)
        return rate_player(history, game.name, name)


def check_name(history: History, rules: str, name: str | None) -> None:
    """Check that someone with this name has finished a game of these rules.

    Raises
    ------
    InputError
        If there is no such game.
    """
    names = people(history, rules)
    if name is not None and name not in names:
        hint = f"Players with games: {', '.join(sorted(names))}." if names else "Play one first."
        raise InputError(f"{quoted(name)} has no finished game of {rules}. {hint}")


def people(history: History, rules: str) -> list[str]:
    """Return the players of finished games with the given rules, ordered by their first game."""
    names = finished(history, select(PlayedRow.name), rules, None).group_by(PlayedRow.name)
    with history.database.reading() as session:
        ordered = names.order_by(func.min(GameRow.saved_at), PlayedRow.name)
        return [name for name in session.scalars(ordered) if name is not None]


class _PlayedGame(NamedTuple):
    """What a rating needs of a review, apart from the kinds of its decisions."""

    score: int
    start: float
    loss: float
    decisions: int


@dataclass(frozen=True)
class _DecisionCounts:
    """The number and total EV loss of the counted decisions of one turn, category, and grade."""

    turn: int
    category: str
    verdict: str
    decisions: int
    loss: float


def finished(history: History, query: Query, rules: str, name: str | None) -> Query:
    """Restrict a query to finished games with the given rules, of one player or of all players."""
    query = query.select_from(GameRow).join(PlayedRow, PlayedRow.game_id == GameRow.id)
    query = query.where(history.listed, GameRow.is_over, GameRow.rules == rules)
    return query if name is None else query.where(PlayedRow.name == name)


def _group(name: str, parts: Sequence[_DecisionCounts], total: float) -> DecisionGroup:
    number, loss = sum(part.decisions for part in parts), math.fsum(part.loss for part in parts)
    return DecisionGroup(name, number, loss / number, loss / total if total else 0.0)


@dataclass(frozen=True)
class Rival:
    """A player's results against one opponent.

    Attributes
    ----------
    name : str
        The name of the opponent.
    won, tied, lost : int
        The numbers of games that the player won, tied, and lost.
    difference : Mean
        The player's score minus the opponent's score.
    games_needed : int or None
        The number of games after which this mean difference is significant; None if the number is
        unknown.
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
    """Return a player's results against each opponent in finished games with the given rules.

    The opponent with the most games comes first.
    """
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
