"""Evaluations kept on disk, beside the solved tables; a damaged one is made anew."""

import hashlib
import json
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollwise.distribution import Distribution
from rollwise.evaluation.evaluate import CategoryStatistics, Evaluation, evaluate
from rollwise.files import cache_folder
from rollwise.fingerprint import PACKAGE, fingerprint
from rollwise.rules import Rules
from rollwise.solving.cache import found_or_made
from rollwise.solving.cache_entries import TABLE, code
from rollwise.solving.progress import Progress
from rollwise.solving.storage.table_file import FORMAT, read_table, write_table
from rollwise.strategies import STRATEGIES, Optimal, Strategy, check_plays_alone

DISTRIBUTIONS = ("distribution", "upper_bonus", "extra_bonus", "alike", "jokers")
DEPENDED_ON = ("strategies", "evaluation")
"""The packages whose code a law depends on, beside those of its table."""

SUFFIXES = (".py", ".toml")
"""The files of those packages: strategies have data."""


def evaluate_kept(
    strategy: Strategy, rules: Rules, *, progress: Progress | None = None
) -> Evaluation:
    """Return the exact law of a strategy, as :func:`evaluate`; kept, if it has a name of its own.

    Raises
    ------
    ValueError
        When the strategy plays what the rules forbid, or answers another player.
    """
    check_plays_alone(strategy)
    name = _name(strategy)
    if name is None:
        return evaluate(strategy, rules, progress=progress)
    return found_or_made(
        _path(name, rules),
        "law",
        partial(_read, rules),
        lambda: evaluate(strategy, rules, progress=progress),
        _write,
    )


def _name(strategy: Strategy) -> str | None:
    """Return what names a strategy among all; None for one whose code is elsewhere."""
    if isinstance(strategy, Optimal):
        wanted = strategy.solution.objective.name
        fewer = "-fewer-dice" if strategy.die_worth < 0 else ""
        return None if ".py" in wanted else f"law-of-{wanted}{fewer}"
    made = STRATEGIES.get(strategy.name)
    return f"law-of-{strategy.name}" if made and type(made()) is type(strategy) else None


def _path(name: str, rules: Rules) -> Path:
    folders = (PACKAGE / part for part in DEPENDED_ON)
    says = [FORMAT, name, rules.model_dump(mode="json"), fingerprint(*folders, suffixes=SUFFIXES)]
    digest = hashlib.sha256(json.dumps(says).encode()).hexdigest()[:16]
    short = name.partition(":")[0]  # opponents and payoffs may be of any length
    return cache_folder() / f"{rules.name}.{short}.{code()}.{digest}{TABLE}"


def _write(path: Path, found: Evaluation) -> None:
    arrays: dict[str, NDArray[Any]] = {}
    for name in DISTRIBUTIONS:
        distribution = getattr(found, name)
        if distribution is not None:
            arrays[f"{name}_scores"], arrays[name] = distribution.scores, distribution.probabilities
    if found.bonus_and_alike is not None:
        arrays["bonus_and_alike"] = found.bonus_and_alike
    boxes = {key: asdict(box) for key, box in found.categories.items()}
    says = {"strategy": found.strategy, "ties": found.ties, "categories": boxes}
    write_table(path, {"evaluation": json.dumps(says)}, arrays)


def _read(rules: Rules, path: Path) -> Evaluation:
    header, arrays = read_table(path)
    says = json.loads(header["evaluation"])
    distributions = {
        name: Distribution(arrays[f"{name}_scores"].astype(np.int64), arrays[name])
        for name in DISTRIBUTIONS
        if name in arrays
    }
    boxes = {key: CategoryStatistics(**box) for key, box in says["categories"].items()}
    return Evaluation(
        rules=rules,
        strategy=says["strategy"],
        ties=says["ties"],
        categories=boxes,
        distribution=distributions["distribution"],
        **{name: distributions.get(name) for name in DISTRIBUTIONS[1:]},
        bonus_and_alike=arrays.get("bonus_and_alike"),
    )
