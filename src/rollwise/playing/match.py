"""Matches between two strategies: simulation, game records, transcripts, and scorecards.

Strategies that ignore the opponent are simulated in batches, independently of each other. If a
strategy responds to the opponent's scorecard, the games are simulated event by event.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rollwise.errors import check_count, counted
from rollwise.evaluation.evaluate import strategy_named
from rollwise.experiments.simulation import Sample, simulate
from rollwise.game.actions import Keep, Score
from rollwise.game.events import Event, Roll
from rollwise.game.game import Game, fair_roll
from rollwise.game.scorecard import extra_bonus_title
from rollwise.model.dice_lattice import lattice
from rollwise.notebook import Tabular, html_table
from rollwise.playing.bot import Bot, check_duel
from rollwise.rules import Rules, RulesLike, as_rules
from rollwise.solving.kernels.simulation import TurnLog
from rollwise.solving.objectives import EXPECTED, Objective
from rollwise.solving.progress import Progress
from rollwise.strategies import Strategy, StrategyLike


@dataclass(frozen=True, eq=False, repr=False)
class Match(Tabular):
    """The simulated games of a match between two strategies.

    Attributes
    ----------
    rules : Rules
    players : pair of Strategy
    games : pair of Sample
        The games of each player, with logs.
    """

    rules: Rules
    players: tuple[Strategy, Strategy]
    games: tuple[Sample, Sample]

    @property
    def names(self) -> tuple[str, str]:
        """The names of the players: the names of their strategies, numbered if they are equal."""
        a, b = (player.name for player in self.players)
        return (a, b) if a != b else (f"{a} 1", f"{b} 2")

    def __repr__(self) -> str:
        a, b = self.names
        win, tie, lost = self.tally()
        return (
            f"<Match of {a} and {b} in {self.rules.name}: {counted(self.number, 'game')}, "
            f"won {win}, tied {tie}, lost {lost}>"
        )

    def _repr_html_(self) -> str:
        rows = zip(("won", "tied", "lost"), self.tally(), strict=True)
        return html_table(f"{self.rules.title}: {' against '.join(self.names)}", rows)

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each game: the final scores of both players."""
        pairs = zip(*(game.scores_N.tolist() for game in self.games), strict=True)
        return [dict(zip(self.names, pair, strict=True)) for pair in pairs]

    @property
    def number(self) -> int:
        """The number of games."""
        return len(self.games[0].scores_N)

    def tally(self) -> tuple[int, int, int]:
        """Return the numbers of games that the first player won, tied, and lost."""
        a, b = (game.scores_N for game in self.games)
        return int((a > b).sum()), int((a == b).sum()), int((a < b).sum())

    def record(self, game: int) -> Game:
        """Return the record of one game."""
        turns = range(len(self.rules.categories))
        events = [e for turn in turns for side in (0, 1) for e in self._events(side, game, turn)]
        return Game(self.rules, tuple(re.sub("[,:;#]", " ", name) for name in self.names), events)

    def _events(self, side: int, game: int, turn: int) -> list[Event]:
        log, points = self._log(side), lattice(self.rules.kinds).points
        events, category = list[Event](), int(log.scored_N[game, turn])
        for j in range(int(log.thrown_N[game, turn])):
            if j:
                keep = points[log.kept_N_J[game, turn, j - 1]]
                if len(keep) == self.rules.dice:
                    break  # the roll is scored as it is
                events.append(Keep(keep))
            events.append(Roll(points[log.rolled_N_J[game, turn, j]]))
        return [*events, Score(self.rules.keys[category])]

    def _log(self, side: int) -> TurnLog:
        log = self.games[side].log
        assert log is not None  # match requests logs
        return log

    def transcript(self, game: int) -> Iterator[str]:
        """Yield the lines of a game record, with comments on the categories that players go for."""
        head, _, turns = str(self.record(game)).partition("\n\n")
        yield from [*head.splitlines(), ""]
        filled, saved = [0, 0], [self.rules.extra_rolls] * 2
        for number, line in enumerate(turns.splitlines()):
            turn, side = divmod(number, 2)
            rolls, log = self.rules.rolls_with(saved[side]), self._log(side)
            goals = list(self._aims(side, game, turn, filled[side], rolls))
            yield line + (f"  # going for {', '.join(goals)}" if goals else "")
            filled[side] |= 1 << int(log.scored_N[game, turn])
            left = rolls - int(log.thrown_N[game, turn])
            saved[side] = self.rules.saved_then(saved[side], left)

    def _aims(self, side: int, game: int, turn: int, filled: int, rolls: int) -> Iterator[str]:
        """Yield the categories that a strategy goes for in the rerolls of a turn."""
        log, points = self._log(side), lattice(self.rules.kinds).points
        for j in range(int(log.thrown_N[game, turn]) - 1):
            roll = points[log.rolled_N_J[game, turn, j]]
            if len(points[log.kept_N_J[game, turn, j]]) == self.rules.dice:
                break
            goal = self.players[side].aim(self.rules, filled, roll, rolls - 1 - j)
            if goal:
                yield goal

    def board(self, game: int) -> list[tuple[str, int, int]]:
        """Return a row for each line of both scorecards: a title and the points of both players."""
        a, b = self.games
        rows = [
            (category.title, int(a.points_N_K[game, k]), int(b.points_N_K[game, k]))
            for k, category in enumerate(self.rules.categories)
        ]
        if self.rules.upper_bonus:
            rows.append(("Upper bonus", int(a.bonus_N[game]), int(b.bonus_N[game])))
        if self.rules.extra_bonus:
            rows.append((extra_bonus_title(self.rules), int(a.extra_N[game]), int(b.extra_N[game])))
        return [*rows, ("Total", int(a.scores_N[game]), int(b.scores_N[game]))]

    def as_dict(self) -> dict[str, Any]:
        """Return the tally and the scores as JSON data."""
        win, tie, lost = self.tally()
        return {
            "rules": self.rules.name,
            "players": list(self.names),
            "win": win,
            "tie": tie,
            "lose": lost,
            "scores": [game.scores_N.tolist() for game in self.games],
        }


def match(
    first: StrategyLike,
    second: StrategyLike,
    rules: RulesLike,
    games: int = 1,
    seed: int = 0,
    *,
    objective: Objective | str = EXPECTED,
    fewer_dice: bool = False,
    progress: Progress | None = None,
) -> Match:
    """Simulate games between two strategies.

    Parameters
    ----------
    first, second : StrategyLike
        Names, strategies, solutions, or objects or classes with the method ``keep`` or ``worth``:
        see :func:`rollwise.parse_strategy`. The first strategy moves first.
    rules : Rules, str, or Path
        The game, the name of a preset, or the path of a rule file.
    games : int
        The number of games, at least 1.
    seed : int
        The same seed gives the same dice.
    objective : Objective or str
        The objective of strategies named ``optimal``.
    fewer_dice : bool
        Whether optimal strategies that are given by name break ties in favor of fewer dice.
    progress : callable, optional
        Called with the completed fraction of the work, from 0 to 1, after each game.

    Raises
    ------
    InputError
        If a strategy cannot be used, if a strategy that responds to the opponent cannot play this
        game, or if a number is out of range.

    Examples
    --------
    >>> match("optimal", "greedy", "micro-yahtzee", games=100, seed=1)
    <Match of optimal and greedy in micro-yahtzee: 100 games, won 56, tied 2, lost 42>
    """
    check_count(games, "games")
    check_count(seed, "seed", least=0)
    rules = as_rules(rules)
    check_duel(rules, [p if isinstance(p, str) else None for p in (first, second)])
    first, second = (
        strategy_named(player, rules, objective, fewer_dice=fewer_dice)
        for player in (first, second)
    )
    if first.responds or second.responds:
        return Match(
            rules,
            (first, second),
            simulate_responding((first, second), rules, games, seed, progress),
        )
    samples = (
        simulate(first, rules, games, 2 * seed, log=True),
        simulate(second, rules, games, 2 * seed + 1, log=True),
    )
    return Match(rules, (first, second), samples)


def simulate_responding(
    players: Sequence[Strategy],
    rules: Rules,
    games: int,
    seed: int,
    progress: Progress | None = None,
) -> tuple[Sample, Sample]:
    """Simulate games event by event, so that a strategy can respond to the opponent.

    Parameters
    ----------
    seed : int
        The dice of a game depend only on the seed and the number of the game.
    progress : callable, optional
        Called with the completed fraction of the work, from 0 to 1, after each game.
    """
    check_duel(rules, [player.name for player in players])
    bots = [Bot(player, rules, seed) for player in players]
    first, second = (_empty_sample(rules, games) for _ in bots)
    for number in range(games):
        game = Game(rules, ["first", "second"])
        while not game.is_over:
            side = game.stage.player
            if game.awaits_roll:
                game.push(fair_roll(game, (seed << 32) + number))
            else:
                game.push(bots[side].choose(game))
        _write(game, number, (first, second))
        if progress:
            progress((number + 1) / games)
    return first, second


def _empty_sample(rules: Rules, games: int) -> Sample:
    """Return an empty sample, with logs, for the games of one player."""
    turns, rolls = len(rules.categories), rules.most_rolls(len(rules.categories) - 1)
    parts: list[Any] = [part[:, None] for part in TurnLog.empty(games, rolls)]
    log = TurnLog(*(np.repeat(part, turns, axis=1) for part in parts))
    bonus_N, extra_N = np.zeros((2, games), dtype=np.int64)
    return Sample(np.zeros((games, turns), dtype=np.int16), extra_N, bonus_N, log)


def _write(game: Game, number: int, sides: tuple[Sample, Sample]) -> None:
    """Write the scores and the log of a finished game into the samples of both players."""
    dice = lattice(game.rules.kinds)
    for card, games in zip(game.stage.cards, sides, strict=True):
        games.points_N_K[number] = np.array(card.boxes)
        games.extra_N[number], games.bonus_N[number] = card.extra_bonus, card.upper_bonus
    turn, side, rolls = 0, 0, 0
    for event in game.events:
        log = sides[side].log
        assert log is not None
        if isinstance(event, Roll):
            log.rolled_N_J[number, turn, rolls] = dice.point(event.dice)
            rolls += 1
        elif isinstance(event, Keep):
            log.kept_N_J[number, turn, rolls - 1] = dice.point(event.dice)
        else:
            log.scored_N[number, turn], log.thrown_N[number, turn] = (
                game.rules.category_index(event.category),
                rolls,
            )
            turn, side, rolls = turn + side, 1 - side, 0
