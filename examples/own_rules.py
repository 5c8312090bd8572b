"""Solve a game from a rule file.

The script prints the expected score of the game, and the options of two positions:

    $ python examples/own_rules.py
    Three Categories: 29.07 expected points

    dice 446 | rolls-left 1 | card -
    option           EV  EV loss
    keep 46       28.23        –
    score pair    27.74     0.49
    keep 44       27.74     0.49
    keep 6        27.53     0.69
    keep 4        27.03     1.19
    score chance  26.97     1.25
    keep -        26.20     2.03
    score run     19.97     8.26

    dice 446 | rolls-left 1 | card pair=8
    option           EV  EV loss
    keep 46       27.30        –
    score chance  26.41     0.89
    keep 6        25.88     1.42
    keep 4        25.47     1.83
    keep -        24.68     2.62
    keep 44       23.91     3.39
    score run     20.75     6.55
"""

from pathlib import Path

from rollwise import solve

solution = solve(Path(__file__).with_name("three_categories.toml"))
print(f"{solution.rules}: {solution.value():.2f} expected points")

for line in ("446 | card -", "446 | card pair=8"):
    options = solution.options(line)
    print(f"\n{options.position}")
    print(options)
