"""The Markdown page about a game: its rules, its size, and statistics of optimal play.

If the rules have saved rolls, or if the exact score distribution takes too much memory, the page
uses simulated games and says so.
"""

import shlex
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any

from rollwise.errors import InconsistentError, TooLargeError
from rollwise.evaluation.evaluate import QUANTILES, Evaluation, evaluate
from rollwise.experiments.rule_grid import vary
from rollwise.experiments.simulation import empirical, simulate
from rollwise.game.notation import format_action, format_dice
from rollwise.game.scorecard import Dice
from rollwise.game.titles import extra_bonus_title
from rollwise.model.classes import exceeds_table
from rollwise.model.size import counts
from rollwise.rules import Rules, apply_variant
from rollwise.rules.describe import describe, describe_category
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.objectives import WORST_CASE
from rollwise.solving.option import Option
from rollwise.solving.progress import Progress
from rollwise.solving.solution import rule_for_ties
from rollwise.solving.solver import solve
from rollwise.strategies import Optimal
from rollwise.studies.adversarial_dice import adversarial_game
from rollwise.studies.game_tree import games
from rollwise.studies.opening_tables import rated_rolls

SHOWN = 5
"""The number of best first rolls on the page, and the number of worst first rolls."""

SIMULATED = 10_000
"""The number of simulated games, if the exact distribution is not computed."""


@dataclass(frozen=True)
class GamePage:
    """The contents of a game page.

    Attributes
    ----------
    rules : Rules
    counts : dict of str to int
        The size of the game, as :func:`rollwise.model.size.counts` returns it.
    games : str or None
        The approximate number of possible games; None if the game has saved or extra rolls.
    value : float
        The expected score of optimal play.
    evaluation : Evaluation
        The evaluation of optimal play.
    simulated : int
        The number of simulated games in the evaluation; 0 if the evaluation is exact.
    openings : list of (Dice, Option)
        Every first roll with its best option, best roll first.
    guaranteed : int or None
        The highest guaranteed score; None if it is not requested or the value table is too large.
    adversarial : int
        The final score of optimal play against adversarial dice.
    changes : list of (str, float)
        The description of each game with one changed rule, and its expected score.
    disputed : list of (str, float or None)
        The description and the expected score of each other interpretation of the rules. The score
        is None if a rule file cannot express the interpretation.
    """

    rules: Rules
    counts: dict[str, int]
    games: str | None
    value: float
    evaluation: Evaluation
    simulated: int
    openings: list[tuple[Dice, Option]]
    guaranteed: int | None
    adversarial: int
    changes: list[tuple[str, float]]
    disputed: list[tuple[str, float | None]]


def page_of(
    solution: CardSolution, *, alone: bool = False, progress: Progress | None = None
) -> GamePage:
    """Compute the contents of the page of a solved game.

    Parameters
    ----------
    solution : CardSolution
        The solution for the expected score.
    alone : bool
        Whether to omit rule variants and the guaranteed score, each of which needs another
        solution.
    progress : callable, optional
        Called with the completed fraction of the work, from 0 to 1, after each step.
    """
    rules = solution.rules
    varied = [] if alone else variations(rules)
    disputes = () if alone else rules.disputed
    steps = len(varied) + len(disputes) + 2
    done = iter(range(1, steps + 1))

    def advance() -> None:
        if progress:
            progress(next(done) / steps)

    evaluation, simulated = _evaluated(Optimal(solution), rules)
    advance()
    omitted = alone or exceeds_table(rules)
    guaranteed = None if omitted else int(solve(rules, WORST_CASE, cache=False).value())
    advance()
    changes = []
    for description, variant in varied:
        changes.append((description, solve(variant, cache=False).value()))
        advance()
    disputed = []
    for dispute in disputes:
        other = apply_variant(rules, dispute)
        value = None if other is None else solve(other, cache=False).value()
        disputed.append((dispute.says, value))
        advance()
    return GamePage(
        rules=rules,
        counts=counts(rules),
        games=None if rules.carries_rolls else f"{Decimal(games(rules)):.1e}",
        value=solution.value(),
        evaluation=evaluation,
        simulated=simulated,
        openings=rated_rolls(solution),
        guaranteed=guaranteed,
        adversarial=adversarial_game(solution).cards[0].points,
        changes=changes,
        disputed=disputed,
    )


def _evaluated(strategy: Optimal, rules: Rules) -> tuple[Evaluation, int]:
    """Return the evaluation of optimal play, and the number of simulated games (0 if exact)."""
    try:
        return evaluate(strategy, rules, cache=True), 0
    except (TooLargeError, InconsistentError):
        sample = simulate(strategy, rules, SIMULATED, seed=1)
        return empirical(sample, rules, strategy.name), SIMULATED


def variations(rules: Rules) -> list[tuple[str, Rules]]:
    """Return the description and the rules of each game with one changed rule."""
    varied = [("one more roll per turn", vary(rules, {"rolls": rules.rolls + 1}))]
    if rules.rolls > 1:
        varied.append(("one roll fewer per turn", vary(rules, {"rolls": rules.rolls - 1})))
    if rules.upper_bonus:
        varied.append(("no upper bonus", vary(rules, {"upper_bonus": False})))
    if rules.joker:
        varied.append(("no joker rule", vary(rules, {"joker": False})))
    return varied


@lru_cache(maxsize=1)
def _template() -> Any:
    from jinja2 import Environment, PackageLoader

    environment = Environment(  # Markdown, not HTML: only table cells need escaping
        loader=PackageLoader("rollwise.studies", ""),
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["cell"] = lambda text: str(text).replace("|", "\\|")
    environment.globals.update(
        describe=describe,
        describe_category=describe_category,
        extra_bonus_title=extra_bonus_title,
        format_action=format_action,
        format_dice=format_dice,
        quantiles=QUANTILES,
        rule_for_ties=rule_for_ties,
        shown=SHOWN,
    )
    return environment.get_template("game_page.md")


def game_page(page: GamePage, source: str | None = None) -> str:
    """Return the page as Markdown.

    Parameters
    ----------
    page : GamePage
    source : str, optional
        The game in the command that prints the page: a name or a rule file. By default, it is the
        name of the rules.
    """
    return str(
        _template().render(
            page=page,
            rules=page.rules,
            source=shlex.quote(source or page.rules.name),
            distribution=page.evaluation.distribution,
        )
    )
