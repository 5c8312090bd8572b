"""Names of computer opponents that players understand, for all user interfaces."""

from collections.abc import Collection

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


def opponent_labels(strategies: Collection[str]) -> dict[str, str]:
    """Return labels such as ``Medium (greedy)``, strategies with a name first."""
    others = [strategy for strategy in strategies if strategy not in OPPONENTS]
    named = {key: f"{name} ({key})" for key, name in OPPONENTS.items() if key in strategies}
    return named | {strategy: strategy for strategy in others}
