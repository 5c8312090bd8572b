"""Published numbers beside ours."""

import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from importlib import resources
from typing import Any

from rollwise.model.size import counts
from rollwise.rules import Rules, load_rules
from rollwise.solving.objectives import EXPECTED, Objective
from rollwise.solving.solution import Solution

Solve = Callable[[Rules, Objective], Solution]


@dataclass(frozen=True)
class Check:
    """One published number and ours.

    Attributes
    ----------
    rules, what, source : str
    published : str
        As it was printed.
    ours : float or int
    tolerance : float
        Half a unit of the last printed digit; 0 for counts.
    """

    rules: str
    what: str
    published: str
    ours: float
    tolerance: float
    source: str

    @property
    def difference(self) -> float:
        """Ours less the published one."""
        return float(Decimal(self.ours) - Decimal(self.published))

    @property
    def holds(self) -> bool:
        """Whether ours rounds to the published one."""
        return abs(self.difference) <= self.tolerance

    def formatted_ours(self) -> str:
        """Return our number with at least as many digits as theirs."""
        return f"{self.ours:.10f}" if self.tolerance else f"{self.ours:,}"

    def as_dict(self) -> dict[str, Any]:
        """Return the check as JSON can hold it."""
        return {
            "rules": self.rules,
            "what": self.what,
            "published": self.published,
            "ours": self.ours,
            "difference": self.difference,
            "holds": self.holds,
            "source": self.source,
        }


def checks(solve: Solve) -> Iterator[Check]:
    """Yield every published number beside ours, solving games as they are needed."""
    text = (
        resources.files("rollwise.curiosities")
        .joinpath("published.toml")
        .read_text(encoding="utf-8")
    )
    data = tomllib.loads(text)
    for entry in data["value"]:
        printed = entry["printed"]
        yield Check(
            rules=entry["rules"],
            what="expected score",
            published=printed,
            ours=solve(load_rules(entry["rules"]), EXPECTED).value(),
            tolerance=0.5 * 10.0 ** -len(printed.partition(".")[2]),
            source=entry["source"],
        )
    for entry in data["count"]:
        yield Check(
            rules=entry["rules"],
            what=entry["what"],
            published=str(entry["printed"]),
            ours=counts(load_rules(entry["rules"]))[entry["what"]],
            tolerance=0,
            source=entry["source"],
        )
