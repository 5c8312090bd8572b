"""Output streams that replace characters missing from their encoding."""

import codecs
import os
import sys
from pathlib import Path

SPELLED = dict(
    [
        *zip("−–·×│║┆─═┄", "--.x|||-=-", strict=True),
        *((corner, "+") for corner in "╭╮╰╯┌┐└┘╔╗╚╝"),
        *zip("▁▂▃▄▅▆▇█", "_.,-~=+#", strict=True),
        *zip("²ⁿ₀₁₂‘’“”•ω", "2n012''\"\"*w", strict=True),
        *(("…", "..."), ("±", "+-"), ("≥", ">="), ("≤", "<="), ("→", "->"), ("Σ", "sum")),
        ("∞", "inf"),
    ]
)
"""The ASCII replacements of the non-ASCII characters that rollwise prints."""


def _spell(error: UnicodeError) -> tuple[str | bytes, int]:
    """Replace characters that cannot be encoded, using ``SPELLED`` or escape sequences."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    spelled = (
        SPELLED.get(sign, sign.encode("ascii", "backslashreplace").decode()) for sign in missing
    )
    return "".join(spelled), error.end


def prepare_streams() -> None:
    """Configure output to replace characters that cannot be encoded, as in a pipe on Windows."""
    codecs.register_error("spell", _spell)
    if sys.stdout is None:  # closed by the calling process
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - open until Python ends
    for stream in (sys.stdout, sys.stderr, sys.__stderr__):  # textual uses the last one
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="spell")


def is_interactive() -> bool:
    """Return whether a person types the input and reads the output in a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def encodes_unicode() -> bool:
    """Return whether standard output can encode all of Unicode."""
    return codecs.lookup(sys.stdout.encoding or "ascii").name.startswith("utf")


def discard_output() -> None:
    """Discard all further output, including the flush when Python ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
