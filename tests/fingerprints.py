"""Write into each kernel file the hashes of the kernel files that it inlines.

Run ``python tests/fingerprints.py`` after a change in ``src/rollwise/solving/kernels``.
"""

import ast
import hashlib
import re
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "src/rollwise/solving/kernels"


def inlined(path: Path) -> list[str]:
    """Return the kernel files whose functions a file uses."""
    return sorted(
        node.module.rsplit(".", 1)[1] + ".py"
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ImportFrom)
        and (node.module or "").startswith("rollwise.solving.kernels.")
        if node.module
    )


def digest(name: str) -> str:
    """Return the short hash of a kernel file."""
    return hashlib.sha256((FOLDER / name).read_bytes()).hexdigest()[:12]


def main() -> None:
    """Renew the hashes, from the files that inline nothing to those that inline most."""
    for path in sorted(FOLDER.glob("*.py"), key=lambda path: len(inlined(path))):
        names = dict.fromkeys(inlined(path))
        if names:
            lines = "".join(f'    "{name}": "{digest(name)}",\n' for name in names)
            text = path.read_text(encoding="utf-8")
            path.write_text(
                re.sub(r"(?m)^INLINES = \{[^}]*\}", f"INLINES = {{\n{lines}}}", text),
                encoding="utf-8",
            )


if __name__ == "__main__":
    main()
