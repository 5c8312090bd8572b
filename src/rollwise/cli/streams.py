"""Standard output and standard error in any encoding: what it lacks is written with what it has."""

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
    ]
)
"""What the signs that we print are written as where an encoding lacks them."""


def _spell(error: UnicodeError) -> tuple[str | bytes, int]:
    """Handle what cannot be encoded: signs of ours by ``SPELLED``, a user's by their numbers."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    spelled = (
        SPELLED.get(sign, sign.encode("ascii", "backslashreplace").decode()) for sign in missing
    )
    return "".join(spelled), error.end


def prepare_streams() -> None:
    """Let no sign stop the output, as one that Windows has no code for in a pipe would."""
    codecs.register_error("spell", _spell)
    if sys.stdout is None:  # closed by who called
        sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115 - open until Python ends
    for stream in (sys.stdout, sys.stderr, sys.__stderr__):  # the last one is that of textual
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="spell")


def has_all_signs() -> bool:
    """Return whether standard output can show whatever Unicode has."""
    return codecs.lookup(sys.stdout.encoding or "ascii").name.startswith("utf")


def discard_output() -> None:
    """Let what is still to be written, also when Python ends, go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
