"""Generate the printable page of the strategy ``one-page`` from the strategy's data.

    python tests/one_page_sheet.py          # print the page
    python tests/one_page_sheet.py --write  # update docs/one-page.md

The text of the page's lines comes from :meth:`rollwise.strategies.one_page.PageLine.words`.
"""

import re
import sys
from pathlib import Path

from rollwise import load_rules
from rollwise.strategies.one_page import BOXES, FACES, PACES, Page, load_page

SHEET = Path(__file__).parent.parent / "docs" / "one-page.md"
MARK = re.compile(r"(?<=<!-- python tests/one_page_sheet.py -->\n).*?(?=<!-- end -->)", re.DOTALL)


def printed(page: Page) -> tuple[str, str]:
    """Return the tables of a page in Markdown: the dice to keep, and the values of categories."""
    titles = {category.key: category.title for category in load_rules("yahtzee").categories}
    keep = ["| keep | if |", "| --- | --- |"]
    keep += [f"| {' | '.join(line.words())} |" for line in page.lines]
    keep.append("| nothing: roll all dice again | |")
    score = [
        f"| | {' | '.join(titles[key] for key in BOXES[:FACES])} |",
        f"| --- |{' ---: |' * FACES}",
    ]
    for pace, upper_F_N in zip(PACES, page.upper_W_F_N.tolist(), strict=True):
        for number, values in enumerate(zip(*upper_F_N, strict=True)):
            score.append(f"| {pace} {number} | {' | '.join(map(str, values))} |")
    score += ["", "| | with points | with nothing |", "| --- | --- | ---: |"]
    for key in BOXES[FACES:]:
        price, zero = page.price[key], page.zero[key]
        with_points = f"points {'−' if price > 0 else '+'} {abs(price)}"
        score.append(f"| {titles[key]} | {with_points} | {zero if key != 'chance' else ''} |")
    return in_markdown(keep), in_markdown(score)


def in_markdown(lines: list[str]) -> str:
    """Return lines between empty lines, with minus signs."""
    return "\n".join(["", *lines, "", ""]).replace("-", "−").replace("−−−", "---")


if __name__ == "__main__":
    if "--write" in sys.argv:
        text = SHEET.read_text(encoding="utf-8")
        tables = iter(printed(load_page()))
        SHEET.write_text(MARK.sub(lambda _: next(tables), text), encoding="utf-8")
    else:
        print(*printed(load_page()))
