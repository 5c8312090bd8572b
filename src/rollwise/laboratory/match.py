"""A match of two players: their games turn by turn, and the score board.

The form follows M. Mince, Using Markov Chains and Probabilistic Modeling to Play Yahtzee (Pomona
College), section 9.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rollwise.laboratory.simulation import Games, simulate
from rollwise.model.lattice import lattice
from rollwise.rules import Rules
from rollwise.strategies import Strategy

ORDINALS = ("First", "Second", "Third", "Fourth", "Fifth", "Sixth")


@dataclass(frozen=True, eq=False)
class Match:
    """Two players, each with dice of its own.

    Attributes
    ----------
    games : pair of Games
        With their logs.
    """

    rules: Rules
    players: tuple[Strategy, Strategy]
    games: tuple[Games, Games]

    @property
    def names(self) -> tuple[str, str]:
        """How the players are called: by strategy, numbered if they play the same."""
        a, b = (player.name for player in self.players)
        return (a, b) if a != b else (f"{a} 1", f"{b} 2")

    def tally(self) -> tuple[int, int, int]:
        """Return how many games the first player won, tied and lost."""
        a, b = (game.scores_N for game in self.games)
        return int((a > b).sum()), int((a == b).sum()), int((a < b).sum())

    def transcript(self, game: int) -> Iterator[str]:
        """Yield one game line by line: rolls, what each player goes for, what he takes."""
        filled, saved = [0, 0], [self.rules.extra_rolls] * 2
        for turn in range(len(self.rules.categories)):
            for side in (0, 1):
                yield f"(* Player {side + 1} Turn {turn + 1} *)"
                rolls = self.rules.rolls_with(saved[side])
                yield from self._turn(side, game, turn, filled[side], rolls)
                log = self.games[side].log
                assert log is not None
                filled[side] |= 1 << int(log.scored_N[game, turn])
                left = rolls - int(log.thrown_N[game, turn])
                saved[side] = self.rules.saved_then(saved[side], left)
                yield ""

    def _turn(self, side: int, game: int, turn: int, filled: int, rolls: int) -> Iterator[str]:
        """Yield one turn of up to so many rolls."""
        rules, player, played = self.rules, self.players[side], self.games[side]
        assert played.log is not None
        points = lattice(rules.kinds).points
        thrown = int(played.log.thrown_N[game, turn])
        for j in range(thrown):
            roll = points[played.log.rolled_N_J[game, turn, j]]
            last = j == thrown - 1
            word = "Final" if last else ORDINALS[j] if j < len(ORDINALS) else f"{j + 1}th"
            yield f"{word} roll: {list(roll)}"
            if not last:
                keep = list(points[played.log.kept_N_J[game, turn, j]])
                box = player.aim(rules, filled, roll, rolls - 1 - j)
                yield f"going for... {box}, keeping {keep}" if box else f"keeping {keep}"
        k = int(played.log.scored_N[game, turn])
        yield f"{self.names[side]} took {rules.keys[k]}: {played.points_N_K[game, k]}"

    def board(self, game: int) -> list[tuple[str, int, int]]:
        """Return the score board of one game: what, and the points of both."""
        a, b = self.games
        rows = [
            (category.title, int(a.points_N_K[game, k]), int(b.points_N_K[game, k]))
            for k, category in enumerate(self.rules.categories)
        ]
        if self.rules.upper_bonus:
            rows.append(("Upper bonus", int(a.bonus_N[game]), int(b.bonus_N[game])))
        if self.rules.extra_bonus:
            rows.append(("Extra bonus", int(a.extra_N[game]), int(b.extra_N[game])))
        return [*rows, ("Total", int(a.scores_N[game]), int(b.scores_N[game]))]

    def as_dict(self) -> dict[str, Any]:
        """Return the tally and the score boards as JSON can hold them."""
        win, tie, loss = self.tally()
        return {
            "rules": self.rules.name,
            "players": list(self.names),
            "win": win,
            "tie": tie,
            "loss": loss,
            "scores": [game.scores_N.tolist() for game in self.games],
        }


def play_match(first: Strategy, second: Strategy, rules: Rules, games: int, seed: int) -> Match:
    """Play games of two players; the second one's dice come from another seed."""
    both = (
        simulate(first, rules, games, 2 * seed, log=True),
        simulate(second, rules, games, 2 * seed + 1, log=True),
    )
    return Match(rules, (first, second), both)
