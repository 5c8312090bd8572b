"""Update the console blocks of documentation pages: run each command, and replace the output.

    PYTHONPATH=tests python docs/tools/console_pages.py docs/start.md

updates one page. With ``--only TEXT``, it updates only the blocks that contain this text.
"""

import argparse
import re
import tempfile
from pathlib import Path

from console import Example, cache_of_this_run, output_of, own_cache, reader


def rewritten(block: re.Match[str]) -> str:
    """Return a console block with the current output of its commands."""
    lines = re.findall(r"^\$ (.*)$", block[1], re.MULTILINE)
    return "```console\n" + "\n".join(f"$ {line}\n{printed(line)}" for line in lines) + "\n```"


def printed(line: str) -> str:
    """Return the output of a command, run in a new folder."""
    example = Example("", line)
    with (
        tempfile.TemporaryDirectory() as name,
        reader(folder := Path(name)),
        own_cache(example, folder),
    ):
        return output_of(example)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("pages", nargs="+")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    for name in options.pages:
        page = Path(name).resolve()
        text = page.read_text("utf-8")
        with cache_of_this_run():
            text = re.sub(
                r"```console\n(.*?)```",
                lambda block: rewritten(block) if options.only in block[1] else block[0],
                text,
                flags=re.DOTALL,
            )
        page.write_text(text, "utf-8")
