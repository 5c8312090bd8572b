"""Game rules as immutable, validated data, and the presets that come with rollwise."""

from rollwise.rules.card import Category, ExtraBonus, Joker, Step, UpperBonus
from rollwise.rules.dice import OtherDice
from rollwise.rules.loader import (
    DEFAULT,
    RulesError,
    RulesLike,
    apply_variant,
    as_rules,
    game_of,
    load_rules,
    parse_rules,
)
from rollwise.rules.patterns import (
    Among,
    AnyRoll,
    Either,
    FaceDice,
    Faces,
    Groups,
    Pattern,
    Run,
    Total,
)
from rollwise.rules.schema import Rules, preset_names
from rollwise.rules.variants import Dispute

__all__ = [
    "DEFAULT",
    "Among",
    "AnyRoll",
    "Category",
    "Dispute",
    "Either",
    "ExtraBonus",
    "FaceDice",
    "Faces",
    "Groups",
    "Joker",
    "OtherDice",
    "Pattern",
    "Rules",
    "RulesError",
    "RulesLike",
    "Run",
    "Step",
    "Total",
    "UpperBonus",
    "apply_variant",
    "as_rules",
    "game_of",
    "load_rules",
    "parse_rules",
    "preset_names",
]
