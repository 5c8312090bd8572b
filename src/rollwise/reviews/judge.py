"""What one player saw and did, judged one event after another."""

from rollwise.evaluation.gains import Breakdown
from rollwise.game.actions import Action
from rollwise.game.game import Game
from rollwise.game.position import Position
from rollwise.game.scorecard import Dice
from rollwise.reviews.decisions import DecisionReview, RollReview
from rollwise.reviews.verdicts import luck_words, verdict_of
from rollwise.solving.option import Option
from rollwise.solving.solution import Solution


class Judge:
    """Follows one player through a game."""

    def __init__(self, player: int, solution: Solution, parts: Breakdown | None) -> None:
        self.player, self.solution, self.parts = player, solution, parts
        self.point = solution.objective.point
        self.value = self.start = solution.value()
        self.decisions: list[DecisionReview] = []
        self.rolls: list[RollReview] = []
        self.options: tuple[Option, ...] = ()

    def see(self, game: Game, turn: int, kept: Dice) -> None:
        """Judge the roll on the table."""
        position = self.look(game)
        rolls = self.solution.rules.rolls_with(position.state.saved)
        number = rolls - position.rolls_left
        after = self.options[0].value
        words = luck_words((after - self.value) / self.point)
        self.rolls.append(RollReview(turn, number, kept, position.dice, self.value, after, words))

    def look(self, game: Game) -> Position:
        """Find out what every choice is worth that is due, and return where."""
        position = game.position
        assert position is not None
        self.position, self.options = position, tuple(self.solution.options(position))
        return position

    def judge(self, action: Action) -> None:
        """Judge what was done with it."""
        chosen = next(option for option in self.options if option.action == action)
        verdict, reasons = verdict_of(chosen.loss, self.point), self._reasons(chosen)
        self.decisions.append(
            DecisionReview(self.rolls[-1], self.position, self.options, chosen, verdict, reasons)
        )
        self.value = chosen.value

    def _reasons(self, chosen: Option) -> tuple[tuple[str, float], ...]:
        if chosen.best or self.parts is None:
            return ()
        return self.parts.gains(self.position, self.options[0].action, [chosen.action])[0]
