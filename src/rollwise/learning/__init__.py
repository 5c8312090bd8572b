"""Environments for reinforcement learning, with an exact oracle.

If Gymnasium is installed, ``import rollwise.learning`` registers ``rollwise/Yahtzee-v0`` for
``gymnasium.make`` and ``gymnasium.make_vec``; the argument ``rules`` selects the game.
"""

from contextlib import suppress

with suppress(ImportError):
    import gymnasium

    gymnasium.register(
        "rollwise/Yahtzee-v0",
        entry_point="rollwise.learning.environment:Environment",
        vector_entry_point="rollwise.learning.vector:VectorEnvironment",
    )
