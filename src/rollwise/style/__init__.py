"""The look of all pages: the values of their colors and sizes, and the dice."""

import re
from functools import cache
from importlib import resources

PAGE = ("tokens", "dice", "base", "controls", "site", "home")
"""The style sheets of every page but the table."""


@cache
def style(name: str) -> str:
    """Return the text of a style sheet."""
    return (resources.files(__name__) / f"{name}.css").read_text(encoding="utf-8")


def sheet(*texts: str) -> str:
    """Return several style sheets as one, without comments and indentation."""
    return re.sub(r"/\*.*?\*/\n?|^ +", "", "\n".join(texts), flags=re.DOTALL | re.MULTILINE)


def token(name: str) -> tuple[str, ...]:
    """Return the values of a token in light mode and, if it differs, in dark mode."""
    return tuple(re.findall(rf"--{name}: ([^;]+);", style("tokens")))
