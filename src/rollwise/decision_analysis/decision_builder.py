"""A builder that turns the content of a decision file into a model and collects mistakes."""

from collections.abc import Container, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from math import prod
from typing import Any, Generic, TypeVar

from rollwise.decision_analysis.decision_model import DecisionModel, DiagramDecision, StagedDecision
from rollwise.decision_analysis.decision_problem import DecisionProblem, check_distribution
from rollwise.decision_analysis.decision_schema import (
    A_NUMBER,
    MAX_STAGES,
    FileData,
    Mistake,
    NodeData,
    StageData,
    UtilityData,
)
from rollwise.decision_analysis.exact_numbers import exact_number
from rollwise.decision_analysis.influence_diagram import (
    ChanceNode,
    DecisionNode,
    InfluenceDiagram,
    Node,
    ValueNode,
)
from rollwise.decision_analysis.utility import (
    ExponentialUtility,
    LinearUtility,
    LossUtility,
    TableUtility,
    Utility,
)
from rollwise.errors import InputError, quoted
from rollwise.toml_errors import KeyPath

MAX_ENTRIES = 100_000
"""The maximum number of entries in the table of a node."""

OTHERS = "*"
"""The key for all states that a table does not name."""

Entry = TypeVar("Entry")


@dataclass(frozen=True)
class StateTable(Generic[Entry]):
    """A function of the states of the parents, stored as a table of its values."""

    rows: Mapping[tuple[str, ...], Entry]

    def __call__(self, *states: str) -> Entry:
        """Return the value for the states of all parents."""
        return self.rows[states]


class ModelBuilder:
    """A builder that makes a model from the fields of a file.

    Parameters
    ----------
    content
        The content of the file.

    Attributes
    ----------
    mistakes
        The contradictions that the method `model` found.
    """

    def __init__(self, content: FileData) -> None:
        self.content = content
        self.mistakes: list[Mistake] = []

    def model(self) -> DecisionModel | None:
        """Return the model, or None if a mistake in the content makes this impossible."""
        content = self.content
        head: dict[str, Any] = {
            "title": content.title,
            "unit": content.unit,
            "utility": self._utility(),
        }
        if bool(content.stages) == bool(content.nodes):
            self._note((), "expected tables [stages.NAME] or tables [nodes.NAME], but not both")
            return None
        if content.stages:
            return self._staged(head)
        for key in ("start", "payoffs"):
            if getattr(content, key):
                self._note((key,), "belongs to stages; a node has its own payoffs")
        diagram = self._diagram()
        return None if diagram is None else DiagramDecision(**head, diagram=diagram)

    def _note(self, place: KeyPath, sentence: str) -> None:
        self.mistakes.append((place, sentence))

    def _utility(self) -> Utility:
        data = self.content.utility
        given = [key for key in UtilityData.model_fields if getattr(data, key) is not None]
        if len(given) > 1:
            self._note(("utility",), f"expected one of {', '.join(given)}, got {len(given)}")
        for key in ("risk_tolerance", "loss_factor"):
            number = getattr(data, key)
            if number is not None and number <= 0:
                self._note(("utility", key), f"expected a number above 0, got {number}")
                return LinearUtility()
        if data.risk_tolerance is not None:
            return ExponentialUtility(data.risk_tolerance)
        if data.loss_factor is not None:
            return LossUtility(data.loss_factor)
        if data.points is None:
            return LinearUtility()
        points = [(point[0], point[1]) for point in data.points if len(point) == 2]
        increasing = all(x < y and u < v for (x, u), (y, v) in pairwise(points))
        if len(points) < max(2, len(data.points)) or not increasing:
            self._note(
                ("utility", "points"),
                "expected two or more pairs [payoff, utility] in which both increase",
            )
        return TableUtility(points)

    def _distribution(self, place: KeyPath, row: Mapping[str, Fraction]) -> None:
        try:
            check_distribution("this row", row)
        except InputError as error:
            self._note(place, str(error))

    def _staged(self, head: dict[str, Any]) -> DecisionModel | None:
        content = self.content
        steps = [
            (f"{name} {i}" if stage.repeat > 1 else name, name, stage)
            for name, stage in content.stages.items()
            for i in range(1, stage.repeat + 1)
        ]
        if len(steps) > MAX_STAGES:
            self._note(("stages",), f"expected at most {MAX_STAGES} stages, got {len(steps)}")
        for name, stage in content.stages.items():
            self._check_stage(("stages", name), stage)
        first = next(iter(content.stages.values()))
        start = content.start or dict.fromkeys(first.states, Fraction(1))
        if not content.start and len(start) > 1:
            self._note(
                ("start",),
                f"missing; add a table [start] with the probability of each state at the start: "
                f"{', '.join(first.states)}",
            )
        elif content.start:
            self._distribution(("start",), start)
            self._check_known(("start",), start, first.states, "the first stage has no such state")
        if self.mistakes:
            return None
        problems: list[DecisionProblem] = []
        carried: dict[str, KeyPath] = {}  # outcomes that wait for their stage or for the end
        for i, (_, name, stage) in enumerate(steps):
            passing = {outcome: _unused(outcome, stage.options) for outcome in carried}
            available = {**stage.states, **{outcome: [d] for outcome, d in passing.items()}}
            options = {
                **stage.options,
                **{d: {outcome: Fraction(1)} for outcome, d in passing.items()},
            }
            is_last = i == len(steps) - 1
            problems.append(
                DecisionProblem(
                    available, options, content.payoffs if is_last else None, stage.costs
                )
            )
            places = {
                outcome: ("stages", name, "options", option, outcome)
                for option, row in stage.options.items()
                for outcome in row
            }
            following = {} if is_last else steps[i + 1][2].states
            carried = {
                outcome: place
                for outcome, place in {**places, **carried}.items()
                if outcome not in following
            }
        for outcome, place in carried.items():
            if outcome not in content.payoffs:
                self._note(place, "this outcome has no payoff and is not a state of a later stage")
        self._check_known(
            ("payoffs",), content.payoffs, carried, "no option leads to this outcome at the end"
        )
        return StagedDecision(
            **head, names=[step[0] for step in steps], problems=problems, start=start
        )

    def _check_stage(self, place: KeyPath, stage: StageData) -> None:
        for state, offered in stage.states.items():
            if not offered:
                self._note((*place, "states", state), "expected one or more options")
            self._check_distinct((*place, "states", state), offered)
            for option in offered:
                if option not in stage.options:
                    self._note(
                        (*place, "states", state),
                        f"the option {quoted(option)} has no outcomes; add it to "
                        f"[{'.'.join(place)}.options]",
                    )
        for option, row in stage.options.items():
            self._distribution((*place, "options", option), row)
        self._check_known(
            (*place, "costs"), stage.costs, stage.options, "there is no option with this name"
        )

    def _check_known(
        self, place: KeyPath, names: Iterable[str], known: Container[str], sentence: str
    ) -> None:
        for name in names:
            if name not in known:
                self._note((*place, name), sentence)

    def _check_distinct(self, place: KeyPath, names: Sequence[str]) -> None:
        for name in dict.fromkeys(name for name in names if names.count(name) > 1):
            self._note(place, f"{quoted(name)} is listed more than once")

    def _diagram(self) -> InfluenceDiagram | None:
        states: dict[str, Sequence[str]] = {}
        unknown = set[str]()  # nodes whose states are unknown because of a mistake
        nodes: list[Node] = []
        for name, data in self.content.nodes.items():
            if self._is_sound(("nodes", name), data, states.keys() | unknown):
                parents = {parent: states.get(parent, ()) for parent in data.parents}
                place = ("nodes", name, "parents")
                if not unknown & parents.keys() and self._is_small(place, parents):
                    nodes.append(self._node(name, data, parents, states))
                    continue
            unknown.add(name)
        kinds = set(map(type, nodes))
        if not self.mistakes and DecisionNode not in kinds:
            self._note(("nodes",), "no node has options; a diagram needs at least one decision")
        if not self.mistakes and ValueNode not in kinds:
            self._note(("nodes",), "no node has payoffs; a diagram needs at least one value node")
        return None if self.mistakes else InfluenceDiagram(nodes)

    def _is_sound(self, place: KeyPath, data: NodeData, above: Set[str]) -> bool:
        """Check the keys and the parents of a node, given the names of the nodes above it."""
        before = len(self.mistakes)
        kinds = ("probabilities", "options", "payoffs")
        given = [kind for kind in kinds if getattr(data, kind) is not None]
        if len(given) != 1:
            self._note(
                place,
                "expected probabilities (a chance node), options (a decision), or payoffs (a "
                f"value node), got {' and '.join(given) or 'none of them'}",
            )
        self._check_distinct((*place, "parents"), data.parents)
        self._check_distinct((*place, "options"), data.options or [])
        for parent in data.parents:
            if parent not in above or self.content.nodes[parent].payoffs is not None:
                self._note(
                    (*place, "parents"),
                    f"{quoted(parent)} is not a chance node or a decision above this node",
                )
        return len(self.mistakes) == before

    def _is_small(self, place: KeyPath, parents: Mapping[str, Sequence[str]]) -> bool:
        """Check the number of combinations of states of the parents of a node."""
        entries = prod(map(len, parents.values()))
        if entries > MAX_ENTRIES:
            self._note(
                place,
                f"the parents have {entries:,} combinations of states; expected at most "
                f"{MAX_ENTRIES:,}",
            )
        return entries <= MAX_ENTRIES

    def _node(
        self,
        name: str,
        data: NodeData,
        parents: Mapping[str, Sequence[str]],
        states: dict[str, Sequence[str]],
    ) -> Node:
        """Return a node, and enter its states in ``states``."""
        if data.options is not None:
            states[name] = data.options
            return DecisionNode(name, data.options, data.parents)
        known = list(parents.values())
        if data.payoffs is not None:
            payoffs = self._rows(("nodes", name, "payoffs"), data.payoffs, known, self._entry)
            return ValueNode(name, StateTable(payoffs), data.parents)
        place = ("nodes", name, "probabilities")
        rows = self._rows(place, data.probabilities, known, self._row)
        states[name] = list(dict.fromkeys(state for row in rows.values() for state in row))
        return ChanceNode(name, StateTable(rows) if parents else rows.get((), {}), data.parents)

    def _rows(
        self, place: KeyPath, table: Any, parents: Sequence[Sequence[str]], read: Any
    ) -> dict[tuple[str, ...], Any]:
        """Return the entry of a nested table for each combination of states of the parents."""
        if not parents:
            return {(): read(place, table)}
        if not isinstance(table, dict):
            if read == self._entry:  # one payoff for all states of the other parents
                return dict.fromkeys(product(*parents), self._entry(place, table))
            keys = ", ".join(parents[0])
            self._note(place, f"expected a table with the keys {keys}, got {quoted(table)}")
            return {}
        first, *others = parents
        for key in table:
            if key not in first and key != OTHERS:
                self._note((*place, key), f"expected one of the states {', '.join(first)}, or *")
        rows = dict[tuple[str, ...], Any]()
        for state in first:
            key = state if state in table else OTHERS
            if key not in table:
                self._note(place, f"there is no entry for {quoted(state)}")
                continue
            below = self._rows((*place, key), table[key], others, read)
            rows |= {(state, *rest): entry for rest, entry in below.items()}
        return rows

    def _entry(self, place: KeyPath, value: object) -> Fraction:
        number = exact_number(value)
        if number is None:
            self._note(place, f"expected {A_NUMBER}, got {quoted(value)}")
        return number or Fraction(0)

    def _row(self, place: KeyPath, value: object) -> dict[str, Fraction]:
        if not isinstance(value, dict):
            self._note(place, f"expected a table of probabilities, got {quoted(value)}")
            return {}
        before = len(self.mistakes)
        row = {state: self._entry((*place, state), p) for state, p in value.items()}
        if len(self.mistakes) == before:
            self._distribution(place, row)
        return row


def _unused(name: str, taken: Mapping[str, object]) -> str:
    """Return the given name in as many parentheses as it takes to make the name unique."""
    return _unused(f"({name})", taken) if name in taken else name
