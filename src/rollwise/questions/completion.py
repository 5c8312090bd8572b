"""Shell completion of values: games, strategies, objectives, categories, and ids of saved games.

A shell waits for these functions, so nothing here imports numba.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from cyclopts.completion import CompletionContext

from rollwise.cache_folder import entries
from rollwise.errors import InputError
from rollwise.files import history_file
from rollwise.rules import Rules, load_rules, preset_names
from rollwise.settings import default_rules

Completions = list[tuple[str, str]]
"""The possible values and their short descriptions, which zsh and fish show."""

OBJECTIVES = {
    "expected": "highest expected score",
    "worst-case": "highest guaranteed score",
    "best-case": "highest possible score",
    "least-variance": "lowest variance",
    "target:250": "probability of 250 or more",
    "beat:optimal": "probability of beating an optimal player",
    "beat:250": "probability of beating 250 points",
    "exponential:-0.01": "risk aversion",
    "mean-variance:0.01": "mean minus a penalty for variance",
}
"""The objectives and their descriptions; objectives that take a number have an example number."""

RECENT = 50
"""The maximum number of saved games to offer."""


def default_game() -> str:
    """Return the user's default game for the help."""
    try:
        return default_rules().source
    except InputError:
        return "see rollwise rules use"


def games(context: CompletionContext) -> Completions:
    """Return the presets and the rule files in the working directory."""
    files = [(path.name, "rule file") for path in sorted(Path().glob("*.toml"))]
    return _matching([*((name, "preset") for name in preset_names()), *files], context.incomplete)


def strategies(context: CompletionContext) -> Completions:
    """Return the names of the strategies; names that take a number have an example number."""
    from rollwise import strategies as all_strategies  # imports NumPy

    names = ("optimal", "duel", *all_strategies.STRATEGIES)
    numbered = [
        ("normal:300", "300 or more by a normal approximation"),
        *((f"{name}:10", "greedy with another scale") for name in all_strategies.SCALED),
    ]
    return _matching([*((name, "strategy") for name in names), *numbered], context.incomplete)


def objectives(context: CompletionContext) -> Completions:
    """Return the objectives."""
    return _matching(list(OBJECTIVES.items()), context.incomplete)


def card(context: CompletionContext) -> Completions:
    """Return the completions of a partial scorecard, one for each category that can come next."""
    try:
        rules = load_rules(context["rules"].raw or default_rules().source)
    except InputError:
        return []
    before, comma, last = context.incomplete.rpartition(",")
    filled = {part.partition("=")[0] for part in before.split(",")}
    return [
        (f"{before}{comma}{name}=", title)
        for name, title in _categories(rules, codes=bool(last))
        if name.startswith(last) and name not in filled
    ]


def _categories(rules: Rules, *, codes: bool) -> Completions:
    """Return the key and title of each category; if ``codes`` is true, also its code and title."""
    keys = [(category.key, category.title) for category in rules.categories]
    coded = [(category.code, category.title) for category in rules.categories if category.code]
    return [*keys, *(coded if codes else [])]


def saved_games(context: CompletionContext) -> Completions:
    """Return the ids of the saved games, latest first, or none if there is no history."""
    try:
        path = history_file(context["database"].raw)
    except InputError:
        return []
    if not path.is_file():
        return []
    query = "SELECT id, rules, saved_at FROM games ORDER BY saved_at DESC LIMIT ?"
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as database:
            rows = database.execute(query, (RECENT,)).fetchall()
    except sqlite3.Error:
        return []
    return _matching(
        [(id, f"{rules}, {str(when)[:16]}") for id, rules, when in rows], context.incomplete
    )


def cached_games(context: CompletionContext) -> Completions:
    """Return the games with saved tables."""
    names = sorted({entry.game for entry in entries()})
    return _matching([(name, "saved tables") for name in names], context.incomplete)


def _matching(values: Completions, incomplete: str) -> Completions:
    return [(value, meaning) for value, meaning in values if value.startswith(incomplete)]
