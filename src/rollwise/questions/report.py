"""Exact score statistics of a strategy, or openings, or the worst game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal

from annotated_types import Ge
from cyclopts import Parameter

from rollwise.distribution import Distribution
from rollwise.errors import InputError
from rollwise.evaluation.evaluate import QUANTILES, CategoryStatistics, Evaluation, bands
from rollwise.questions import checks_arguments
from rollwise.questions.answer import Answer, Block, Data, Hidden, table, title
from rollwise.questions.openings import Openings, openings_of
from rollwise.questions.parameters import STRATEGY, Game, Objective, Pictures, TieBreak
from rollwise.questions.progress import note_written, working
from rollwise.questions.solving import evaluated, prepare_plot, scores_of
from rollwise.questions.worst_game import WorstGame, worst_game_of
from rollwise.rules import game_of
from rollwise.strategies import StrategyLike

SMALLEST_DECIMAL = 1e-6
"""The smallest probability that is shown as a decimal, with at least three digits."""


class Extreme(Data):
    """The lowest or the highest score."""

    score: int
    probability: float


class Reached(Data):
    """The probabilities of reaching a score and of scoring exactly that; a normal approximation."""

    score: int
    at_least: float
    exactly: float
    normal_at_least: float


class Brief(Data):
    """The distribution of a bonus, or of a number."""

    mean: float
    sd: float
    none: float
    """The probability of 0."""


class Report(Answer):
    """The distribution of the score of a strategy, and statistics of its games."""

    rules: str
    strategy: str
    ties: str | None
    """How the strategy breaks ties; null if it has no rule for ties."""
    mean: float
    sd: float
    skewness: float
    median: int
    mode: int
    quantiles: dict[str, int]
    minimum: Extreme
    maximum: Extreme
    tie: float
    """The probability that two players with this strategy tie."""
    categories: dict[str, CategoryStatistics]
    upper_bonus: Brief | None
    extra_bonus: Brief | None
    alike: Brief | None
    """The number of final rolls in which all dice show the same number."""
    jokers: Brief | None
    bonus_and_alike: list[list[float]] | None
    """The probability by upper bonus, and by points in the five-of-a-kind category."""
    distribution: list[tuple[int, float]]
    """Scores with their probabilities."""
    at: list[Reached] | None = None
    """The probabilities of the chosen scores."""
    evaluation: Hidden[Evaluation]
    band: Hidden[int | None]

    def __repr__(self) -> str:
        return repr(self.evaluation).replace("Evaluation", "Report")

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each score."""
        return self.evaluation.rows()

    def show(self) -> Iterator[Block]:
        """Yield a summary, then the chosen scores or tables of scores and categories."""
        distribution = self.evaluation.distribution
        yield title(self.evaluation.rules.title, f", strategy {self.strategy}")
        yield f"mean {self.mean:.6f}, SD {self.sd:.4f}, skewness {self.skewness:.3f}"
        mode = distribution.probability(self.mode)
        yield f"median {self.median}, mode {self.mode} ({mode:.4%})"
        for word, extreme in (("lowest", self.minimum), ("highest", self.maximum)):
            yield f"{word} {extreme.score} (probability {extreme.probability:.3e})"
        yield f"two players with this strategy tie with probability {self.tie:.4%}"
        if self.ties is not None:
            yield f"{self.ties}; another choice can change the distribution."
        yield ""
        if self.at is None:
            yield from self._tables()
            return
        rows = table(">score", ">P(at least)", ">P(exactly)", ">normal", ">error of normal")
        for row in self.at:
            cells = map(_decimal, (row.at_least, row.exactly, row.normal_at_least))
            error = _decimal(row.normal_at_least - row.at_least, "+")
            rows.add_row(str(row.score), *cells, error)
        yield rows

    def _tables(self) -> Iterator[Block]:
        quantiles = table("quantile", *(f">{share:.0%}" for share in QUANTILES))
        quantiles.add_row("score", *map(str, self.quantiles.values()))
        yield from (quantiles, "")
        rows = table("category", ">mean", ">SD", ">% zero", ">first scored", ">first zero")
        for row in self.evaluation.table():
            rows.add_row(*row)
        rows.add_row("GRAND TOTAL", f"{self.mean:.2f}", f"{self.sd:.2f}", style="bold")
        yield from (rows, "")
        rows = table(">score", ">%", ">cumulative %", "")
        for scores, share, below in bands(self.evaluation.distribution, self.band):
            numbers = f"{100 * share:.2f}", f"{100 * below:.2f}"
            rows.add_row(scores, *numbers, "█" * round(100 * share))
        yield rows
        if self.bonus_and_alike is not None:
            yield "\nGames by upper bonus, and by points in the five-of-a-kind category"
            rows = table("", ">points", ">zero")
            names = "upper bonus", "no upper bonus"
            for name, (zero, points) in zip(names, self.bonus_and_alike[::-1], strict=True):
                rows.add_row(name, f"{points:.4%}", f"{zero:.4%}")
            yield rows


def _decimal(number: float, sign: str = "") -> str:
    """Return a number with eight decimals, or in scientific notation if they would be too few."""
    is_tiny = 0 < abs(number) < SMALLEST_DECIMAL
    return f"{number:{sign}.2e}" if is_tiny else f"{number or 0.0:{sign}.8f}"


@checks_arguments
def report(
    *,
    rules: Game = None,
    strategy: Annotated[StrategyLike, STRATEGY] = "optimal",
    objective: Objective = "expected",
    at: Annotated[str | Iterable[int] | None, Parameter(metavar="SCORES")] = None,
    openings: bool = False,
    worst: bool = False,
    dice: Literal["any", "adversarial"] = "any",
    tie_break: TieBreak = "more-dice",
    band: Annotated[int | None, Ge(1), Parameter(metavar="N", show_default="a few bands")] = None,
    plot: Pictures = None,
) -> Report | Openings | WorstGame:
    """Print exact score statistics of a strategy.

    The statistics are computed, not simulated. --at prints the probabilities of at least and of
    exactly each score, with a normal approximation. --openings prints the best and worst rolls of
    the first turn, and the points of each category in a last turn. With --worst, the player plays
    as if the dice were fair, and the game has the lowest possible total. With --dice adversarial
    (Verhoeff's demonic dice), each roll lowers the expected score the most. Among equally bad
    rolls, the game shows the roll with the lowest faces.

    Parameters
    ----------
    rules
        A game, its name, or a rule file.
    strategy
        The player.
    objective
        The objective of the strategy optimal.
    at
        Print the probabilities of these scores, such as 200,250.
    openings
        Print the best and worst first rolls and the last turns.
    worst
        Show the worst possible game under optimal play.
    dice
        With --worst: the lowest possible total, or the worst roll each time.
    tie_break
        How optimal play breaks ties: keep more dice, or keep fewer.
    band
        The number of scores per band.
    plot
        Also save plots in this folder.

    Examples
    --------
    >>> round(report(rules="crag", strategy="greedy", at=[200]).at[0].at_least, 4)
    0.0356
    >>> report(rules="micro-yahtzee", worst=True)
    <WorstGame of micro-yahtzee: 3 points>

    rollwise report
    rollwise report --strategy greedy --at 200,250,300 --plot pictures
    rollwise report --openings
    rollwise report --worst --dice adversarial --rules yatzy
    """
    scores, fewer = scores_of(at), tie_break == "fewer-dice"
    if worst:
        if strategy != "optimal" or scores or openings or fewer or band or plot:
            raise InputError(
                "--worst shows one game of optimal play. Combine it only with --dice, --rules, "
                "--objective, --json, and --quiet."
            )
        return worst_game_of(game_of(rules), objective, dice)
    if dice != "any":
        raise InputError(f"--dice {dice} changes the worst game. Add --worst.")
    if openings:
        if (strategy, objective) != ("optimal", "expected") or scores or band or plot:
            raise InputError(
                "--openings describes optimal play for the expected score. Combine it only with "
                "--rules, --tie-break, --json, and --quiet."
            )
        return openings_of(game_of(rules), fewer_dice=fewer)
    prepare_plot(plot, folder=True)
    evaluation = evaluated(strategy, game_of(rules, strategy), objective, fewer_dice=fewer)
    if plot is not None:
        from rollwise.experiments import plots

        with working("drawing"):
            paths = plots.save_report(evaluation, plot)
        note_written(*paths)
    return _report(evaluation, scores, band)


def _report(evaluation: Evaluation, scores: list[int] | None, band: int | None) -> Report:
    distribution, joint = evaluation.distribution, evaluation.bonus_and_alike
    lowest, highest = (
        Extreme(score=score, probability=distribution.probability(score))
        for score in (distribution.minimum, distribution.maximum)
    )
    reached = [
        Reached(
            score=score,
            at_least=distribution.at_least(score),
            exactly=distribution.probability(score),
            normal_at_least=distribution.normal_at_least(score),
        )
        for score in scores or ()
    ]
    return Report.of(
        distribution,
        rules=evaluation.rules.name,
        strategy=evaluation.strategy,
        ties=evaluation.ties,
        quantiles={f"{share:g}": distribution.quantile(share) for share in QUANTILES},
        minimum=lowest,
        maximum=highest,
        categories=evaluation.categories,
        upper_bonus=_brief(evaluation.upper_bonus),
        extra_bonus=_brief(evaluation.extra_bonus),
        alike=_brief(evaluation.alike),
        jokers=_brief(evaluation.jokers),
        bonus_and_alike=None if joint is None else joint.tolist(),
        distribution=list(
            zip(distribution.scores.tolist(), distribution.probabilities.tolist(), strict=True)
        ),
        at=reached or None,
        evaluation=evaluation,
        band=band,
    )


def _brief(distribution: Distribution | None) -> Brief | None:
    if distribution is None:
        return None
    return Brief.of(distribution, none=distribution.probability(0))
