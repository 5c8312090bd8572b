"""Decision files, which describe consecutive decisions in TOML, and their solution.

A file names the states of each stage and their options, and gives the probabilities of the outcomes
of each option::

    title = "A bet"

    [stages.bet.states]
    "at the table" = ["play", "leave"]

    [stages.bet.options]
    play = { win = "1/2", lose = "1/2" }
    leave = { even = 1 }

    [payoffs]
    win = 5
    lose = -4
    even = 0

All numbers are exact: whole numbers, decimals, or fractions such as ``"1/3"``.

A *utility* is an increasing, piecewise linear function of the payoff. The *certainty equivalent* of
an expected utility is the certain payoff that is equally good.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PlainValidator,
    StringConstraints,
    ValidationError,
)

from rollwise.decision_analysis.decision_problem import (
    DecisionProblem,
    Number,
    analyze,
    check_distribution,
    expected,
)
from rollwise.errors import InputError, MalformedError, quoted, visible
from rollwise.toml_errors import WORDS, KeyPath, key_lines, line_of
from rollwise.toml_errors import expected as expected_value
from rollwise.toml_files import parse_toml, read_toml

MAX_STAGES = 200
_NUMBER = re.compile(r"[-+]?\d{1,30}(/0*[1-9]\d{0,29}|(\.\d{1,30})?([eE][-+]?\d{1,2})?)", re.ASCII)

Points = Sequence[tuple[Fraction, Fraction]]


def _exact(value: object) -> Fraction:
    if type(value) is int and abs(value) < 10**30:
        return Fraction(value)
    digits = value.replace("_", "") if isinstance(value, str) else ""
    if not _NUMBER.fullmatch(digits):
        raise ValueError('a number such as 2, 0.5, or "1/3"')
    return Fraction(digits)


def _printable(text: str) -> str:
    if visible(text) != text:
        raise ValueError("text without control characters")
    return text


Text = Annotated[str, AfterValidator(_printable)]
Name = Annotated[Text, StringConstraints(min_length=1, max_length=200)]
Exact = Annotated[Fraction, PlainValidator(_exact)]


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class StageTable(_Table):
    """A decision that is made in one state; the stages of a file are in the order of time.

    Attributes
    ----------
    repeat
        How often the stage is repeated.
    states
        The options of each state.
    options
        The probability of each outcome of each option. Outcomes are states of a later stage, or
        have a payoff.
    costs
        The cost of each option; not allowed with a utility.
    """

    repeat: int = Field(default=1, ge=1, le=MAX_STAGES)
    states: dict[Name, Annotated[list[Name], Field(min_length=1)]] = Field(min_length=1)
    options: dict[Name, dict[Name, Exact]]
    costs: dict[Name, Exact] = {}


class UtilityTable(_Table):
    """A utility, which replaces the expected payoff. The table has one of the two keys.

    Attributes
    ----------
    loss_factor
        The weight of a loss; a gain has the weight 1.
    points
        Pairs of a payoff and its utility, with straight lines between them.
    """

    loss_factor: Exact | None = None
    points: list[Annotated[list[Exact], Field(min_length=2, max_length=2)]] | None = None


class FileTable(_Table):
    """A decision file.

    Attributes
    ----------
    title, unit
        Text for the output.
    stages
        The decisions, by name.
    start
        The probability of each state of the first stage; not needed for a single state.
    payoffs
        The payoff of each outcome at the end.
    utility
        The utility of a payoff; without it, the policy maximizes the expected payoff.
    """

    title: Text = ""
    unit: Text = ""
    stages: dict[Name, StageTable] = Field(min_length=1)
    start: dict[Name, Exact] = {}
    payoffs: dict[Name, Exact] = {}
    utility: UtilityTable = Field(default_factory=UtilityTable)

    def steps(self) -> list[tuple[str, str, StageTable]]:
        """Return the name of each step, the key of its stage, and its stage."""
        return [
            (f"{key} {i}" if stage.repeat > 1 else key, key, stage)
            for key, stage in self.stages.items()
            for i in range(1, stage.repeat + 1)
        ]

    def first_states(self) -> dict[str, Fraction]:
        """Return the probability of each state at the start."""
        first = next(iter(self.stages.values()))
        return self.start or dict.fromkeys(first.states, Fraction(1))


Mistake = tuple[KeyPath, str]
"""The place of a mistake in a file, and a sentence that describes it."""


class Choice(NamedTuple):
    """The options of a state of a stage.

    ``values`` contains the certainty equivalent of each option, and ``probability`` the probability
    that the optimal policy reaches the state.
    """

    stage: str
    state: str
    probability: Fraction
    values: Mapping[str, Fraction]
    best: tuple[str, ...]


class Plan(NamedTuple):
    """An optimal policy, which chooses the first best option of each state.

    ``risk_profile`` contains the probability of each possible payoff, in ascending order.
    """

    expected_utility: Fraction
    certainty_equivalent: Fraction
    choices: Sequence[Choice]
    risk_profile: Mapping[Fraction, Fraction]

    @property
    def expected_payoff(self) -> Fraction:
        """The mean payoff under the policy."""
        return sum((p * payoff for payoff, p in self.risk_profile.items()), Fraction(0))


@dataclass(frozen=True)
class StagedDecision:
    """The consecutive decisions of a file.

    Attributes
    ----------
    title, unit
        The title and the unit of the payoffs, which can be empty.
    names
        The name of each stage.
    problems
        The decision problem of each stage; the last has the payoff.
    start
        The probability of each state of the first stage.
    points
        Payoffs and their utilities, both ascending; empty without a utility.
    """

    title: str
    unit: str
    names: Sequence[str]
    problems: Sequence[DecisionProblem]
    start: Mapping[str, Fraction]
    points: Points = ()

    @property
    def utility(self) -> Callable[[Number], Fraction] | None:
        """The utility of a payoff, or None."""
        return (lambda payoff: _interpolated(self.points, payoff)) if self.points else None

    def solve(self) -> Plan:
        """Solve all stages, and follow the optimal policy from the start."""
        decisions = analyze(self.problems, self.utility)
        choices: list[Choice] = []
        reached = {(state, Fraction(0)): p for state, p in self.start.items()}  # by state and cost
        for name, problem, decision in zip(self.names, self.problems, decisions, strict=True):
            probability: dict[str, Fraction] = defaultdict(Fraction)
            following: dict[tuple[str, Fraction], Fraction] = defaultdict(Fraction)
            for (state, paid), p in reached.items():
                probability[state] += p
                if state not in problem.available:  # it waits for a later stage, or for the end
                    following[state, paid] += p
                    continue
                option = decision.best[state][0]
                for outcome, q in problem.options[option].items():
                    following[outcome, paid + problem.cost.get(option, 0)] += p * q
            for state, options in problem.available.items():
                values = {d: self._equivalent(decision.option_values[d]) for d in options}
                choices.append(
                    Choice(name, state, probability[state], values, decision.best[state])
                )
            reached = following
        payoff = self.problems[-1].payoff or {}
        profile: dict[Fraction, Fraction] = defaultdict(Fraction)
        for (outcome, paid), p in reached.items():
            if p:
                profile[payoff[outcome] - paid] += p
        value = expected(self.start, decisions[0].values)
        return Plan(value, self._equivalent(value), choices, dict(sorted(profile.items())))

    def _equivalent(self, utility: Fraction) -> Fraction:
        return _interpolated([(u, x) for x, u in self.points], utility) if self.points else utility


def load_decision(path: str | Path) -> StagedDecision:
    """Load consecutive decisions from a TOML file.

    Raises
    ------
    ValueError
        If the content is invalid. The message names the line.
    OSError
        If the file cannot be read.
    """
    try:
        return parse_decision(read_toml(path))
    except MalformedError as error:
        raise MalformedError(f"{path}: {error}") from error


def parse_decision(text: str) -> StagedDecision:
    r"""Parse consecutive decisions in TOML.

    >>> parse_decision("[stages.a]\noptions.d = { x = 1 }\n")
    Traceback (most recent call last):
    rollwise.errors.MalformedError: line 1, stages.a.states: missing
    """
    data = parse_toml(text, str)  # a decimal stays text until the schema makes a Fraction of it
    try:
        content = FileTable.model_validate(data)
        mistakes = list(_contradictions(content))
    except ValidationError as error:
        mistakes = list(_invalid_fields(error))
    if mistakes:
        lines = key_lines(text, data)
        place, sentence = min(mistakes, key=lambda mistake: line_of(lines, mistake[0]) or inf)
        line = line_of(lines, place)
        at = [f"line {line}"] * bool(line) + [".".join(place)] * bool(place)
        raise MalformedError(f"{', '.join(at)}: {sentence}")
    problems = {
        key: DecisionProblem(stage.states, stage.options, content.payoffs, stage.costs)
        for key, stage in content.stages.items()
    }
    steps = content.steps()
    return StagedDecision(
        content.title,
        content.unit,
        [name for name, _, _ in steps],
        [problems[key] for _, key, _ in steps],
        content.first_states(),
        _points(content.utility),
    )


def _invalid_fields(error: ValidationError) -> Iterator[Mistake]:
    for part in error.errors(include_url=False):
        kind, place = part["type"], [str(key) for key in part["loc"] if key != "[key]"]
        if kind in WORDS:
            yield tuple(place), WORDS[kind]
        else:
            wanted = expected_value(kind, part.get("ctx", {}))
            yield tuple(place), f"expected {wanted}, got {quoted(part['input'])}"


def _contradictions(content: FileTable) -> Iterator[Mistake]:
    yield from _contradictory_utility(content)
    for key, stage in content.stages.items():
        yield from _contradictory_stage(("stages", key), stage, bool(_points(content.utility)))
    first = next(iter(content.stages.values()))
    if len(first.states) > 1 and not content.start:
        states = ", ".join(first.states)
        yield ("start",), f"missing; give the probability of each state at the start: {states}"
    elif content.start:
        yield from _distribution(("start",), content.start)
    for state in content.start:
        if state not in first.states:
            yield ("start", state), "the first stage has no such state"
    steps = content.steps()
    if len(steps) > MAX_STAGES:
        yield ("stages",), f"expected at most {MAX_STAGES} stages, got {len(steps)}"
    later: set[str] = set()
    ends: set[str] = set()
    for _, key, stage in reversed(steps):
        for option, row in stage.options.items():
            for outcome in row:
                if outcome not in later:
                    ends.add(outcome)
                    if outcome not in content.payoffs:
                        yield (
                            ("stages", key, "options", option, outcome),
                            "this outcome has no payoff and is not a state of a later stage",
                        )
        later |= stage.states.keys()
    for outcome in content.payoffs:
        if outcome not in ends:
            yield ("payoffs", outcome), "no option leads to this outcome at the end"


def _contradictory_stage(place: KeyPath, stage: StageTable, has_utility: bool) -> Iterator[Mistake]:
    for state, offered in stage.states.items():
        for i, option in enumerate(offered):
            if option not in stage.options:
                table = ".".join((*place, "options"))
                sentence = f"the option {quoted(option)} has no outcomes; add it to [{table}]"
                yield (*place, "states", state), sentence
            elif option in offered[:i]:
                yield (*place, "states", state), f"{quoted(option)} is listed more than once"
    for option, row in stage.options.items():
        yield from _distribution((*place, "options", option), row)
    for option in stage.costs:
        if option not in stage.options:
            yield (*place, "costs", option), "there is no option with this name"
    if stage.costs and has_utility:
        sentence = "costs cannot be combined with a utility; subtract them from the payoffs"
        yield (*place, "costs"), sentence


def _contradictory_utility(content: FileTable) -> Iterator[Mistake]:
    factor, points = content.utility.loss_factor, content.utility.points
    if factor is not None and points is not None:
        yield ("utility",), "expected loss_factor or points, got both"
    if factor is not None and factor <= 0:
        yield ("utility", "loss_factor"), f"expected a number above 0, got {factor}"
    if points is not None:
        if len(points) < 2 or any(x >= y or u >= v for (x, u), (y, v) in pairwise(points)):
            sentence = "expected two or more pairs [payoff, utility] in which both increase"
            yield ("utility", "points"), sentence
            return
        low, high = points[0][0], points[-1][0]
        for outcome, payoff in content.payoffs.items():
            if not low <= payoff <= high:
                sentence = f"the points of the utility go from {low} to {high}, got {payoff}"
                yield ("payoffs", outcome), sentence


def _distribution(place: KeyPath, row: Mapping[str, Fraction]) -> Iterator[Mistake]:
    try:
        check_distribution("this row", row)
    except InputError as error:
        yield place, str(error)


def _points(utility: UtilityTable) -> Points:
    if utility.loss_factor is not None:
        one = Fraction(1)
        return (-one, -utility.loss_factor), (Fraction(0), Fraction(0)), (one, one)
    return [(x, u) for x, u in utility.points or ()]


def _interpolated(points: Points, x: Number) -> Fraction:
    """Return the value at x of the lines through the points; the outer lines have no end."""
    sections = list(pairwise(points))
    (x0, y0), (x1, y1) = next((s for s in sections if x <= s[1][0]), sections[-1])
    return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
