"""Check the limits of TOML files: their size, keys, depth, and the number of reported mistakes."""

import time
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from rollwise.decision_analysis import load_decision
from rollwise.decision_analysis.decision_file import parse_decision
from rollwise.errors import InputError
from rollwise.experiments.rule_grid import parse_grid
from rollwise.rules import RulesError, load_rules, parse_rules
from rollwise.settings import default_rules
from rollwise.toml_files import MAX_BYTES, MAX_PARTS, parse_toml

GAME = 'name = "game"\ntitle = "Game"\ndice = 2\nfaces = 6\nrolls = 2\n'
LONG = ".".join(["a"] * (MAX_PARTS + 1))


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "file.toml"
    monkeypatch.setenv("ROLLWISE_SETTINGS", str(path))
    return path


def settings(_: Path) -> object:
    return default_rules()


Reader = Callable[[Path], object]
READERS = [load_rules, load_decision, settings]


@pytest.mark.parametrize("read", READERS)
def test_files_of_any_kind_have_the_limits(path: Path, read: Reader) -> None:
    path.write_text("#" * (MAX_BYTES + 1))
    with pytest.raises((InputError, OSError), match="it can have at most 65,536 bytes"):
        read(path)
    path.write_text(f"title = 1\n{LONG} = 1\n")
    reason = (
        "not name a default game" if read is settings else "line 2: a key can have at most 20 parts"
    )
    with pytest.raises(InputError, match=reason):
        read(path)
    for nested in ("[" * 20_000, f"{'{a.a = ' * 1000}1{'}' * 1000}", f"{'[' * 60}{']' * 60}"):
        path.write_text(f"\ufeffrules = {nested}", "utf-8")
        with pytest.raises(
            InputError, match="name a default game" if read is settings else "nested too deeply"
        ):
            read(path)


@pytest.mark.parametrize("parse", [parse_rules, parse_decision, parse_grid])
def test_a_text_that_is_too_large(parse: Callable[[str], object]) -> None:
    with pytest.raises(InputError, match="it can have at most 65,536 characters"):
        parse("#" * (MAX_BYTES + 1))


@pytest.mark.parametrize(
    "text",
    [
        f"[{LONG}]",
        f"[[ {LONG} ]]",
        f"x = {{ {LONG} = 1 }}",
        f"x = [1.5, {{ y = 1, {LONG} = 1 }}]",
        f'x = {{ y = """text"""", {LONG} = 1 }}',
        f"x = {{ y = '''text''', {LONG} = 1 }}",
        LONG.replace(".", " \t. ") + " = 1",
        LONG.replace("a", '"a"') + " = 1",
        LONG.replace("a", "'#'") + " = 1",
    ],
)
def test_keys_of_many_parts(text: str) -> None:
    with pytest.raises(InputError, match=r"^line 3: a key can have at most 20 parts$"):
        parse_toml(f"title = '''\n'''\n{text}\n")
    assert tomllib.loads(text)


@pytest.mark.parametrize(
    "text",
    [
        "x = 1.5 # " + LONG,
        f'x = "{LONG}"',
        f"x = '{LONG}'",
        f'x = """\n{LONG} = 1\n"""',
        f"x = '''\n{LONG} = 1\n'''",
        f'x = "\\"{LONG}"',
        f"x = [{', '.join(['1.5'] * 100)}]",
        "\n".join(f"x{n}.y = 1.5" for n in range(100)),
        f'"{LONG}" = 1',
        LONG.removesuffix(".a") + " = 1",
    ],
)
def test_dots_elsewhere(text: str) -> None:
    assert parse_toml(text) == tomllib.loads(text)


def test_text_that_looks_like_a_long_key_has_no_cost() -> None:
    with pytest.raises(RulesError, match="line 6, color: no such key"):
        parse_rules(f'{GAME}color = """\n{LONG * 1500} = 1\n"""')


def test_the_first_20_mistakes_are_described() -> None:
    words = "".join(f"word{number} = 1\n" for number in range(50))
    with pytest.raises(RulesError, match="rules: 51 mistakes in the rules\n  cat") as error:
        parse_rules(GAME + words)
    assert error.value.mistakes[19:] == ["line 24, word18: no such key", "and 31 more"]


def repeated(head: str, item: str, tail: str = "") -> str:
    """Return a text of almost 64 kB in which an item is repeated; ``#`` becomes a number."""
    number = (MAX_BYTES - len(head + tail)) // (len(item) + 4 * item.count("#"))
    return head + "".join(item.replace("#", str(index)) for index in range(number)) + tail


MANY_WORDS = f"{{{', '.join(f'a{number}=1' for number in range(100))}}},"
CATEGORY = '[[categories]]\nkey = "a"\ntitle = "A"\npoints = 1\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (repeated(GAME, "a#=1\n"), "the file: expected at most 100 items, got "),
        (repeated(GAME, "[[categories]]\n"), "line 6, categories: expected at most 100 items"),
        (repeated(f"{GAME}categories = [", "{},", "]"), "line 6, categories: expected at most 100"),
        (
            repeated(f'{GAME}base = "yahtzee"\nremove = [', '"",', "]"),
            "line 7, remove: expected at most 100 items",
        ),
        (
            repeated(f"{GAME}{CATEGORY}pattern.of = [", "1,", "]"),
            "line 10, a.pattern.of: expected at most 100 items",
        ),
        (
            f'{GAME}{CATEGORY}"{"a." * 32_000}" = 1',
            "line 6, a: expected keys of at most 100 characters, got 'a.a.",
        ),
        (f"{GAME}categories = [{MANY_WORDS * 90}]", "and 9,340 more"),
    ],
)
def test_mistakes_are_found_quickly(text: str, words: str) -> None:
    before = time.process_time()
    with pytest.raises(RulesError) as error:
        parse_rules(text)
    assert words in str(error.value)
    assert time.process_time() < before + 2
