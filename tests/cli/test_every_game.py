"""Check that every command succeeds or prints an expected error for every preset.

To save time, most tests use a brief version of each game with about five categories.
"""

import re
from collections.abc import Callable
from functools import cache, partial

import pytest

from commands import every_command, run
from games import KINDS, at_random, play
from rollwise.game.actions import Roll
from rollwise.game.dice_notation import format_dice
from rollwise.history import History, new_id
from rollwise.model import classes
from rollwise.model.classes import exceeds_table
from rollwise.reviews.review import review
from rollwise.rules import load_rules, preset_names
from rollwise.rules.loader import load_rule_file
from rollwise.rules.writer import written_out
from rollwise.solving.solver import solve

GAME = [
    "advise DICE --rules RULES",
    "advise DICE --rules RULES --rolls-left 0 --json",
    "duel --rules RULES --estimate",
    "solve --estimate --rules RULES",
    "solve --rules RULES",
    "report --rules RULES --at 10,100",
    "report --rules RULES --plot FOLDER",
    "simulate commonest-face --rules RULES --games 20 -o FOLDER/log.csv",
    "simulate optimal --versus greedy --rules RULES --transcript",
    "greedy DICE --rules RULES",
    "payoff-line --rules RULES",
    "payoff-line DICE --rules RULES",
    "report --openings --rules RULES",
    "tree --rules RULES",
    "report --worst --rules RULES",
    "report --worst --dice adversarial --rules RULES",
    "rules show RULES",
    "rules check FILE",
    "rules new FOLDER/new.toml --base RULES --force",
    "play --rules RULES",
    "review RECORD --rules FILE --html FOLDER/game.html --save --database BASE",
    "history import RECORD --rules FILE --database BASE",
    "history list --database BASE",
    "history show ID --database BASE",
    "history export FOLDER/games.jsonl --database BASE",
    "history rating --name Ada --rules RULES --database BASE",
    "practice --rules RULES --database BASE",
    "pocket --rules RULES -o FOLDER/game.html",
]
"""Commands that take seconds for a full game."""

MORE = [
    "report --rules RULES --strategy random-category --json",
    "compare random-category optimal --rules RULES --games 4 --plot FOLDER/compare.svg",
    "compare random-category --rules RULES --games 4",
    "sweep --rules RULES --rolls 1-2 --strategy random-category",
    "frontier targets --rules RULES --plot FOLDER",
    "frontier variance --rules RULES --plot FOLDER",
    "frontier restart 10 --rules RULES",
    "tournament --players 10 --rules RULES",
    "report --rules RULES --objective target:30",
    "advise DICE --rules RULES --objective beat:optimal",
    "solve --rules RULES --objective exponential:0.01",
    "solve --rules RULES --objective least-variance",
    "solve --rules RULES --objective worst-case",
    "solve --rules RULES --objective best-case",
]
"""Commands that can take minutes for a full game."""

OF_NO_GAME = {
    "cache", "cache clear", "cache path", "decide", "odds", "history check",
    "history delete", "rules list", "rules use", "verify",
    "mcp", "web",  # run until they are stopped
}  # fmt: skip

EVERY = preset_names()
SAVING = frozenset(name for name in EVERY if load_rules(name).carries_rolls)
MIXED = frozenset(name for name in EVERY if load_rules(name).other_dice)
COLUMNS = frozenset(name for name in EVERY if load_rules(name).columns)
UNLISTED = frozenset(name for name in EVERY if exceeds_table(load_rules(name)))

PICTURED = {"balut", "crag", "kismet", "kniffel-extreme", "maxi-yatzy", "yahtzee-1956"}
"""Games whose plots are tested. A plot depends only on the distribution, categories, and bonuses.
"""

FEW = {"crag", "generala", "maxi-yatzy", "yahtzee-1956", "yamb-up"}
"""Games whose brief versions the commands in ``MORE`` are tested with in each run."""

FULL = ("balut", "generala", "kismet", "yamb-up", "yahtzee-1956")
"""One game with slots, one with points by roll, one with bonus steps, one with a fixed order of
categories, and one with jokers."""

REFUSALS = [
    ("play", frozenset(EVERY), "needs a terminal"),  # tested in test_terminal.py
    # The strategy needs upper categories, n of a kind, straights, and fixed points ...
    ("payoff-line", frozenset({"kismet", "kismet-alike", "yacht"}), "no payoff for the category"),
    # ... dice with equal numbers of faces ...
    ("payoff-line", MIXED, "because its dice differ"),
    # ... and at least two data points for the regression line.
    ("payoff-line --rules", frozenset({"micro-yahtzee"}), "no payoff line"),
    ("tree", SAVING, "change the length of a turn"),
    ("pocket", SAVING | MIXED | COLUMNS - UNLISTED, "the offline page does not support"),
    ("pocket", UNLISTED, "is too large for an offline page"),
    *(
        (line, UNLISTED, "fit in a table")
        for line in (
            "duel", "report --rules", "report --worst --rules", "sweep", "frontier", "tournament",
            "advise DICE --rules RULES --objective", "solve --rules RULES --objective",
        )
    ),
]  # fmt: skip
"""The expected errors: the beginning of the command line, the presets, and words in the error
message."""

IN_FULL = [
    (
        "payoff-line",
        frozenset(n for n in EVERY if n.startswith(("balut", "maxi", "yacht", "yamb", "yatzy"))),
        "no payoff for the category",
    ),
]
"""The expected errors of full games only, which are due to categories that the brief versions lack.
"""


def in_brief(text: str) -> str:
    """Return a rule file with only the first and last categories of each section."""
    text, _, _ = text.partition("[[disputed]]")  # rule variants, which can be full games
    head, *categories = text.split("[[categories]]")
    upper = [category for category in categories if '"upper"' in category]
    lower = [category for category in categories if '"upper"' not in category]
    few = [*upper[:1], *upper[-1:], *lower[:1], *lower[-2:]]
    if "[[other_dice]]" in head:  # a turn has thousands of rolls
        few = [*upper[-1:], *lower[:1], *lower[-1:]]
    head = re.sub(r"threshold = (\d+)", lambda found: f"threshold = {int(found[1]) // 6}", head)
    head = re.sub(r'^name = "(.*)"', r'name = "\1-in-brief"', head)
    return "[[categories]]".join([head, *(category for category in categories if category in few)])


Values = Callable[[str, bool], dict[str, str]]


@pytest.fixture(scope="module")
def values(tmp_path_factory: pytest.TempPathFactory) -> Values:
    """Return the function that returns the values of the placeholders, computed once per game."""
    return cache(partial(values_of, tmp_path_factory))


def values_of(folders: pytest.TempPathFactory, name: str, brief: bool) -> dict[str, str]:
    """Return the values of the placeholders in command lines, after saving one finished game."""
    folder = folders.mktemp(name)
    text = written_out(load_rule_file(name).data)
    file = folder / "rules.toml"
    file.write_text(in_brief(text) if brief else text, encoding="utf-8")
    rules = load_rules(file)
    game = play(rules, ["Ada"], 1, at_random(1))
    (folder / "game.txt").write_text(str(game), encoding="utf-8")
    base, id = f"sqlite:///{folder}/games.sqlite", new_id()
    with History(base) as history:
        saved_at = history.save(id, game)
        history.keep_reviews(id, review(game, solve(rules, on_disk=True)), saved_at)
    return {
        "RULES": str(file) if brief else name,
        "FILE": str(file),
        "DICE": next(
            format_dice(rules, roll.dice) for roll in game.events if isinstance(roll, Roll)
        ),
        "FOLDER": str(folder),
        "RECORD": str(folder / "game.txt"),
        "BASE": base,
        "ID": id,
    }


def refusal(name: str, line: str, brief: bool) -> str | None:
    """Return words in the error that a command line must print; None if it must succeed."""
    for start, names, words in [*REFUSALS, *([] if brief else IN_FULL)]:
        if line.startswith(start) and name in names:
            return words
    return None


def check(values: Values, name: str, line: str, brief: bool) -> None:
    """Check that a command line succeeds, or prints the expected error."""
    known, refused = values(name, brief), refusal(name, line, brief)
    arguments = [re.sub("[A-Z]{2,}", lambda word: known[word[0]], part) for part in line.split()]
    code, out, err = run(*arguments)
    if refused is None:
        assert code == 0, err
        assert out or err
    else:
        assert (code, out) == (2, "")
        assert refused in err
        assert err.startswith("error: ")
        assert err.count("\n") == 1


BRIEF = [
    pytest.param(
        name, line, id=f"{name}-{line}",
        marks=[] if name in kinds else pytest.mark.slow,
    )
    for name in EVERY
    for lines, kinds in ((GAME, KINDS), (MORE, FEW))
    for line in lines
    for line in [line if name in PICTURED else line.partition(" --plot")[0]]
]  # fmt: skip


@pytest.mark.parametrize(("name", "line"), BRIEF)
def test_in_brief(name: str, line: str, values: Values, monkeypatch: pytest.MonkeyPatch) -> None:
    if name in UNLISTED:  # the brief version would fit into a table
        monkeypatch.setattr(classes, "MAX_JOINT", 1000)
    check(values, name, line, brief=True)


@pytest.mark.slow
@pytest.mark.parametrize("line", GAME)
@pytest.mark.parametrize("name", FULL)
def test_in_full(values: Values, name: str, line: str) -> None:
    check(values, name, line, brief=False)


def test_every_command_is_tested() -> None:
    tried = {
        name
        for name, _ in every_command()
        if any(line.startswith(f"{name} ") for line in [*GAME, *MORE])
    }
    assert tried == {name for name, _ in every_command()} - OF_NO_GAME
