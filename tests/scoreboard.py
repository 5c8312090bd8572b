"""Generate the table in ``docs/scoreboard.md``: expected scores and reported results.

    python tests/scoreboard.py          # print the table
    python tests/scoreboard.py --write  # update the page

The reported results are in ``docs/scoreboard.toml``.
"""

import re
import sys
import tomllib

from repository import DOCS
from rollwise import load_rules, parse_strategy, solve
from rollwise.evaluation.evaluate import evaluate

PAGE = DOCS / "scoreboard.md"
MARK = re.compile(r"(?<=<!-- python tests/scoreboard.py -->\n).*?(?=<!-- end -->)", re.DOTALL)
OURS = ("one-page", "greedy-average")
"""The best strategies that need no solved game; the page on strategies lists all strategies."""


def printed() -> str:
    """Return the table in Markdown, grouped by rules; players with unknown rules come last."""
    agents = tomllib.loads((DOCS / "scoreboard.toml").read_text("utf-8"))["agents"]
    names = dict.fromkeys(agent.get("rules") for agent in agents)
    lines = ["| player | points | games | source |", "| --- | --- | --- | --- |"]
    for name in sorted(names, key=lambda name: name is None):
        reported = [agent for agent in agents if agent.get("rules") == name]
        if name is None:
            lines.append("| **Other rules** | | | |")
        else:
            best = solve(load_rules(name)).value()
            lines.append(f"| **{load_rules(name).title}: best play** | **{best:.4f}** | exact | |")
        lines += [
            f"| {agent['agent']} | {agent['reported']} | {agent.get('games', '')} "
            f"| {agent['source']} |"
            for agent in reported
        ]
        for ours in OURS if name == "yahtzee" else ():
            mean = evaluate(parse_strategy(ours), load_rules(name), cache=True).distribution.mean
            lines.append(f"| `{ours}` | {mean:.4f} | exact | `rollwise report --strategy {ours}` |")
    return "\n" + "\n".join(lines) + "\n\n"


if __name__ == "__main__":
    if "--write" in sys.argv:
        PAGE.write_text(MARK.sub(lambda _: printed(), PAGE.read_text("utf-8")), "utf-8")
    else:
        print(printed())
