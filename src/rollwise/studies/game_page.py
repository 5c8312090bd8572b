"""A game on one page of Markdown: its rules, its size, its best play; every figure computed.

Of a game that is too large for exact laws, or saves rolls, what needs a law is simulated instead,
and the page says so.
"""

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
from rollwise.model.classes import exceeds_table
from rollwise.model.size import counts
from rollwise.rules import Rules, as_disputed
from rollwise.rules.describe import describe, describe_category
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.moments import spread_of_ties
from rollwise.solving.objectives import WORST_CASE
from rollwise.solving.option import Option
from rollwise.solving.progress import Progress
from rollwise.solving.solution import rule_for_ties
from rollwise.solving.solver import solve
from rollwise.strategies import Optimal
from rollwise.studies.adversarial_dice import demonic_game
from rollwise.studies.game_size import games
from rollwise.studies.opening_tables import rated_rolls

SHOWN = 5
"""So many of the best and of the worst first rolls."""

SIMULATED = 10_000
"""So many games where the law is not computed."""


@dataclass(frozen=True)
class GamePage:
    """What the page of a game says.

    Attributes
    ----------
    counts : dict of str to int
        The size of the game, as :func:`rollwise.model.size.counts` names it.
    games : str or None
        How many games there are, about; None where rolls are saved.
    evaluation : Evaluation
        Of best play.
    simulated : int
        From so many games; 0 where it is exact.
    sd : float or None
        The exact standard deviation of best play where the law is simulated; None where it is not
        known, or that of the law.
    spread : (float, float) or None
        The least and the most SD of all plays that are equally good; None where simulated, and
        where boxes are announced.
    openings : list of (Dice, Option)
        Every first roll with the best that can be done with it, best roll first.
    guaranteed : int or None
        The highest total that no dice can prevent; None if nobody asked, or no table holds all
        cards.
    demonic : int
        The total of best play against dice that grudge every expectation.
    changes : list of (str, float)
        What is changed in the rules, and the value of best play then.
    disputed : list of (str, float or None)
        What others tell differently, and the value of best play then if a rule file can state it.
    """

    rules: Rules
    counts: dict[str, int]
    games: str | None
    value: float
    evaluation: Evaluation
    simulated: int
    sd: float | None
    spread: tuple[float, float] | None
    openings: list[tuple[Dice, Option]]
    guaranteed: int | None
    demonic: int
    changes: list[tuple[str, float]]
    disputed: list[tuple[str, float | None]]


def page_of(
    solution: CardSolution, *, alone: bool = False, progress: Progress | None = None
) -> GamePage:
    """Return what the page of a solved game says.

    Parameters
    ----------
    solution : CardSolution
        For the expected score.
    alone : bool
        Solve nothing else: neither other rules nor play for the worst case.
    progress : callable, optional
        Called with the done share of the work, from 0 to 1, now and then.
    """
    rules = solution.rules
    varied = [] if alone else variations(rules)
    told_otherwise = () if alone else rules.disputed
    steps = len(varied) + len(told_otherwise) + 2
    done = iter(range(1, steps + 1))

    def advance() -> None:
        if progress:
            progress(next(done) / steps)

    evaluation, simulated = _evaluated(Optimal(solution), rules)
    advance()
    unasked = alone or exceeds_table(rules)
    guaranteed = None if unasked else int(solve(rules, WORST_CASE, cache=False).value())
    advance()
    changes = []
    for what, other in varied:
        changes.append((what, solve(other, cache=False).value()))
        advance()
    disputed = []
    for dispute in told_otherwise:
        told = as_disputed(rules, dispute)
        value = None if told is None else solve(told, cache=False).value()
        disputed.append((dispute.says, value))
        advance()
    return GamePage(
        rules=rules,
        counts=counts(rules),
        games=None if rules.carries_rolls else f"{Decimal(games(rules)):.1e}",
        value=solution.value(),
        evaluation=evaluation,
        simulated=simulated,
        sd=solution.sd() if simulated else None,
        spread=None if simulated or rules.announced else spread_of_ties(solution),
        openings=rated_rolls(solution),
        guaranteed=guaranteed,
        demonic=demonic_game(solution).cards[0].points,
        changes=changes,
        disputed=disputed,
    )


def _evaluated(strategy: Optimal, rules: Rules) -> tuple[Evaluation, int]:
    """Return how best play fares, exactly if that can be had, and the number of games simulated."""
    try:
        return evaluate(strategy, rules, cache=True), 0
    except (TooLargeError, InconsistentError):
        played = simulate(strategy, rules, SIMULATED, seed=1)
        return empirical(played, rules, strategy.name), SIMULATED


def variations(rules: Rules) -> list[tuple[str, Rules]]:
    """Return the rules with one thing changed, each with what it is, in words."""
    varied = [("one more roll a turn", vary(rules, {"rolls": rules.rolls + 1}))]
    if rules.rolls > 1:
        varied.append(("one roll fewer a turn", vary(rules, {"rolls": rules.rolls - 1})))
    if rules.upper_bonus:
        varied.append(("no upper bonus", vary(rules, {"upper_bonus": False})))
    if rules.announced:
        varied.append(("no box announced", vary(rules, {"announced": False})))
    if rules.joker:
        varied.append(("no jokers", vary(rules, {"joker": False})))
    return varied


@lru_cache(maxsize=1)
def _template() -> Any:
    from jinja2 import Environment, PackageLoader

    environment = Environment(  # Markdown, not HTML: nothing to escape in it but table cells
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
        format_action=format_action,
        format_dice=format_dice,
        quantiles=QUANTILES,
        rule_for_ties=rule_for_ties,
        shown=SHOWN,
    )
    return environment.get_template("game_page.md")


def game_page(page: GamePage) -> str:
    """Return the page as Markdown."""
    return str(
        _template().render(page=page, rules=page.rules, distribution=page.evaluation.distribution)
    )
