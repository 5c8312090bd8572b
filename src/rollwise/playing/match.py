"""Matches between two strategies: simulation, game records, transcripts, and scorecards.

Strategies that ignore the opponent are simulated in batches, independently of each other. If a
strategy responds to the opponent's scorecard, the games are simulated event by event.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import check_count, counted
from rollwise.evaluation.evaluate import strategy_named
from rollwise.experiments.simulation import simulate
from rollwise.game.actions import Event, Keep, Roll, Score
from rollwise.game.game import Game, fair_roll
from rollwise.game.scorecard import card_rows
from rollwise.model.dice_lattice import lattice
from rollwise.notebook import Tabular, html_table
from rollwise.playing.bot import Bot, check_duel
from rollwise.rules import Rules, RulesLike, game_of
from rollwise.solving.objectives import EXPECTED, Objective
from rollwise.solving.progress import Progress
from rollwise.strategies import Strategy, StrategyLike

if TYPE_CHECKING:  # needs numba
    from rollwise.solving.kernels.simulation import TurnLog


@dataclass(frozen=True, eq=False, repr=False)
class Match(Tabular):
    """The simulated games of a match between two strategies.

    Attributes
    ----------
    rules : Rules
    players : pair of Strategy
    scores_P_N : int array
        The final scores of both players P in each game N.
    """

    rules: Rules
    players: tuple[Strategy, Strategy]
    scores_P_N: NDArray[np.int64]
    _events: Callable[[int], Iterable[Event]]

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
        return [dict(zip(self.names, pair, strict=True)) for pair in self.scores_P_N.T.tolist()]

    @property
    def number(self) -> int:
        """The number of games."""
        return len(self.scores_P_N[0])

    def tally(self) -> tuple[int, int, int]:
        """Return the numbers of games that the first player won, tied, and lost."""
        a, b = self.scores_P_N
        return int((a > b).sum()), int((a == b).sum()), int((a < b).sum())

    def game(self, number: int) -> Game:
        """Return one of the games."""
        names = [re.sub("[,:;#]", " ", name) for name in self.names]
        return Game(self.rules, names, self._events(number))

    def transcript(self, number: int) -> list[str]:
        """Return the lines of a game record, with comments on the categories players go for."""
        game, comments, goals = self.game(number), list[str](), list[str]()
        for before, event, _ in game.steps:
            if isinstance(event, Keep):
                assert before.dice is not None
                goal = self.players[before.player].aim(
                    self.rules, before.card.filled, before.dice, before.rolls_left
                )
                goals += [goal] if goal else []
            elif isinstance(event, Score):
                comments.append(f"going for {', '.join(goals)}" if goals else "")
                goals = []
        return game.as_text(comments).splitlines()

    def board(self, number: int) -> list[tuple[str, ...]]:
        """Return a row for each line of both scorecards: a title and the points of both players."""
        return card_rows(self.game(number).cards)


def match(
    first: StrategyLike,
    second: StrategyLike,
    rules: RulesLike | None = None,
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
    rules : Rules, str, or Path, optional
        The game, the name of a preset, or the path of a rule file (default: the game of a solution,
        or ``"yahtzee"``).
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
    game = game_of(rules, first, second)
    check_duel(game, [p.name if isinstance(p, Strategy) else p for p in (first, second)])
    players = (
        strategy_named(first, game, objective, fewer_dice=fewer_dice),
        strategy_named(second, game, objective, fewer_dice=fewer_dice),
    )
    if players[0].responds or players[1].responds:
        played = list(_games_with_responses(players, game, games, seed, progress))
        scores_P_N = np.array([[card.points for card in game.cards] for game in played]).T
        return Match(game, players, scores_P_N, lambda number: played[number].events)
    samples = [
        simulate(player, game, games, 2 * seed + side, log=True)
        for side, player in enumerate(players)
    ]
    scores_P_N = np.array([sample.scores_N for sample in samples])
    logs = [sample.log for sample in samples if sample.log is not None]
    return Match(game, players, scores_P_N, partial(_logged_events, game, logs))


def _games_with_responses(
    players: Sequence[Strategy], rules: Rules, games: int, seed: int, progress: Progress | None
) -> Iterator[Game]:
    """Play games event by event, so that a strategy can respond to the opponent.

    The dice of a game depend only on the seed and the number of the game.
    """
    bots = [Bot(player, rules, seed, quick=True) for player in players]
    for number in range(games):
        game = Game(rules, ["first", "second"])
        while not game.is_over:
            if game.awaits_roll:
                game.push(fair_roll(game, (seed << 32) + number))
            else:
                game.push(bots[game.stage.player].choose(game))
        yield game
        if progress:
            progress((number + 1) / games)


def _logged_events(rules: Rules, logs: Sequence[TurnLog], game: int) -> Iterator[Event]:
    """Yield the events of a game that was simulated in a batch for each player."""
    points = lattice(rules.kinds).points
    for turn in range(len(rules.categories)):
        for log in logs:
            for j in range(log.thrown_N[game, turn]):
                if j:
                    keep = points[log.kept_N_J[game, turn, j - 1]]
                    if len(keep) == rules.dice:
                        break  # the roll is scored as it is
                    yield Keep(keep)
                yield Roll(points[log.rolled_N_J[game, turn, j]])
            yield Score(rules.keys[log.scored_N[game, turn]])
