"""Environments for reinforcement learning, with an exact oracle.

``import rollwise.learning`` registers ``rollwise/Yahtzee-v0`` with Gymnasium, if it is installed:
for ``gymnasium.make`` and ``gymnasium.make_vec``, with ``rules=`` for any game.
:mod:`rollwise.learning.turns` has games of several players for PettingZoo.
"""

from contextlib import suppress

with suppress(ImportError):
    import gymnasium

    gymnasium.register(
        "rollwise/Yahtzee-v0",
        entry_point="rollwise.learning.environment:Environment",
        vector_entry_point="rollwise.learning.vector:VectorEnvironment",
    )
