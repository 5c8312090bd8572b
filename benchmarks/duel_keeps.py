"""Show how the best dice to keep depend on the score difference and the opponent's scorecard.

    python benchmarks/duel_keeps.py         # print the changes
    python benchmarks/duel_keeps.py --draw  # draw docs/images/duel-keeps.svg

The position is 44566 in Yahtzee with one reroll left, and with Yahtzee and Chance open. The output
has a line for each pair of open categories of the opponent, with the best action for each score
difference.
"""

import argparse
from itertools import groupby
from pathlib import Path

from rollwise import DuelSolver, Position, Scorecard, format_action, load_rules

RULES = load_rules("yahtzee")
BOXES = "ones=2,twos=6,threes=9,fours=12,fives=15,small-straight=30,large-straight=0"
OTHERS = {
    "Yahtzee, Chance": "sixes=18,full-house=25",
    "Yahtzee, Sixes": "full-house=25,chance=22",
    "Yahtzee, Full House": "sixes=18,chance=22",
}
"""The opponent's points in the other categories, by the names of the open categories."""

MINE = Scorecard(RULES, f"{BOXES},sixes=18,full-house=25,three-of-a-kind=20,four-of-a-kind=20")
POSITION = Position.of(MINE, (4, 4, 5, 6, 6), rolls_left=1)
PICTURE = Path(__file__).parent.parent / "docs" / "images" / "duel-keeps.svg"
COLORS = {
    "keep 66": "#4269d0", "keep 44": "#97bbf5", "keep 566": "#efb118", "keep 4566": "#ff725c",
    "score chance": "#6cc5b0",
}  # fmt: skip


def actions(rest: str) -> dict[int, str]:
    """Return the best action by score difference if the opponent has the points in ``rest``."""
    solver, best = DuelSolver(RULES), {}
    for kinds in range(60, 9, -1):
        points = f"three-of-a-kind={kinds // 2},four-of-a-kind={kinds - kinds // 2}"
        other = Scorecard(RULES, f"{BOXES},{rest},{points}")
        option = solver.solve(MINE, other, ties=False).options(POSITION)[0]
        best[MINE.points - other.points] = format_action(RULES, option.action)
    return best


def drawn(rows: dict[str, dict[int, str]]) -> str:
    """Return the rows as an SVG picture; score differences increase from left to right."""
    cell, height, left = 10, 26, 150
    differences = [difference for best in rows.values() for difference in best]
    low, high = min(differences), max(differences)
    width, bottom = left + (high - low + 1) * cell + 10, (len(rows) + 1) * height
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {bottom + 40}" role="img" '
        'font-family="sans-serif" font-size="13" aria-label="The best keep by lead and by what the '
        'opponent has open">',
        "<style>text{fill:#17202c}@media(prefers-color-scheme:dark){text{fill:#e6edf5}}</style>",
    ]
    for row, (name, best) in enumerate(rows.items()):
        lines.append(f'<text x="0" y="{row * height + 18}">{name}</text>')
        for difference, action in best.items():
            x = left + (difference - low) * cell
            lines.append(
                f'<rect x="{x}" y="{row * height + 3}" width="{cell}" '
                f'height="{height - 6}" fill="{COLORS[action]}"/>'
            )
    for difference in range(-20, high + 1, 10):
        x = left + (difference - low) * cell + cell // 2
        shown = f"{difference:+d}" if difference else "0"
        lines.append(f'<text x="{x}" y="{bottom - 8}" text-anchor="middle">{shown}</text>')
    for number, (action, color) in enumerate(COLORS.items()):
        x = left + number * 105
        lines.append(f'<rect x="{x}" y="{bottom + 10}" width="12" height="12" fill="{color}"/>')
        lines.append(f'<text x="{x + 17}" y="{bottom + 21}">{action}</text>')
    return "\n".join([*lines, "</svg>", ""])


def main() -> None:
    """Print the range of score differences for each best action; draw the ranges if requested."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draw", action="store_true")
    draw = parser.parse_args().draw
    rows = {name: actions(rest) for name, rest in OTHERS.items()}
    if draw:
        PICTURE.write_text(drawn(rows), encoding="utf-8")
    for name, best in rows.items():
        runs = groupby(sorted(best.items()), key=lambda item: item[1])
        ends = [(action, [difference for difference, _ in run]) for action, run in runs]
        changes = ", ".join(f"{action} {run[0]:+d}..{run[-1]:+d}" for action, run in ends)
        print(f"{name}: {changes}")


if __name__ == "__main__":
    main()
