"""A program that uses rollwise in the same way as other people's programs.

It is run and type-checked in an environment where only the wheel is installed.
"""

from pathlib import Path
from typing import assert_type

from rollwise import (
    Distribution,
    Evaluation,
    Keep,
    Review,
    Rules,
    Score,
    Solution,
    evaluate,
    load_rules,
    review,
    solve,
)
from rollwise.errors import InputError

rules = assert_type(load_rules("crag"), Rules)
solution: Solution = solve(rules)
value = assert_type(solution.value(), float)
best = solution.options("336 | card -")[0]
action = assert_type(best.action, Keep | Score)

greedy = assert_type(evaluate("greedy", "crag"), Evaluation)
distribution = assert_type(greedy.distribution, Distribution)
if not distribution.mean < value:
    raise SystemExit("expected best play to be worth more than another")

reviews = assert_type(list(review("players: Ada\nrules: crag\n336 6 556 13")), list[Review])

try:
    load_rules(Path("nowhere.toml"))
except InputError as error:
    print(error)
else:
    raise SystemExit("expected a file that is not there to be refused")
print(f"{rules}: {value:.4f}, best {action}, {len(reviews)} reviewed")
