"""Test the output of ``rollwise advise`` to a terminal, where it must fit, and to a pipe."""

import re

import pytest

from command_screens import shown
from commands import data_of, error_of, printed, run
from rollwise.rules import load_rules

LATE = (
    "ones=3,twos=6,threes=9,fours=12,three-of-a-kind=22,four-of-a-kind=0,full-house=25,"
    "small-straight=30,large-straight=40"
)
TARGET = "ones=3,twos=6,sixes=18,full-house=25,large-straight=40,yahtzee=0"
MICRO = ("--rules", "micro-yahtzee")


def options_in(text: str) -> list[str]:
    """Return the lines of the table of options in an output."""
    return re.findall(r"^(?:keep|score) .*[\d–]$", text, re.MULTILINE)


@pytest.mark.parametrize("size", [(80, 24), (40, 24)], ids=lambda size: "x".join(map(str, size)))
class TestTerminal:
    @pytest.mark.parametrize(
        ("arguments", "best"),
        [
            (("11366",), "keep 66"),
            (("11366", "--rolls-left", "1", "--card", LATE), "keep 66"),
            (("33345", "--card", TARGET, "--objective", "target:250"), "keep 333"),
        ],
    )
    def test_the_best_option_is_visible(
        self, arguments: tuple[str, ...], best: str, size: tuple[int, int]
    ) -> None:
        columns, rows = size
        text = shown(columns, rows, "advise", *arguments)
        assert f"Best: {best}," in text
        options = options_in(text)
        assert options[0].startswith(f"{best} ")
        assert 3 <= len(options) <= 10
        (hidden, total) = re.findall(r"^… and (\d+) more: --top (\d+)$", text, re.MULTILINE)[0]
        assert int(hidden) + len(options) == int(total)
        assert text.startswith("Yahtzee, free-choice jokers")  # nothing has scrolled away

    def test_advice_against_an_opponent_who_responds(self, size: tuple[int, int]) -> None:
        columns, rows = size
        duel = ("--objective", "beat", "--opponent", "ones=3", "--opponent-strategy", "duel")
        text = shown(columns, rows, "advise", "11366", *duel)
        assert text.startswith("Yahtzee, free-choice jokers")
        options = re.findall(r"^(?:keep|score) .*%$", text, re.MULTILINE)
        assert options[0].startswith("keep 66 ")
        assert len(options) >= 3
        notes = text.partition("Near-optimal")[2]
        assert "percentage points on average" in " ".join(notes.split())  # no word is broken

    def test_keys_are_never_broken(self, size: tuple[int, int]) -> None:
        columns, rows = size
        command = ("advise", "11366", "--rolls-left", "0", "--card", "ones=3,four-of-a-kind=20")
        text = shown(columns, rows, *command, "--no-explain")
        keys = set(load_rules("yahtzee").keys) - {"ones", "four-of-a-kind"}
        offered = {option.split()[1] for option in options_in(text)}
        assert len(offered) == 10
        assert offered <= keys
        assert "four-of-a-kind=20" in text

    def test_top_asks_for_more(self, size: tuple[int, int]) -> None:
        columns, _ = size
        text = shown(columns, 60, "advise", "11366", "--top", "30", "--no-explain")
        assert len(options_in(text)) == 30
        assert "more" not in text

    def test_quiet_leaves_the_table(self, size: tuple[int, int]) -> None:
        text = shown(*size, "advise", "11366", "-q")
        first, *lines = text.splitlines()
        assert first.split() == ["option", "EV", "SD", "EV", "loss"]
        assert options_in(text) == lines


def test_a_low_terminal_shows_three_options() -> None:
    text = shown(80, 9, "advise", "11366", "--no-explain")
    assert len(options_in(text)) == 3
    assert "… and 27 more: --top 30" in text


class TestPipe:
    def test_all_options(self) -> None:
        out = printed("advise", "11366")
        assert len(options_in(out)) == 30
        assert "more" not in out
        assert out.splitlines()[-1].startswith("score small-straight ")
        assert len(data_of("advise", "11366")["options"]) == 30

    def test_several_words_are_one_roll(self) -> None:
        assert run("advise", "1", "1", "3", "6", "6") == run("advise", "11366")

    @pytest.mark.parametrize(
        ("objective", "headings"),
        [
            ("expected", ["option", "EV", "SD", "EV loss"]),
            ("worst-case", ["option", "guaranteed", "EV", "SD", "loss"]),
            ("best-case", ["option", "best case", "EV", "SD", "loss"]),
            ("target:20", ["option", "probability", "EV", "loss"]),
            ("beat:20", ["option", "P(win)", "EV", "loss"]),
            ("exponential:-0.1", ["option", "CE", "EV", "SD", "loss"]),
            ("mean-variance:0.1", ["option", "value", "EV", "loss"]),
            ("least-variance", ["option", "variance", "EV", "loss"]),
        ],
    )
    def test_headings(self, objective: str, headings: list[str]) -> None:
        out = printed("advise", "4", *MICRO, "--objective", objective, "-q")
        assert re.split(r"  +", out.splitlines()[0]) == headings


class TestScorecard:
    """Tests of ``rollwise advise`` without dice."""

    def test_text(self) -> None:
        out = printed("advise", "--card", "double=4", *MICRO)
        value = "Expected final score: 19.166667 (SD 12.2122)\n"
        assert out == f"Micro Yahtzee: scorecard double=4\n{value}"
        assert printed("advise", "--card", "double=4", *MICRO, "-q") == value

    def test_json(self) -> None:
        data = data_of("advise", "--card", "double=4", *MICRO)
        assert list(data) == ["rules", "card", "value", "sd", "objective"]
        assert data["value"] == pytest.approx(115 / 6)

    def test_against_opponents(self) -> None:
        card = ("advise", *MICRO, "--card", "double=6", "--objective")
        beat = (*card, "beat", "--opponent", "double=6,square=9")
        opponent = "Opponent: scorecard double=6,square=9, strategy optimal, expected score 15.00"
        assert opponent in printed(*beat)
        data = data_of(*beat)
        assert data["opponents"][0]["mean"] == 15
        assert data["value"] == data_of(*card, "beat:15")["value"]


def test_the_command_in_an_error_works() -> None:
    duel = ("--objective", "beat", "--opponent-strategy", "duel", "--opponent", "square=16")
    error = error_of("advise", *MICRO, "--card", "double=6", *duel)
    command = error.partition("run: rollwise ")[2]
    assert command == "duel --rules micro-yahtzee --card double=6 --opponent square=16"
    printed(*command.split())


def test_the_help_names_the_defaults() -> None:
    words = " ".join(re.sub("[│╭╮╰╯─]", " ", printed("advise", "--help")).split())
    for default in ("10 on a terminal", "on a terminal", "optimal"):
        assert f"(default: {default})" in words
