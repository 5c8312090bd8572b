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


def printed(page: Page) -> str:
    """Return the lists of a page in Markdown."""
    titles = {category.key: category.title for category in load_rules("yahtzee").categories}
    lines = ["", "| | keep | if |", "| --- | --- | --- |"]
    for number, line in enumerate(page.lines, start=1):
        keep, condition = line.words()
        lines.append(f"| {number} | {keep} | {condition} |")
    lines += [f"| {len(page.lines) + 1} | nothing: roll all dice again | |", ""]
    heads = [f"{pace} {number}" for pace in PACES for number in range(FACES)]
    lines += [f"| | {' | '.join(heads)} |", f"| --- |{' ---: |' * len(heads)}"]
    for face in range(FACES):
        values = page.upper_W_F_N[:, face].ravel().tolist()
        lines.append(f"| {titles[BOXES[face]]} | {' | '.join(map(str, values))} |")
    lines += ["", "| | with points | with nothing |", "| --- | --- | ---: |"]
    for key in BOXES[FACES:]:
        price, zero = page.price[key], page.zero[key]
        with_points = f"points {'−' if price > 0 else '+'} {abs(price)}"
        lines.append(f"| {titles[key]} | {with_points} | {zero if key != 'chance' else ''} |")
    return "\n".join(lines).replace("-", "−").replace("−−−", "---") + "\n\n"


if __name__ == "__main__":
    if "--write" in sys.argv:
        text = SHEET.read_text(encoding="utf-8")
        SHEET.write_text(MARK.sub(lambda _: printed(load_page()), text), encoding="utf-8")
    else:
        print(printed(load_page()))
