"""Dice, keeps, actions, cards and positions as text: ``parse(format(x)) == x``."""

from rollwise.game.notation.dice import (
    check_keep,
    die_text,
    format_action,
    format_dice,
    format_keep,
    parse_action,
    parse_category,
    parse_dice,
    parse_keep,
    parse_scores,
)
from rollwise.game.notation.positions import (
    format_card,
    format_position,
    parse_card,
    parse_position,
)

__all__ = [
    "check_keep",
    "die_text",
    "format_action",
    "format_card",
    "format_dice",
    "format_keep",
    "format_position",
    "parse_action",
    "parse_card",
    "parse_category",
    "parse_dice",
    "parse_keep",
    "parse_position",
    "parse_scores",
]
