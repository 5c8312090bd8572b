"""The paths in the repository that tests read."""

from pathlib import Path

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
COUNTS = ROOT / "tests" / "counts"
