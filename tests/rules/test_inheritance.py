"""Check that rule files with a base mean the same as rule files without a base."""

import re
import tomllib
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from rollwise.rules import Rules, RulesError, load_rules, parse_rules, preset_names
from rollwise.rules.inheritance import DESCRIPTION, TABLES
from rollwise.rules.loader import MAX_BASES, load_rule_file
from rollwise.rules.writer import differences, template, toml_value, written_out
from small_games import small_rules

HEAD = 'base = "yahtzee"\nname = "house"\ntitle = "House"\n'
TWO_PAIRS = {
    "key": "two-pairs",
    "title": "Two Pairs",
    "pattern": {"kind": "groups", "sizes": [2, 2]},
    "points": "total",
}
CHANGES: dict[str, list[Any]] = {
    "title": ["Other", 'Quotes " and \\ and é'],
    "code": ["x", "9"],
    "points": [0, 30, "total", "matched"],
    "pattern": [{"kind": "any"}, {"kind": "run", "length": 3}],
    "section": ["lower", "upper"],
    "plus": [0, 7],
}
"""Some possible values for each key of a category."""


def in_file(data: dict[str, Any]) -> str:
    """Return a rule file with a base: the keys ``base`` and ``remove``, then the other keys."""
    first = {key: data[key] for key in ("base", "remove") if key in data}
    rest = {key: value for key, value in data.items() if key not in first}
    lines = [f"{key} = {toml_value(value)}" for key, value in first.items()]
    return "\n".join(lines) + "\n" + written_out(rest)


@st.composite
def differing(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """Draw a rule file with a preset as its base, and the complete data that it means."""
    base = draw(st.sampled_from(preset_names()))
    full = {k: v for k, v in deepcopy(load_rule_file(base).data).items() if k not in DESCRIPTION}
    categories = {category["key"]: category for category in full["categories"]}
    stated: dict[str, Any] = {"base": base, "name": "house", "title": "House"}
    full |= {"name": "house", "title": "House"}
    removable = [*(key for key in TABLES if key in full), *list(categories)[1:]]
    stated["remove"] = draw(st.lists(st.sampled_from(removable), max_size=3, unique=True))
    for name in stated["remove"]:
        (full if name in TABLES else categories).pop(name)
    for key in draw(st.sets(st.sampled_from(["rolls", "order", "extra_rolls"]))):
        stated[key] = full[key] = draw(st.sampled_from(["free", "card"] if key == "order" else [3]))
    for table in draw(st.sets(st.sampled_from(["upper_bonus", "extra_bonus"]))) & full.keys():
        stated[table] = {"points": draw(st.integers(1, 90))}
        full[table] = full[table] | stated[table]
    changed = draw(st.lists(st.sampled_from(list(categories)), max_size=3, unique=True))
    stated["categories"] = []
    for key in changed:
        parts = draw(st.sets(st.sampled_from(list(CHANGES))))
        values = {part: draw(st.sampled_from(CHANGES[part])) for part in sorted(parts)}
        stated["categories"].append({"key": key, **values})
        categories[key] = categories[key] | values
    order = list(categories.values())
    if draw(st.booleans()) and "two-pairs" not in categories:
        place = draw(st.integers(0, len(order)))
        before = {"before": order[place]["key"]} if place < len(order) else {}
        stated["categories"].append(TWO_PAIRS | before)
        order.insert(place, TWO_PAIRS)
    if not stated["categories"]:
        del stated["categories"]
    return in_file(stated), full | {"categories": order}


def outcome(text: str) -> Any:
    """Return the rules in a string, or the set of its error messages."""
    try:
        return parse_rules(text)
    except RulesError as error:
        return sorted(mistake.rpartition(": ")[2] for mistake in error.mistakes)


@given(differing())
def test_a_file_with_a_base_equals_the_file_written_out(pair: tuple[str, dict[str, Any]]) -> None:
    text, full = pair
    assert outcome(text) == outcome(written_out(full))


@given(differing())
def test_every_mistake_has_its_line(pair: tuple[str, dict[str, Any]]) -> None:
    text, _ = pair
    try:
        parse_rules(text)
    except RulesError as error:
        for mistake in error.mistakes:
            found = re.match(r"line (\d+), (\S+?)( \(from the base .*?\))?: ", mistake)
            assert found is not None, mistake
            word = text.splitlines()[int(found[1]) - 1].partition(" ")[0].strip("[]")
            is_stated = word == "categories" or word in found[2].split(".")
            assert is_stated or (word == "base" and found[3])


@given(small_rules())
def test_rules_written_out_are_read_back(rules: Any) -> None:
    data = rules.model_dump(mode="json", exclude_none=True)
    if not data["columns"]:
        assert parse_rules(written_out(data)) == rules


@pytest.mark.parametrize("name", preset_names())
class TestPresets:
    def test_written_out_without_a_base(self, name: str) -> None:
        text = written_out(load_rule_file(name).data)
        assert "base" not in tomllib.loads(text)
        assert parse_rules(text) == load_rules(name)

    def test_the_file_itself_is_a_rule_file(self, name: str) -> None:
        assert parse_rules(load_rule_file(name).text) == load_rules(name)

    def test_a_template_is_the_base_with_another_name(self, name: str) -> None:
        data, words = load_rule_file(name).data, {"name": "mine", "title": "Mine"}
        text = template(data, file="mine.toml", base=name, **words)
        rules = load_rules(name).model_copy(update={"about": "", "sources": (), "disputed": ()})
        assert parse_rules(text) == rules.model_copy(update=words)

    def test_every_value_of_a_template_can_be_changed(self, name: str, tmp_path: Path) -> None:
        data, path = load_rule_file(name).data, tmp_path / "mine.toml"
        text = template(data, file="mine.toml", base=name, name="mine", title="Mine")
        path.write_text(text, "utf-8")
        file = load_rule_file(path)
        assert list(differences(file)) == [f"The same as {name}."]
        values = {key: value for key, value in data.items() if key not in DESCRIPTION}
        assert file.stated.items() >= (values | {"categories": file.stated["categories"]}).items()
        for category, stated in zip(data["categories"], file.stated["categories"], strict=True):
            assert stated == {key: category[key] for key in ("key", "points")}


def test_differences_in_words(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text(
        f'{HEAD}remove = ["joker"]\nfaces = 6\nrolls = 4\n'
        "upper_bonus = { threshold = 63, points = 50 }\n"
        '[[categories]]\nkey = "chance"\npoints = "total"\n'
        '[[categories]]\nkey = "full-house"\npoints = 30\nplus = 0\n',
        "utf-8",
    )
    assert list(differences(load_rule_file(path))) == [
        "Differs from yahtzee:",
        '  remove = ["joker"]',
        "  rolls = 4",
        "  upper_bonus: points = 50",
        "  full-house: points = 30, plus = 0",
    ]


@pytest.mark.parametrize("title", ["Yahtzee", "House"])
def test_a_file_cannot_have_the_name_of_a_preset(title: str) -> None:
    text = f"{HEAD}rolls = 4\n".replace("house", "yahtzee").replace("House", title)
    with pytest.raises(RulesError) as error:
        parse_rules(text)
    assert error.value.mistakes == [
        "line 2, name: 'yahtzee' is the name of a game that comes with rollwise; choose another "
        "name, such as 'my-yahtzee'"
    ]


class TestNotation:
    def test_tables_are_merged_key_by_key(self) -> None:
        rules = parse_rules(f"{HEAD}[upper_bonus]\npoints = 50\n")
        assert rules.upper_bonus is not None
        assert (rules.upper_bonus.threshold, rules.upper_bonus.points) == (63, 50)
        assert rules.categories == load_rules("yahtzee").categories

    def test_descriptions_are_not_inherited(self) -> None:
        rules = parse_rules(HEAD.replace('"yahtzee"', '"kniffel"'))
        assert (rules.about, rules.sources, rules.disputed) == ("", (), ())

    def test_a_category_moves(self) -> None:
        text = f'{HEAD}[[categories]]\nkey = "chance"\nbefore = "ones"\n'
        assert parse_rules(text).keys[:2] == ("chance", "ones")

    def test_a_removed_category_can_be_stated_anew(self) -> None:
        text = f'{HEAD}remove = ["chance"]\n[[categories]]\nkey = "chance"\ntitle = "Any"\n'
        text += 'pattern = { kind = "any" }\npoints = "total"\nbefore = "ones"\n'
        rules = parse_rules(text)
        assert (rules.keys[0], rules.categories[0].code) == ("chance", None)

    def test_files_as_bases(self, tmp_path: Path) -> None:
        (tmp_path / "sub").mkdir()
        (tmp_path / "house.toml").write_text(f"{HEAD}rolls = 4\n")
        text = 'base = "../house.toml"\nname = "guest"\ntitle = "Guest"\ndice = 6\nremove = '
        text += '["yahtzee", "joker", "extra_bonus"]\n'
        (tmp_path / "sub" / "guest.toml").write_text(text)
        rules = load_rules(tmp_path / "sub" / "guest.toml")
        assert (rules.name, rules.rolls, rules.dice, len(rules.categories)) == ("guest", 4, 6, 12)


MISTAKES = [
    (
        'base = "yahtze"\n',
        ["line 1, base: 'yahtze': unknown game. Did you mean 'yahtzee' or "],
    ),
    ("base = 3\n", ["line 1, base: expected the name of a preset or of a file, got 3"]),
    ('base = "a.toml"\n', ["line 1, base: expected a preset, got 'a.toml': only a file can name"]),
    ('base = "a\\u0000.toml"\n', ["line 1, base: expected the name of a preset or of a file"]),
    (
        'rolls = 2\nbase = "yahtzee"\n',
        [
            "line 2, name: missing: a game with a base needs its own name",
            "line 2, title: missing: a game with a base needs its own title",
        ],
    ),
    (f'{HEAD}remove = "joker"\n', ["line 4, remove: expected a list of names, got 'joker'"]),
    (
        f'{HEAD}remove = ["chanse"]\n',
        ["line 4, remove.1: no 'chanse' in the base yahtzee: expected a category or a table, per"],
    ),
    (f"{HEAD}remove = [[]]\n", ["line 4, remove.1: no [] in the base yahtzee: expected one of "]),
    (f'{HEAD}remove = ["dice"]\n', ["line 4, remove.1: no 'dice' in the base yahtzee"]),
    (
        f'{HEAD}remove = ["yahtzee"]\n',
        [
            "line 1, extra_bonus.box (from the base yahtzee): no category 'yahtzee' on the ",
            "line 1, joker.box (from the base yahtzee): no category 'yahtzee' on the scorecard",
        ],
    ),
    (
        f'{HEAD}dice = 4\nremove = ["yahtzee", "joker", "extra_bonus", "full-house"]\n',
        ["line 1, large-straight.pattern (from the base yahtzee): no roll fits, because the "],
    ),
    (
        f'{HEAD}[[categories]]\nkey = "small-straight"\ntimes = 2\n',
        ["line 6, small-straight.times: has no effect with fixed points"],
    ),
    (
        f'{HEAD}[[categories]]\n# a chance\nkey = "chance"\npoints = 5\n',
        ["line 7, chance.points: expected 'total' or 'matched'"],
    ),
    (
        f'{HEAD}[[categories]]\nkey = "small-straight"\n[categories.pattern]\nkind = "run"\n',
        ["line 6, small-straight.pattern.length: missing"],
    ),
    (
        HEAD.replace("yahtzee", "kismet") + '[[categories]]\nkey = "four-of-a-kind"\npoints = 9\n',
        ["line 4, four-of-a-kind.plus (from the base kismet): has no effect with fixed points"],
    ),
    (
        f'{HEAD}[[categories]]\nkey = "ful-house"\npoints = 30\n',
        [
            "line 5, ful-house.key: no category 'ful-house' in the base yahtzee: expected a "
            "category, perhaps full-house; a new category needs a title, a pattern, and points"
        ],
    ),
    (
        f'{HEAD}[[categories]]\nkey = "ones"\ncode = "a"\n[[categories]]\nkey = "ones"\n',
        ["line 8, ones.key: 'ones' has two tables: expected one table for each category"],
    ),
    (
        f'{HEAD}[[categories]]\nkey = "ones"\nbefore = "two"\n',
        ["line 6, ones.before: no category 'two' on the scorecard: expected another category"],
    ),
    (
        f'{HEAD}[[categories]]\nkey = "ones"\nbefore = ["ones"]\n',
        ["line 6, ones.before: no category ['ones'] on the scorecard: expected one of twos, "],
    ),
    (
        f'{HEAD}remove = ["chance", "joker"]\n[joker]\npolicy = "free"\n'
        '[[categories]]\nkey = "chance"\npoints = "total"\n',
        [
            "line 5, joker: is in remove: delete the table [joker], or take 'joker' out of remove",
            "line 8, chance.key: 'chance' is in remove: delete this table, or add a title, a pat",
        ],
    ),
    (
        f"{HEAD}points = 50\n",
        ["line 4, points: belongs to [upper_bonus] or [extra_bonus] or [[categories]]; move it"],
    ),
    (
        f'{HEAD}[[categories]]\nkey = "ones"\nrolls = 4\nsizes = [2]\n',
        [
            "line 6, ones.rolls: belongs to the top of the file; move it there",
            "line 7, ones.sizes: belongs to pattern = { … }; move it there",
        ],
    ),
    (
        f'{HEAD}[upper_bonus]\npointz = 50\n[[categories]]\nkey = "ones"\n'
        'pattern = { kind = "run", lengtz = 3, length = 3 }\n',
        [
            "line 5, upper_bonus.pointz: no such key. Did you mean 'points'?",
            "line 8, ones.pattern.lengtz: no such key. Did you mean 'length'?",
        ],
    ),
    (f"{HEAD}categories = 3\n", ["line 4, categories: expected a list, got 3"]),
    (f"{HEAD}categories = [3]\n", ["line 4, category 14: expected a table, got 3"]),
    (f"{HEAD}upper_bonus = 3\n", ["line 4, upper_bonus: expected a table, got 3"]),
    (f'{HEAD}[joker]\npolicy = "x"\n', ["line 5, joker.policy: expected 'free', 'forced' or"]),
]
"""Rule files with errors, and the beginnings of the error messages."""


def test_rules_as_data_name_no_base() -> None:
    """Check that rules in JSON can name neither a preset nor a file as their base.

    Records and requests contain rules in JSON.
    """
    data = load_rules("micro-yahtzee").model_dump(mode="json")
    with pytest.raises(ValidationError, match="base"):
        Rules.model_validate(data | {"base": "yahtzee"})


class TestMistakes:
    @pytest.mark.parametrize(("text", "beginnings"), MISTAKES)
    def test_place_and_words(self, text: str, beginnings: list[str]) -> None:
        with pytest.raises(RulesError) as error:
            parse_rules(text)
        found = error.value.mistakes
        assert len(found) == len(beginnings), found
        for mistake, beginning in zip(found, beginnings, strict=True):
            assert mistake.startswith(beginning)

    def test_a_circle_of_files(self, tmp_path: Path) -> None:
        for name, base in (("a", "b"), ("b", "c"), ("c", "a")):
            text = f'name = "x"\ntitle = "X"\nbase = "{base}.toml"\n'
            (tmp_path / f"{name}.toml").write_text(text)
        with pytest.raises(RulesError) as error:
            load_rules(tmp_path / "a.toml")
        assert error.value.where.endswith(f"c.toml, the base of {tmp_path / 'b.toml'}")
        assert error.value.mistakes == [
            "line 3, base: these files use each other as bases (a.toml → b.toml → c.toml → "
            "a.toml); base one of them on a preset instead"
        ]

    def test_a_chain_that_is_too_long(self, tmp_path: Path) -> None:
        for number in range(MAX_BASES + 2):
            text = f'base = "{number + 1}.toml"\nname = "x"\ntitle = "X"\n'
            (tmp_path / f"{number}.toml").write_text(text)
        with pytest.raises(
            RulesError, match=f"base: expected at most {MAX_BASES} files in a chain"
        ):
            load_rules(tmp_path / "0.toml")

    def test_mistakes_in_the_base_have_the_lines_of_the_base(self, tmp_path: Path) -> None:
        (tmp_path / "house.toml").write_text(f"{HEAD}\nrolls = 0\n")
        guest = tmp_path / "guest.toml"
        guest.write_text('base = "house.toml"\nname = "guest"\ntitle = "Guest"\n')
        with pytest.raises(RulesError) as error:
            load_rules(guest)
        assert error.value.where == f"{tmp_path / 'house.toml'}, the base of {guest}"
        assert error.value.mistakes == [
            "line 5, rolls: expected a whole number of 1 or more, got 0"
        ]
