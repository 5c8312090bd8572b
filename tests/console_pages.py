"""Update the console blocks of documentation pages: run each command, and replace its output.

``python tests/console_pages.py docs/start.md`` updates one page.
"""

import re
import sys
import tempfile
from pathlib import Path

from console import Example, output_of, reader


def rewritten(block: re.Match[str]) -> str:
    """Return a console block with the current output of its commands."""
    lines = re.findall(r"^\$ (.*)$", block[1], re.MULTILINE)
    return "```console\n" + "\n".join(f"$ {line}\n{printed(line)}" for line in lines) + "\n```"


def printed(line: str) -> str:
    """Return the output of a command, run in a new folder."""
    with tempfile.TemporaryDirectory() as folder, reader(Path(folder)):
        return output_of(Example("", line))


if __name__ == "__main__":
    for name in sys.argv[1:]:
        page = Path(name).resolve()
        text = page.read_text("utf-8")
        page.write_text(re.sub(r"```console\n(.*?)```", rewritten, text, flags=re.DOTALL), "utf-8")
