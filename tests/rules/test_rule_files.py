"""Test rule files, and the messages for errors in rule files."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from commands import printed
from repository import DOCS
from rollwise.rules import RulesError, UpperBonus, load_rules, parse_rules, preset_names
from rollwise.rules.loader import load_rule_file
from rule_texts import GAME, mistakes_in

PAIR = """
[[categories]]
key = "pair"
title = "Pair"
pattern = { kind = "groups", sizes = [2] }
points = 5
"""

GROUPS = '{ kind = "groups", sizes = [2] }'


def either(*patterns: str) -> str:
    """Return the pattern of several alternatives."""
    return f'{{ kind = "either", of = [{", ".join(patterns)}] }}'


def blocks(page: str, kind: str) -> list[str]:
    """Return the code blocks of a page."""
    return re.findall(
        rf"```{kind}\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), flags=re.DOTALL
    )


_, WITH_A_BASE, *DOCUMENTED = blocks("reference/rules.md", "toml")


def test_the_documented_file_with_a_base_is_valid() -> None:
    rules, base = parse_rules(WITH_A_BASE), load_rules("yahtzee")
    assert set(base.keys) - set(rules.keys) == {"chance"}
    assert set(rules.keys) - set(base.keys) == {"two-pairs"}
    assert rules.keys.index("two-pairs") == rules.keys.index("full-house") - 1
    assert rules.upper_bonus == UpperBonus(threshold=63, points=50)


def test_the_files_of_the_guide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    variant, own = blocks("rules.md", "toml")
    (tmp_path / "our-game.toml").write_text(variant, encoding="utf-8")
    assert printed("rules", "check", "our-game.toml") == blocks("rules.md", "text")[0]
    assert [category.key for category in parse_rules(own).categories] == [
        "pirates", "crew", "voyage", "treasure",
    ]  # fmt: skip


@pytest.mark.parametrize("part", DOCUMENTED)
def test_examples_in_the_documentation_are_valid(part: str) -> None:
    ones = PAIR.replace('"pair"', '"ones"') + "section = 'upper'"
    game = GAME.replace("dice = 2", "dice = 5").replace("rolls = 2", "rolls = 3")
    rules = parse_rules(game + part + ones)
    assert rules != parse_rules(game + ones)


class TestRuleFiles:
    @pytest.mark.parametrize("name", preset_names())
    def test_presets_are_named_as_their_files(self, name: str) -> None:
        assert load_rules(name).name == name

    def test_cached_properties_are_not_copied(self) -> None:
        rules = load_rules("yatzy")
        cached = rules.keys, rules.chains, rules.before
        forced = rules.model_copy(update={"order": "card", "categories": rules.categories[::-1]})
        assert forced.keys == rules.keys[::-1]
        assert forced.chains == (tuple(range(15)),)
        assert forced.before == (None, *range(14))
        assert (rules.keys, rules.chains, rules.before) == cached


class TestNoInventedAndNoMissedMistakes:
    def test_invalid_category_still_has_its_key(self) -> None:
        text = f'{GAME}joker = {{ box = "pair", policy = "free" }}\n{PAIR.replace("5", "-5")}'
        assert mistakes_in(text) == [
            "pair.points: expected a whole number of 0 or more or a list or 'matched' or "
            "'total', got -5"
        ]

    def test_invalid_upper_category_still_counts_as_upper(self) -> None:
        upper = PAIR.replace("points = 5", 'section = "upper"')
        text = f"{GAME}upper_bonus = {{ threshold = 1, points = 1 }}\n{upper}"
        assert mistakes_in(text) == ["pair.points: missing"]

    def test_no_further_errors_for_a_category_without_a_key(self) -> None:
        text = f'{GAME}joker = {{ box = "pair", policy = "free" }}\n{PAIR.replace("key", "kee")}'
        assert mistakes_in(text) == [
            "category 1.key: missing",
            "category 1.kee: no such key. Did you mean 'key'?",
        ]

    @pytest.mark.parametrize("key", ["9" * 100, "²", "dice.²", "categories.x", "categories.7"])
    def test_key_that_looks_like_an_index(self, key: str) -> None:
        (mistake,) = mistakes_in(f'"{key}" = 1\n{GAME}{PAIR}')
        assert mistake.startswith(f"{key}: no such key")

    def test_key_of_a_category_that_looks_like_an_index(self) -> None:
        category = PAIR.replace("points = 5", 'points = [1, 2]\n"points.²" = 3')
        mistake = "pair.points.²: no such key. Did you mean 'points'?"
        assert mistake in mistakes_in(GAME + category)

    def test_code_that_repeats_a_key(self) -> None:
        other = PAIR.replace('key = "pair"', 'key = "other"\ncode = "pair"')
        assert mistakes_in(GAME + PAIR + other) == [
            "other.code: 'pair' is taken by 'pair' before it: keys and codes must be unique"
        ]


BROKEN = [
    ("dice = 2", "dice = 1.5", "dice: expected a whole number, got 1.5"),
    ("dice = 2", "dice = 13", "dice: expected a whole number of 12 or less, got 13"),
    ("dice = 2", "dice = 0x" + "f" * 9999, "dice: expected a whole number of 12 or less, got "),
    ('"Game"', '""', "title: expected 1 character or more, got ''"),
    ('"Game"', '"\\u001b[31m"', "title: expected text without control characters, got '"),
    ('"Game"', f'"{"x" * 121}"', "title: expected 120 characters or fewer, got '"),
    ('"Game"', "3", "title: expected text, got 3"),
    ('"pair"', '"Pair"', "Pair.key: expected lower-case letters, digits, and hyphens"),
    ("[2]", "3", "pair.pattern.sizes: expected a list, got 3"),
    ("[2]", "[0]", "pair.pattern.sizes.1: expected a whole number of 1 or more, got 0"),
    ("[2]", "[]", "pair.pattern.sizes: expected 1 or more of them, got []"),
    ("[2]", "[1,1,1,1,1]", "pair.pattern.sizes: expected 4 or fewer of them, got [1"),
    ('"groups"', '"grups"', "pair.pattern: expected one of the kinds 'any', 'face', "),
    ('kind = "groups", ', "", "pair.pattern: expected a table with a kind, got {"),
    ("points = 5", "points = []", "pair.points: expected 2 numbers, one for each roll "),
    ("points = 5", "points = [5, 4, 3]", "pair.points: expected 2 numbers, one for each roll "),
    ("points = 5", "points = 5\nplus = 3", "pair.plus: has no effect with fixed points"),
    ("points = 5", "points = 5\nafter = 'ones'", "pair.after: no category 'ones' on the s"),
    ("points = 5", "points = 5\nafter = 'pair'", "pair.after: each of these categories waits"),
    (
        "points = 5",
        "points = 5\nslots = 9",
        "pair.slots: expected a whole number of 1 to",
    ),
    ("points = 5", "points = 5\nworth = 3", "pair.worth: expected a list, got 3"),
    (
        "points = 5",
        "points = 5\n[[other_dice]]\ndice = 1\nnumbers = [11]",
        "other_dice.1.numbers: expected 2 or more of them, got 1",
    ),
    (GROUPS, either('{ kind = "faces", faces = [1] }'), "pair.pattern.of: expected 2 or more of"),
    (
        GROUPS,
        either('{ kind = "face", face = 9 }', '{ kind = "groups", sizes = [3] }'),
        "pair.pattern: no roll fits, because the pattern needs 9 faces and a die has 6",
    ),
    (
        GROUPS,
        '{ kind = "among", faces = [7, 8] }',
        "pair.pattern: no roll fits, because the pattern needs 7 faces and a die has 6",
    ),
    ("rolls = 2", "rolls = 2\ncolor = 3", "color: no such key"),
    ("rolls = 2", "rolls = 2\njoker = 3", "joker: expected a table, got 3"),
    ("rolls = 2", "", "rolls: missing"),
    (PAIR, "\ncategories = 3", "categories: expected a list, got 3"),
]
"""A part of the rule file above, an invalid replacement, and the expected error."""


class TestWords:
    @pytest.mark.parametrize(("part", "broken", "words"), BROKEN)
    def test_one_sentence_for_each_error(self, part: str, broken: str, words: str) -> None:
        mistakes = mistakes_in((GAME + PAIR).replace(part, broken, 1))
        assert len(mistakes) == 1
        assert mistakes[0].startswith(words)
        assert len(mistakes[0]) < 200
        assert not re.search("Input|should|valid", mistakes[0])

    def test_locations_omit_the_kinds_of_nested_patterns(self) -> None:
        nested = either('{ kind = "run", length = 0 }', '{ kind = "face", face = 1 }')
        assert mistakes_in((GAME + PAIR).replace(GROUPS, nested)) == [
            "pair.pattern.of.1.length: expected a whole number of 1 or more, got 0"
        ]

    def test_a_number_of_many_digits(self) -> None:
        assert mistakes_in(GAME.replace("dice = 2", "dice = " + "9" * 5000))[0].startswith(
            "not TOML"
        )

    def test_order_does_not_depend_on_hashes(self) -> None:
        bad = PAIR.replace('"pair"', '"upper-bonus"\ncode = "x"').replace("[2]", "[3]")
        text = GAME + bad + PAIR.replace('"pair"', '"extra-bonus"\ncode = "x"')
        program = (
            "import sys; from rollwise.rules import parse_rules, RulesError\n"
            "try: parse_rules(sys.argv[1])\nexcept RulesError as error: print(error)"
        )
        outputs = set()
        for seed in "1234":
            environment = {**os.environ, "PYTHONHASHSEED": seed}
            run = [sys.executable, "-c", program, text]
            outputs.add(subprocess.check_output(run, text=True, env=environment))
        assert len(outputs) == 1


class TestSlots:
    def test_slots_are_filled_in_order(self) -> None:
        rules = parse_rules(GAME + PAIR.replace("key", 'code = "p"\nslots = 3\nkey'))
        assert rules.keys == ("pair", "pair-2", "pair-3")
        assert [c.title for c in rules.categories] == ["Pair", "Pair 2", "Pair 3"]
        assert [c.code for c in rules.categories] == ["p", "p2", "p3"]
        assert [c.after for c in rules.categories] == [None, "pair", "pair-2"]
        assert rules.chains == ((0, 1, 2),)

    def test_errors_have_the_location_in_the_file(self) -> None:
        first = PAIR.replace("key", "slots = 3\nkey")
        second = PAIR.replace('"pair"', '"other"').replace("points = 5", "points = -1")
        assert [m.split(":")[0] for m in mistakes_in(GAME + first + second)] == ["other.points"]

    def test_no_cycle(self) -> None:
        tables = [
            PAIR.replace('"pair"', f'"{key}"\nafter = "{before}"')
            for key, before in (("a", "b"), ("b", "a"))
        ]
        assert len(mistakes_in(GAME + PAIR + "".join(tables))) == 2


class TestSteps:
    def test_steps_must_increase(self) -> None:
        bonus = "upper_bonus = { threshold = 2, points = 5, higher = [{threshold=2, points=9}] }"
        (mistake,) = mistakes_in(f"{GAME}{bonus}\n{PAIR}section = 'upper'")
        assert mistake.startswith("upper_bonus: expected higher steps in increasing order, each ")


MANY_MISTAKES = """\
name = "game"
title = "Many mistakes, of all kinds"
dice = 5
faces = 6
rolls = 3.5
color = "red"
extra_bonus = { box = "yatzy", points = 100 }

[joker]
policy = "some"

[[categories]]
key = "pair"
title = ""
pattern = { kind = "groups", sizes = [12] }
points = 5

[[categories]]
key = "pair"  # again
title = "Pair"
section = "middle"
pattern = { kind = "face", face = 9 }
points = 5

# A box with its own tables.
[[categories]]
key = "Run!"
title = "Run"
after = "nosuch"
points = [1, 2, -3]
[categories.pattern]
kind = "run"
length = 7
"""


class TestPlaces:
    """Tests of the locations of errors, which name the line and the key of the category."""

    def places(self, text: str) -> list[str]:
        with pytest.raises(RulesError) as error:
            parse_rules(text)
        return [mistake.partition(": ")[0] for mistake in error.value.mistakes]

    def test_invalid_fields_first_and_then_contradictions(self) -> None:
        assert self.places(MANY_MISTAKES) == [
            "line 5, rolls",
            "line 6, color",
            "line 9, joker.box",
            "line 10, joker.policy",
            "line 14, pair.title",
            "line 21, pair.section",
            "line 27, Run!.key",
            "line 30, Run!.points.3",
        ]
        fixed = MANY_MISTAKES.replace('title = ""', 'title = "Pair"').replace("3.5", "2")
        fixed = fixed.replace("Run!", "run").replace("-3", "3").replace("middle", "upper")
        fixed = fixed.replace('color = "red"', "").replace('"some"', '"free"\nbox = "nosuch"')
        assert self.places(fixed) == [
            "line 7, extra_bonus.box",
            "line 11, joker.box",
            "line 16, pair.pattern",
            "line 20, pair.key",
            "line 23, pair.pattern",
            "line 30, run.after",
            "line 31, run.points",
            "line 32, run.pattern",
            "line 32, run.pattern",
        ]

    def test_categories_as_one_list(self) -> None:
        listed = 'categories = [\n  { key = "one", points = 3 },\n]\n'
        with pytest.raises(RulesError) as error:
            parse_rules(GAME + listed)
        mistakes = ["line 7, one.title: missing", "line 7, one.pattern: missing"]
        assert error.value.mistakes == mistakes


def test_slots_of_a_category_without_a_key() -> None:
    text = load_rule_file("micro-yahtzee").text
    text = text.replace("[[categories]]\nkey =", "[[categories]]\nslots = 3\nkex =", 1)
    with pytest.raises(RulesError, match="key"):
        parse_rules(text)


@pytest.mark.parametrize("value", ["[1]", "{ a = 1 }"])
def test_code_of_slots_that_is_no_text(value: str) -> None:
    (mistake,) = mistakes_in(GAME + PAIR.replace("key", f"slots = 2\ncode = {value}\nkey"))
    assert mistake.startswith("pair.code: expected text, got ")
