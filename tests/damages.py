"""Random damages of files."""

import random
from collections.abc import Sequence
from pathlib import Path


def damage(path: Path, others: Sequence[Path], source: random.Random) -> None:
    """Flip a bit of a file, cut it, zero a part of it, or replace it by one of the other files."""
    before = path.read_bytes()
    while path.read_bytes() == before:
        content, start = bytearray(before), source.randrange(len(before))
        match source.choice(("bit", "cut", "zeros", "other")):
            case "bit":
                content[start] ^= 1 << source.randrange(8)
            case "cut":
                del content[start:]
            case "zeros":
                content[start : start + 1000] = bytes(len(content[start : start + 1000]))
            case "other":
                content[:] = source.choice(others).read_bytes()
        path.write_bytes(content)
