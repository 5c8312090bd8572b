"""A strategy at the table: it chooses an action at every position."""

import random
import re
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import MalformedError, TooLargeError
from rollwise.game.actions import Action, Announce, Keep, Score
from rollwise.game.game import MAX_NAME, Game, check_players
from rollwise.game.position import Position
from rollwise.model.arrays import Model, build
from rollwise.rules import Rules
from rollwise.solving.objective_parser import parse_objective
from rollwise.solving.objectives import Objective
from rollwise.solving.place import Place
from rollwise.solving.solution import Solution
from rollwise.strategies import Duel, Optimal, Strategy, TurnPolicy, parse_strategy
from rollwise.strategies.strategy import no_announcements

if TYPE_CHECKING:
    from rollwise.two_player.win_probability import WinProbability


def seat_names(people: Sequence[str], strategies: Sequence[str]) -> dict[str, str | None]:
    """Return who sits at the table: names in the order of play, with the strategy of each robot.

    A robot is called what its strategy is, without the signs that a record needs for itself; equal
    names are told apart by a number.
    """
    plain = [re.sub("[,:;#]", " ", name).strip()[: MAX_NAME - 3] for name in strategies]
    called = [*people, *plain]
    numbered = [
        name if called.count(name) == 1 else f"{name} {called[: i + 1].count(name)}"
        for i, name in enumerate(called)
    ]
    return dict(zip(check_players(numbered), [*[None] * len(people), *strategies], strict=True))


def check_answering(rules: Rules, names: Collection[str | None]) -> None:
    """Check that who answers, if he is at the table, has one other player and can look ahead.

    Parameters
    ----------
    names : collection of str or None
        The strategy of every player; None of a person.

    Raises
    ------
    InputError
        When there are not two players, or boxes are announced.
    TooLargeError
        When the game is too large for him.
    """
    if "duel" not in names:
        return
    from rollwise.two_player.near_optimal import can_be_told  # it takes the compiler

    if len(names) != 2:
        raise MalformedError(
            f"duel answers one other player: expected two players, got {len(names)}"
        )
    if rules.announced:
        raise no_announcements("duel", rules)
    if not can_be_told(rules):
        raise TooLargeError(
            f"{rules.title} is too large for duel to look ahead: expected another opponent"
        )


class Bot:
    """A player that follows a strategy.

    Parameters
    ----------
    strategy : Strategy
    rules : Rules
    seed : int
        Of the choices that a strategy leaves to chance.

    Raises
    ------
    InputError
        When boxes are announced, and the strategy announces none.

    Attributes
    ----------
    win_probability : WinProbability or None
        Of one who answers a single opponent.
    """

    def __init__(self, strategy: Strategy, rules: Rules, seed: int = 0) -> None:
        self.strategy = strategy
        self._source = random.Random(seed)
        best = isinstance(strategy, Optimal)
        self._model: Model = strategy.solution.model if best else build(rules)  # type: ignore[attr-defined]
        self.win_probability: WinProbability | None = None
        if rules.announced:
            strategy.announced_at(self._model, *np.zeros((2, 1), dtype=np.int64))  # or refuses
        if isinstance(strategy, Duel):
            from rollwise.two_player import win_probability

            self.win_probability = win_probability.WinProbability(rules)

    @classmethod
    def named(
        cls,
        name: str,
        rules: Rules,
        solve: Callable[[Objective], Solution],
        seed: int,
        objective_of: Callable[[str], Objective] = parse_objective,
    ) -> "Bot":
        """Return the player of the strategy with this name.

        Parameters
        ----------
        solve : callable
            Gives the solution of the game for an objective.
        objective_of : callable
            Reads the objective of ``optimal:OBJECTIVE``.

        Raises
        ------
        MalformedError
            When there is none.
        """
        return cls(parse_strategy(name, solve=solve, objective_of=objective_of), rules, seed)

    def choose(self, game: Game) -> Action:
        """Return what the strategy does in a game where a decision is due."""
        stage, position = game.stage, game.position
        assert position is not None
        if self.win_probability is not None and len(stage.cards) == 2:
            policy = self.win_probability.policy(position, stage.cards[1 - stage.player])
            if policy is not None:
                return self._by(policy, Place.of(self._model, position))
        return self.action(position)

    def action(self, position: Position) -> Action:
        """Return what the strategy does at a position, whoever else is at the table."""
        model, place = self._model, Place.of(self._model, position)
        card = np.array([place.c]), np.array([place.lane])
        if place.to_announce:
            return Announce(int(self.strategy.announced_at(model, *card)[0, place.roll]))
        if place.announced is not None:
            keeps, boxes = self.strategy.choices_in(model, *card, np.array([place.announced]))
            return self._by(TurnPolicy(tuple(keeps[0]), boxes[0]), place)
        policy = self.strategy.turn_policy(model, place.c, place.lane, place.score)
        return self._by(policy, place)

    def _by(self, policy: TurnPolicy, place: Place) -> Action:
        """Return what a policy does at a place."""
        lattice = self._model.lattice
        if place.rerolls:
            kept = self._pick(policy.keeps[-place.rerolls], place.roll)
            if kept < lattice.first_roll:
                return Keep(lattice.points[kept])
        return Score(self._pick(policy.categories, place.end))

    def _pick(self, choices: NDArray[Any], at: int) -> int:
        if choices.ndim == 1:
            return int(choices[at])
        cumulative = np.cumsum(choices[at])
        drawn = self._source.random() * cumulative[-1]
        return int(np.searchsorted(cumulative, drawn, side="right"))
