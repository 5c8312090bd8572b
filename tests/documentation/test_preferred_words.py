"""All texts use the preferred words."""

from pathlib import Path

import pytest

from preferred_words import (
    Text,
    files,
    help_texts,
    hits,
    hits_in,
    page_texts,
    preset_texts,
    python_texts,
    saved_output_texts,
    script_texts,
)
from repository import ROOT

LATER = (
    "src/rollwise/web/elements.py",
    "src/rollwise/web/pages/",
    "src/rollwise/web/style/",
    "src/rollwise/web/table/",
)
"""Folders whose texts are not rewritten yet."""

FILES = [path for path in files() if not str(path.relative_to(ROOT)).startswith(LATER)]


def words(texts: list[Text]) -> list[tuple[int, str, str]]:
    """Return the line, the word, and the replacement of each hit."""
    return [(hit.line, hit.word, hit.replacement) for text in texts for hit in hits(text)]


FOLDERS = sorted({path.parent.relative_to(ROOT) for path in FILES})


@pytest.mark.parametrize("folder", FOLDERS, ids=str)
def test_files(folder: Path) -> None:
    found = [hit for path in FILES if path.parent == ROOT / folder for hit in hits_in(path)]
    assert not found, "\n" + "\n".join(map(str, found))


def test_help() -> None:
    found = [hit for text in help_texts() for hit in hits(text)]
    assert not found, "\n" + "\n".join(map(str, found))


class TestSearch:
    """The search finds a word to replace in every kind of text, and only in prose."""

    def test_a_page(self) -> None:
        page = (
            "# The trivia\n\nWhat somebody\nplays, `somebody` keeps.\n\n"
            "```text\nsomebody\n```\n\n| a | best play |\n"
        )
        assert words(list(page_texts("a.md", page))) == [
            (1, "trivia", "opening and last-turn tables"),
            (3, "somebody", "someone, no one, everyone, anyone"),
            (10, "best play", "optimal play"),
        ]

    def test_a_word_across_two_lines(self) -> None:
        page = "The value of best\nplay is exact.\n"
        assert words(list(page_texts("a.md", page))) == [(1, "best play", "optimal play")]

    def test_a_generated_part_of_a_page(self) -> None:
        page = "<!-- python tests/a.py -->\n| best play |\n<!-- end -->\n"
        assert words(list(page_texts("a.md", page))) == []

    def test_a_module(self) -> None:
        module = (
            '"""The law of a score.\n\nParameters\n----------\nlaw : str\n"""\n'
            'x = "law"  # somebody\n'
            'y = f"the verdict {x} of ``law``"\n'
        )
        found = words(list(python_texts("a.py", module, messages=True)))
        assert sorted(found) == [
            (1, "law", "distribution"),
            (7, "somebody", "someone, no one, everyone, anyone"),
            (8, "verdict", "grade"),
        ]
        without = words(list(python_texts("a.py", module, messages=False)))
        assert [word for _, word, _ in without] == ["somebody", "law"]

    def test_a_rule_file(self) -> None:
        rules = 'name = "a"  # unless told\nabout = """\nFive alike."""\n'
        rules += '[[disputed]]\nsays = "the upper total"\nkey = "law"\n'
        assert [word for _, word, _ in words(list(preset_texts("a.toml", rules)))] == [
            "unless told",
            "Five alike",
            "upper total",
        ]

    def test_a_script(self) -> None:
        script = "const law = 1;  // the law\n/* a\n colour */ 'https://law.org'\n"
        assert [word for _, word, _ in words(list(script_texts("a.js", script)))] == [
            "law",
            "colour",
        ]

    def test_a_saved_output(self) -> None:
        output = '$ rollwise law\nthe law\n{"the law": 1}\n'
        assert words(list(saved_output_texts("a.txt", output))) == [(2, "law", "distribution")]

    def test_help_texts(self) -> None:
        places = {text.place for text in help_texts()}
        assert {"rollwise advise --help", "rollwise rules use --help"} <= places

    @pytest.mark.parametrize(
        "sentence",
        [
            "A full house always scores 25.",
            "Verhoeff calls demonic dice adversarial in no paper.",
            "Who wins?",
            "By the law of large numbers, the mean converges.",
            "In the table, K stands for a keep.",
        ],
    )
    def test_exceptions(self, sentence: str) -> None:
        assert words([Text("a.md", 1, 1, sentence)]) == []

    def test_the_message_says_where_and_what_to_write(self) -> None:
        (hit,) = hits(Text("docs/a.md", 3, 5, "Nobody\nknows."), ["", "", "So", "Nobody", "knows."])
        expected = "docs/a.md:4: 'Nobody': write someone, no one, everyone, anyone"
        assert str(hit) == expected
