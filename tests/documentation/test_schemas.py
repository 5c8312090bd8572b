"""Check that the JSON output of commands matches the schemas in the documentation."""

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from commands import every_command, parameters, run
from console import COMMANDS, reader
from repository import DOCS

TINY = "--rules micro-yahtzee"
QUICK = f"""
advise 3 {TINY} --explain
advise {TINY} --objective target:20
advise {TINY} --objective beat --opponent square=16
advise --objective beat {TINY} --opponent-strategy duel --opponent square=1 --card double=2 3
cache
odds large-straight --hand 12346
odds 3-of-a-kind --dice 3 --matrices --exact
odds sum --dice 2 --rolls 2
odds large-straight --simulate 100
compare optimal greedy {TINY} --games 10
decide bet.toml
decide plant.toml --exact
duel --opponent -
duel {TINY} --value-only
duel {TINY} --estimate
frontier restart 30 {TINY}
frontier targets {TINY} --at 20
frontier variance {TINY}
greedy 11366
history check
history list
history show u2Kq8fJxPz0a
practice --puzzle 2026-11-22
report {TINY} --at 10,20
report {TINY} --openings
report {TINY} --worst --dice adversarial
rules list
rules show my-game.toml
rules use
rules use my-game.toml
simulate greedy {TINY} --games 10
simulate optimal --versus greedy {TINY} --games 2 --transcript
solve {TINY}
solve --estimate {TINY}
solve --estimate {TINY} --players 2
sweep {TINY} --rolls 1-2
tournament --players 3 {TINY}
tree {TINY}
verify blog
"""
LONG = f"""
advise --objective beat --opponent-strategy duel --opponent - 11366
advise --objective beat {TINY} --opponent square=16 --card double=6 3
advise 336 --rules crag --objective target:150
payoff-line
payoff-line 66453 --rolls-left 1
payoff-line --rolls-left 2 --variant published --state 2
payoff-line --chain of-a-kind --state 2
report --rules crag --strategy random
report --worst --rules crag
review game.txt
"""


@pytest.fixture(scope="module")
def schema() -> Callable[[str], dict[str, Any]]:
    """Return the function that returns the schema of a command, from the documentation's folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(DOCS))
        from directives.schemas import schema
    return schema


def commands_of(lines: str) -> list[str]:
    return lines.strip().splitlines()


@pytest.mark.parametrize(
    "line",
    [
        *commands_of(QUICK),
        *(pytest.param(line, marks=pytest.mark.slow) for line in commands_of(LONG)),
    ],
)
def test_output_matches_the_schema(
    line: str, schema: Callable[[str], dict[str, Any]], tmp_path: Path
) -> None:
    with reader(tmp_path):
        code, out, err = run(*shlex.split(line), "--json")
    assert code == 0, err
    words = max((name for name in COMMANDS if f"{line} ".startswith(f"{name} ")), key=len)
    jsonschema_rs.validator_for(schema(words)).validate(json.loads(out))


def test_there_is_a_schema_for_each_command_that_writes_json() -> None:
    wanted = {
        name
        for name, command in every_command()
        if any("--json" in parameter.names for parameter in parameters(command))
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(DOCS))
        from directives.shapes import DOCUMENTS
    assert set(DOCUMENTS) == wanted


def test_unknown_keys_are_refused(schema: Callable[[str], dict[str, Any]]) -> None:
    of_value = jsonschema_rs.validator_for(schema("advise"))
    data = {"rules": "crag", "card": "-", "value": 1.5, "sd": None, "objective": "expected"}
    assert of_value.is_valid(data)
    assert not of_value.is_valid(data | {"more": 1})
    assert not of_value.is_valid({key: value for key, value in data.items() if key != "value"})
