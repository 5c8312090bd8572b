"""Maxi Yatzy made small: rolls are saved, and a turn has the rolls of the ones before."""

from pathlib import Path

from rollwise.rules import Rules, load_rules
from rollwise.solving.storage.layer_files import LayerFiles
from rollwise.solving.storage.stores import LocalStore

MAXI = load_rules("maxi-yatzy")


def small_maxi(boxes: int = 5) -> Rules:
    """Return Maxi Yatzy with some boxes alone."""
    few = tuple(MAXI.categories[k] for k in (0, 5, 9, 12, 18, 19)[:boxes])
    assert MAXI.upper_bonus is not None
    bonus = MAXI.upper_bonus.model_copy(update={"threshold": 20})
    return MAXI.model_copy(update={"categories": few, "upper_bonus": bonus})


def files_in(folder: Path) -> LayerFiles:
    """Return the layers that are kept in a folder."""
    return LayerFiles(LocalStore(folder.parent), folder.name)
