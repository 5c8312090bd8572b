"""The words that the project uses, and a search for the words that they replace.

    python tests/preferred_words.py                     # print every word to replace
    python tests/preferred_words.py docs src/rollwise/web    # only in some files and folders

The search reads prose: pages without their code, the texts of the help and their saved output,
docstrings, comments, messages, and the descriptions of rule files.
"""

import ast
import io
import re
import sys
import tokenize
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from console import SAVED, commands
from repository import ROOT


class PreferredWord(NamedTuple):
    """A pattern of words to replace, what to write instead, and phrases that are exceptions."""

    pattern: str
    replacement: str
    exceptions: str = r"(?!)"


class Text(NamedTuple):
    """A piece of prose and where it is: a file or a command, and its first and last line."""

    place: str
    first: int
    last: int
    words: str


class Hit(NamedTuple):
    """A word to replace, where it is, and what to write instead."""

    place: str
    line: int
    word: str
    replacement: str

    def __str__(self) -> str:
        """Return the hit as one line: place, line, word, and replacement."""
        return f"{self.place}:{self.line}: {self.word!r}: write {self.replacement}"


PREFERRED = (
    PreferredWord(
        r"\b[Dd]emonic\b",
        "adversarial",
        r"[Vv]erhoeff calls demonic|Verhoeff's demonic dice|Demonic Dice",
    ),
    PreferredWord(r"\b[Pp]roficienc", "rating"),
    PreferredWord(r"\b[Tt]rivia\b", "opening and last-turn tables", r"Optimal Strategy Trivia"),
    PreferredWord(r"\b[Uu]pper (sum|total)s?\b", "upper-section total"),
    PreferredWord(r"\b[Ss]core (card|board)s?\b", "scorecard"),
    PreferredWord(r"\b[Pp]rospects?\b", "decision problem"),
    PreferredWord(r"\b[Cc]ertain equivalents?\b", "certainty equivalent"),
    PreferredWord(r"\b([Tt]wo|[Tt]hree|[Ff]our|[Ff]ive|[Ss]ix|[Dd]ice|all) alike\b", "n of a kind"),
    PreferredWord(r"\b([Hh]e|[Hh]is|him|himself)\b", "they, their"),
    PreferredWord(
        r"\b[Ss]omebody\b|\b[Nn]obody\b|\b[Ee]verybody\b|\b[Aa]nybody\b",
        "someone, no one, everyone, anyone",
    ),
    PreferredWord(r"\b[Uu]nless told\b", "by default"),
    PreferredWord(r"\b[Mm]end(s|ing)?\b|\bbe mended\b", "fix"),
    PreferredWord(r"\bat hand\b", "available"),
    PreferredWord(r"\b(has|have|had|is|are) to be\b", "must be"),
    PreferredWord(r"(^|[.;] )(Who|Whoever) (?![^.?]*\?)", "The player who, or If you"),
    PreferredWord(r"(^|[.:;] )What (is|was|are|were) not\b(?![^.?]*\?)", "a noun"),
    PreferredWord(r"\b[Ll]aws?\b", "distribution", r"[Ll]aws? of (large numbers|demand)"),
    PreferredWord(r"\b[Rr]obots?\b", "computer opponent", r"^robots:"),
    PreferredWord(r"\b[Vv]erdicts?\b", "grade"),
    PreferredWord(r"\b[Jj]udg(e|es|ed|ing)\b", "evaluate a strategy, review a game"),
    PreferredWord(r"\bone's\b", "your", r"(each|no|other) one's"),
    PreferredWord(r"\b[Ww]hoever\b", "the player who, or If you"),
    PreferredWord(r"\b[Tt]wo who\b", "two players who"),
    PreferredWord(r"\bbest plays\b", "optimal strategies"),
    PreferredWord(r"\b([Tt]hrows?|[Tt]hrown)\b", "roll"),
    PreferredWord(r"(?<!-)\bchances\b", "probabilities"),
    PreferredWord(r"\b(can|may|to) be had\b", "a verb with its actor"),
    PreferredWord(r"\bnews\b", "perfect information, message"),
    PreferredWord(
        r"\b[Ff]ore(see|seen|sees|saw|sight)\b|\bbeforehand\b",
        "in advance, perfect-information relaxation",
    ),
    PreferredWord(r"\b(stand|stands|stood)\b(?! for\b)", "is"),
    PreferredWord(
        r"\b(own|in|one|another|the|each) houses?\b(?![ -]rule)",
        "a word without a metaphor",
    ),
    PreferredWord(r"\b[Ss]trangers?\b", "new user"),
    PreferredWord(r"\b[Dd]oors?\b", "access control, entry"),
    PreferredWord(r"\b[Tt]rays?\b", "dice"),
    PreferredWord(r"\b[Gg]rudges?\b", "adversarial"),
    PreferredWord(r"\b[Bb]est play\b", "optimal play"),
    PreferredWord(r"\b[Ss]ure scores?\b", "guaranteed score"),
    PreferredWord(r"\b(gives?|gave|given|giving|give) away\b", "EV loss"),
    PreferredWord(r"\bways? of playing\b", "strategy"),
    PreferredWord(r"\b(hold|holds|held) against\b", "check against"),
    PreferredWord(r"\b(tells|told)\b", "says, prints", r"[Uu]nless told|as Wikipedia tells it"),
    PreferredWord(
        r"\b(winning )?chances? (of|that|to)\b|\bwinning chances?\b|\bexact chances?\b",
        "probability",
        r"the chance of reaching it",
    ),
    PreferredWord(r"\bwho (answer|reply)s? each other\b", "who respond to each other"),
    PreferredWord(r"\bcards that can occur\b", "reachable states"),
    PreferredWord(
        r"\b[Oo]fficial Yahtzee\b|\b[Oo]fficial (games?|rules?)\b", "the name of the preset"
    ),
    PreferredWord(r"\d %", "a percentage without a space"),
    PreferredWord(
        r"\b([Cc]olour|[Bb]ehaviour|[Nn]eighbour|[Ff]avour|[Hh]onour|[Ll]abour)\w*|\b([Oo]ptimi|[Rr]ecogni|[Oo]rgani|[Nn]ormali|[Ss]ummari|[Mm]inimi|[Mm]aximi|[Gg]enerali|[Ii]nitiali|[Ss]eriali|[Rr]ealis)s(e|es|ed|ing|ation)\b|\b[Aa]nalys(e|ed|ing)\b|\b[Pp]ractis(e|ed|es|ing)\b|\b([Ll]icence|[Cc]entre|[Gg]rey|[Cc]atalogue|[Cc]ancelled|[Ll]abelled|[Mm]odelled|[Tt]ravelled|[Ll]earnt)\b",
        "the US spelling",
        r"[Oo]ne[ -][Cc]olour",
    ),
)


def hits(text: Text, source: list[str] | None = None) -> Iterator[Hit]:
    """Yield the words of a text that the table replaces.

    The lines of the file, if they are given, make the line of a hit exact.
    """
    words = " ".join(text.words.split())
    for preferred in PREFERRED:
        excluded = [match.span() for match in re.finditer(preferred.exceptions, words)]
        for match in re.finditer(preferred.pattern, words):
            if any(start <= match.start() and match.end() <= end for start, end in excluded):
                continue
            line = text.first
            first_word = match[0].strip(" .:;").split()[0]
            for number in range(text.first, text.last + 1) if source else ():
                if first_word in source[number - 1]:  # type: ignore[index]
                    line = number
                    break
            yield Hit(text.place, line, match[0].strip(" .:;"), preferred.replacement)


def page_texts(place: str, source: str) -> Iterator[Text]:
    """Yield the paragraphs, list items, and table rows of a page, without code and addresses.

    The parts of a page that a script prints are left out.
    """
    for pattern in (
        r"(?<=-->)\n.*?(?=<!-- end -->)",
        r"```.*?```",
        r"~~~.*?~~~",
        r"<!--.*?-->",
        r"\{[{%#].*?[}%#]\}",
    ):
        source = re.sub(pattern, blank, source, flags=re.DOTALL)
    source = re.sub(r"``[^`]+``|`[^`]+`|\$[^$\n]+\$", blank, source)
    source = re.sub(r"\]\([^)\s]*\)|https?://\S+|\b[\w-]+=\"[^\"]*\"", blank, source)
    yield from paragraphs(place, source)


def paragraphs(place: str, source: str) -> Iterator[Text]:
    """Yield the paragraphs of a text; a list item, a heading, and a table row are one each."""
    lines: list[str] = []
    first = 1
    for number, line in enumerate([*source.splitlines(), ""], 1):
        starts = re.match(r"\s*([*|#-]|\d+\.) ?", line)
        if lines and (starts or not line.strip()):
            yield Text(place, first, number - 1, "\n".join(lines))
            lines = []
        if line.strip():
            if not lines:
                first = number
            lines.append(re.sub(r"^\s*([*#-]+|\d+\.) ", "", line))


def blank(match: re.Match[str]) -> str:
    """Return a placeholder for code with as many lines."""
    return "…" + "\n" * match[0].count("\n")


def python_texts(place: str, source: str, *, messages: bool) -> Iterator[Text]:
    """Yield the comments and docstrings of a module, and on request its other strings with spaces.

    Strings without a space are keys and names, which this table does not cover.
    """
    comments: list[tuple[int, str]] = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            comments.append((token.start[0], token.string.lstrip("#: ")))
    for line, comment in comments:
        if not re.match(r"type:|noqa|ruff:|fmt:|mypy:|pragma", comment):
            yield Text(place, line, line, without_code(comment))
    tree = ast.parse(source)
    docstrings = {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    parts = {
        part
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for part in ast.walk(node)
        if isinstance(part, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in parts:
            if node in docstrings:
                for text in paragraphs(place, without_code(node.value)):
                    first = node.lineno + text.first - 1
                    yield text._replace(first=first, last=node.lineno + text.last - 1)
            elif messages and " " in node.value.strip():
                yield Text(place, node.lineno, last_line(node), without_code(node.value))
        elif messages and isinstance(node, ast.JoinedStr):
            words = "".join(
                str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values
            )
            if " " in words.strip():
                yield Text(place, node.lineno, last_line(node), without_code(words))


def last_line(node: ast.expr) -> int:
    """Return the last line of an expression."""
    return node.end_lineno or node.lineno


def without_code(text: str) -> str:
    """Return a docstring or a message without code, doctests, and names of parameters."""
    text = re.sub(r"^\s*>>>.*(\n\s*\S.*)*", blank, text, flags=re.MULTILINE)
    text = re.sub(r"^\s*[\w*]+(, [\w*]+)* : .*$", "…", text, flags=re.MULTILINE)
    return re.sub(r"``[^`]+``|:\w+:`[^`]+`|`[^`]+`|https?://\S+|</?\w[^>]*>", blank, text)


def preset_texts(place: str, source: str) -> Iterator[Text]:
    """Yield the descriptions and the comments of a rule file."""
    for number, line in enumerate(source.splitlines(), 1):
        if comment := re.match(r"(?:[^\"#]|\"[^\"]*\")*#\s*(.*)", line):
            yield Text(place, number, number, without_code(comment[1]))
    rules = tomllib.loads(source)
    descriptions = [rules.get("title", ""), rules.get("about", "")]
    descriptions += [variant["says"] for variant in rules.get("disputed", [])]
    last = len(source.splitlines())
    for description in descriptions:
        yield Text(place, 1, last, without_code(description))


def script_texts(place: str, source: str) -> Iterator[Text]:
    """Yield the comments of a script or a style sheet."""
    for match in re.finditer(r"/\*.*?\*/|(?<![:\w\"'])//[^\n]*", source, re.DOTALL):
        first = source.count("\n", 0, match.start()) + 1
        words = without_code(match[0].strip("/* "))
        yield Text(place, first, first + match[0].count("\n"), words)


def help_texts() -> Iterator[Text]:
    """Yield the help of every command and of its parameters."""
    for name, command in commands().items():
        place = f"rollwise {name} --help".replace("  ", " ")
        texts = [command.help or ""]
        texts += [getattr(parameter, "help", None) or "" for parameter in command.params]
        for text in texts:
            before_examples = re.sub(r"^ +rollwise .*$", "…", text, flags=re.MULTILINE)
            yield Text(place, 1, 1, without_code(before_examples))


def saved_output_texts(place: str, source: str) -> Iterator[Text]:
    """Yield the lines of a saved output, without the commands, JSON, and TOML."""
    for number, line in enumerate(source.splitlines(), 1):
        if not re.match(r'\s*(\$ |[{}\["]|[\w.-]+ = )', line):
            yield Text(place, number, number, without_code(line))


def texts_of(path: Path) -> Iterator[Text]:
    """Yield the prose of a file of the repository."""
    place = str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else path.name
    source = path.read_text("utf-8")
    if path.suffix == ".py":
        yield from python_texts(place, source, messages=place.startswith("src/"))
    elif path.suffix in (".md", ".html"):
        yield from page_texts(place, source)
    elif path.suffix == ".toml":
        yield from preset_texts(place, source)
    elif path.suffix in (".js", ".css"):
        yield from script_texts(place, source)
    elif path.suffix == ".txt":
        yield from saved_output_texts(place, source)


def files() -> list[Path]:
    """Return every file whose prose is searched."""
    found = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
    found += [ROOT / "hatch_build.py", *SAVED.glob("*.txt")]
    found += (ROOT / "src/rollwise/rules/presets").glob("*.toml")
    for folder in ("docs", "src", "tests", "benchmarks", "examples"):
        for suffix in ("md", "py", "html", "js", "css"):
            found += (ROOT / folder).rglob(f"*.{suffix}")
    this = (Path(__file__), ROOT / "tests/documentation/test_preferred_words.py")
    return sorted(path for path in found if path not in this)


def hits_in(path: Path) -> list[Hit]:
    """Return the words of a file that the table replaces."""
    source = path.read_text("utf-8").splitlines()
    return [hit for text in texts_of(path) for hit in hits(text, source)]


def main(names: list[str]) -> None:
    """Print every word to replace in some files and folders, or everywhere."""
    chosen = [Path(name).resolve() for name in names]
    for path in files():
        if not chosen or any(path.is_relative_to(place) for place in chosen):
            for hit in hits_in(path):
                print(hit)
    if not chosen:
        for text in help_texts():
            for hit in hits(text):
                print(hit)


if __name__ == "__main__":
    main(sys.argv[1:])
