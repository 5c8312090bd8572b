"""Test rule variants in rule files."""

import pytest

from rollwise.rules import Rules, RulesError, apply_variant, load_rules, parse_rules, preset_names
from rule_texts import GAME, mistakes_in
from test_rule_files import PAIR

ROW = """
[[disputed.categories]]
key = "run"
title = "Run"
pattern = { kind = "run", length = 2 }
points = 7
"""


def variant_of(rules: Rules) -> Rules:
    """Return the game under the only variant of the rules."""
    (dispute,) = rules.disputed
    other = apply_variant(rules, dispute)
    assert other is not None
    return other


@pytest.mark.parametrize("name", preset_names())
def test_variants_of_presets_are_different_games(name: str) -> None:
    rules = load_rules(name)
    for dispute in rules.disputed:
        assert apply_variant(rules, dispute) != rules.model_copy(update={"disputed": ()})


class TestDisputes:
    def test_variant_without_changed_rules(self) -> None:
        rules = parse_rules(GAME + PAIR + '[[disputed]]\nsays = "who begins"')
        assert apply_variant(rules, rules.disputed[0]) is None

    def test_replaced_category(self) -> None:
        other = ROW.replace('"run"\nt', '"pair"\nt')
        rules = parse_rules(GAME + PAIR + '[[disputed]]\nsays = "a run"' + other)
        assert [(c.key, c.points) for c in variant_of(rules).categories] == [("pair", 7)]
        assert rules.categories[0].points == 5

    @pytest.mark.parametrize(
        ("place", "keys"), [('before = "pair"', ("run", "pair")), ("", ("pair", "run"))]
    )
    def test_added_category(self, place: str, keys: tuple[str, ...]) -> None:
        rules = parse_rules(f'{GAME}{PAIR}[[disputed]]\nsays = "a run"\n{place}{ROW}')
        assert variant_of(rules).keys == keys

    def test_changed_bonus(self) -> None:
        bonus = "upper_bonus = { threshold = 5, points = 9 }"
        upper = PAIR + "section = 'upper'\n"
        rules = parse_rules(f'{GAME}{upper}[[disputed]]\nsays = "a bonus"\n{bonus}')
        assert rules.upper_bonus is None
        assert variant_of(rules) == parse_rules(f"{GAME}{bonus}\n{upper}")

    def test_a_preset(self) -> None:
        rules = parse_rules(GAME + PAIR + '[[disputed]]\nsays = "all"\nrules = "yatzy"')
        assert variant_of(rules) == load_rules("yatzy")
        assert mistakes_in(GAME + PAIR + '[[disputed]]\nsays = "all"\nrules = "yetzy"') == [
            "disputed.1.rules: expected the name of a preset, got 'yetzy'"
        ]

    def test_variant_must_be_valid(self) -> None:
        row = ROW.replace("length = 2", "length = 3")
        with pytest.raises(RulesError) as error:
            parse_rules(f'{GAME}{PAIR}[[disputed]]\nsays = "a run is right"{row}')
        assert error.value.where == "game, if a run is right"
        assert error.value.mistakes == [
            "categories.1.pattern: no roll fits, because the pattern needs 3 dice and the game "
            "has 2"
        ]
