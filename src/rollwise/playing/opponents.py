"""Names of computer opponents that players understand, for all user interfaces."""

from collections.abc import Iterable

OPPONENTS = {
    "optimal": "Perfect",
    "duel": "Rival",
    "greedy-average": "Strong",
    "greedy": "Medium",
    "commonest-face": "Easy",
}
"""The name of each computer opponent by strategy, strongest first.

``duel`` is as strong as ``optimal``, but plays to win against its opponent.
"""


def opponent_name(strategy: str) -> str:
    """Return the name of a computer opponent; strategies without one keep their own name."""
    return OPPONENTS.get(strategy, strategy)


def opponent_label(strategy: str) -> str:
    """Return the name of a computer opponent and its strategy, such as ``Medium (greedy)``."""
    name = OPPONENTS.get(strategy)
    return f"{name} ({strategy})" if name else strategy


def opponent_labels(strategies: Iterable[str]) -> dict[str, str]:
    """Return the labels of strategies for a list of choices, opponents with a name first."""
    names = list(OPPONENTS)
    ordered = sorted(
        strategies, key=lambda name: names.index(name) if name in names else len(names)
    )
    return {name: opponent_label(name) for name in ordered}
