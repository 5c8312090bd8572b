"""Test that statistics and advice state how optimal play breaks ties."""

import pytest

from commands import run
from rollwise.rules import load_rules

GAME = ("--rules", "micro-yahtzee")


@pytest.mark.parametrize(
    "command",
    [("report",), ("report", "--at", "20"), ("report", "--openings")],
)
def test_statistics_state_the_rule_for_ties(command: tuple[str, ...]) -> None:
    out = " ".join(run(*command, *GAME)[1].split())
    assert "another choice can change the distribution" in out
    assert "optimal play takes the one that keeps more dice" in out


@pytest.mark.parametrize(
    "command",
    [
        ("compare", "optimal", "--games", "2"),
        ("simulate", "optimal", "--versus", "optimal", "--games", "2"),
        ("simulate", "--games", "2"),
        ("sweep", "--rolls", "1"),
    ],
)
def test_other_commands_print_only_their_result(command: tuple[str, ...]) -> None:
    code, out, _ = run(*command, *GAME)
    assert (code, "another choice" in out) == (0, False)


def test_advice_names_tied_options() -> None:
    others = [key for key in load_rules("crag").keys if key != "crag"]
    card = ("--card", ",".join(f"{key}=0" for key in others))
    tied, plain = (run("advise", dice, *card, "--rules", "crag")[1] for dice in ("246", "355"))
    assert " or " in tied.partition("Best: ")[2].partition(",")[0]
    assert " or " not in plain.partition("Best: ")[2].partition(",")[0]
