"""The style sheet of the table, and one script that contains all that an entry module imports."""

import re
from functools import cache
from importlib import resources

from rollwise.style import sheet, style

IMPORT = re.compile(r'^import \{[^}]*\} from "\./([a-z_]+\.js)";\n', re.MULTILINE)
"""The only form of import in the client. The names of a module are therefore the same everywhere,
and modules that follow each other in one scope need no imports."""

UNNEEDED = re.compile(
    rf"{IMPORT.pattern}|^ */\*(?:(?!\*/).)*\*/\n| /\*[^\n]*?\*/$|^ +|^export (?=\S)",
    re.MULTILINE | re.DOTALL,
)
"""What a script works without: imports and exports, comments at both ends of lines, and spaces at
their beginning, where no text of the client has any."""


@cache
def client_file(name: str) -> str:
    """Return the text of a file of the client."""
    return (resources.files("rollwise.client") / name).read_text(encoding="utf-8")


def table_style() -> str:
    """Return the style sheet of the table, after the tokens and the dice."""
    return sheet(style("tokens"), style("dice"), client_file("table.css"))


def modules(entry: str) -> list[str]:
    """Return the names of a module and of all modules that it needs, in an order to run them."""
    found: dict[str, None] = {}

    def visit(name: str, above: tuple[str, ...]) -> None:
        if name in above:
            raise ValueError(f"{name} imports itself through {' and '.join(above)}")
        for needed in IMPORT.findall(client_file(name)):
            visit(needed, (*above, name))
        found[name] = None

    visit(entry, ())
    return list(found)


@cache
def bundle(entry: str) -> str:
    """Return one module script that does the same as an entry module and needs no other file.

    It has no imports, no exports, and few comments.
    """
    texts = (UNNEEDED.sub("", client_file(name)) for name in modules(entry))
    return "\n".join(texts)
