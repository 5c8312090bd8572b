"""The picture of the mean and the SD of strategies, drawn from the table on its page."""

import re
from pathlib import Path

from directives.pictures import figure, points

PAGE = Path(__file__).parents[1] / "targets-and-risk.md"
ROW = re.compile(r"^\| (\d+|∞) \| ([\d.]+) \| ([\d.]+) \|$", re.MULTILINE)
ENDS = {0: "least variance", -1: "optimal play"}


def rows() -> list[tuple[str, float, float]]:
    """Return the target, the mean, and the SD of each row of the table."""
    table = PAGE.read_text("utf-8").partition("| target | mean | SD |")[2]
    return [(aim, float(mean), float(sd)) for aim, mean, sd in ROW.findall(table)]


def frontier() -> str:
    """Return a picture with a point for each row."""
    named = [(aim, sd, mean) for aim, mean, sd in rows()]
    for end, name in ENDS.items():
        named[end] = f"{name} ({named[end][0]})", *named[end][1:]
    drawn = figure(
        points,
        named,
        alt="Points for the rows of the table. The mean rises steeply at an SD near 0, and slowly "
        "up to the highest mean.",
        across="SD of the final score",
        up="Mean of the final score",
    )
    return f"```{{raw}} html\n{drawn}\n```"
