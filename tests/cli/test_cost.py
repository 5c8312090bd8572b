"""Check that commands print what a long solve takes before it begins, and only then."""

import re
from pathlib import Path

import pytest

from commands import run
from games_with_layers import small_maxi
from rollwise.rules.loader import load_rule_file
from rollwise.rules.writer import written_out
from rollwise.solving import cost

SMALL = ("--rules", "micro-yahtzee")


@pytest.fixture(autouse=True)
def long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Take every solve for a long one, and begin with an empty cache."""
    monkeypatch.setattr(cost, "LONG", 0.0)
    monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path / "cache"))


def notes(*command: str) -> list[str]:
    code, _, err = run(*command)
    assert code == 0, err
    return err.splitlines()


@pytest.mark.parametrize(
    "command", [("solve",), ("advise",), ("report",), ("simulate", "--games", "10")]
)
def test_the_cost_is_printed_once(command: tuple[str, ...]) -> None:
    (note,) = notes(*command, *SMALL)
    assert re.fullmatch(
        r"Solving micro-yahtzee takes about 1 second on \d+ cores?, [\d.]+ k?B of memory, "
        r"and [\d.]+ k?B of disk space\. The result is saved\.",
        note,
    )
    assert notes(*command, *SMALL) == [], "the result is cached"


def test_quiet_commands_print_no_cost() -> None:
    assert notes("solve", *SMALL, "--quiet") == []


def test_a_short_solve_prints_no_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cost, "LONG", 10.0)
    assert notes("solve", *SMALL) == []


def test_without_a_cache_nothing_is_saved() -> None:
    (note,) = notes("solve", *SMALL, "--no-cache")
    assert note.endswith("B of memory.")


def test_targets_are_announced() -> None:
    notes("solve", *SMALL)
    *_, note = notes("advise", *SMALL, "--objective", "target:30")
    assert note.startswith("Solving micro-yahtzee for target:30 takes about ")
    assert note.endswith("B of memory. The first turns are saved.")
    *_, note = notes("frontier", "restart", "30", *SMALL)
    assert note.startswith("Solving micro-yahtzee for target:30 takes about ")


def test_large_games_say_what_is_saved_and_how_to_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rollwise.solving.values.SMALL", 0)
    text = written_out(load_rule_file("maxi-yatzy").data | {"name": "small"})
    head, *categories = text.split("[[categories]]")
    rules = tmp_path / "small.toml"
    rules.write_text("[[categories]]".join([head, *categories[:5]]))
    (first,) = notes("solve", "--rules", str(rules))
    assert " and up to " in first
    stop = "If you stop with Ctrl-C, the same command continues."
    assert first.endswith(f"of disk space. The first turns are saved. {stop}")
    (second,) = notes("solve", "--rules", str(rules), "--save")
    assert second.endswith(f"of disk space. All turns are saved. {stop}")
    assert notes("solve", "--rules", str(rules), "--save") == []
    (files,) = (tmp_path / "cache").rglob("*.layers")
    assert len(list(files.glob("layer-*.npy"))) == 5


def test_only_missing_layers_count() -> None:
    game = cost.cost_of(small_maxi())
    layers = range(5)
    assert game.core_seconds() == pytest.approx(sum(game.core_seconds([n]) for n in layers))


def test_the_cheaper_game_is_named(caplog: pytest.LogCaptureFixture) -> None:
    from rollwise.rules import load_rules
    from rollwise.solving.objectives import EXPECTED

    caplog.set_level("INFO", "rollwise.cost")
    game = cost.cost_of(load_rules("maxi-yatzy"))
    game.announce(EXPECTED, range(20), 2, cached=True, whole=False)
    assert caplog.messages == [
        "Solving maxi-yatzy takes about 5 minutes on 2 cores, 6.9 GB of memory, and up to 6.9 GB "
        "of disk space. The first turns are saved. If you stop with Ctrl-C, the same command "
        "continues. A faster game is maxi-yatzy-no-saving."
    ]
