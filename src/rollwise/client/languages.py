"""The languages of the client, with a catalog of translations for each.

A catalog has the JSON format of i18next, version 4, whose keys are the English texts. An English
text that has plural forms is a key with a suffix for each form of the language.
"""

import json
import re
from collections.abc import Iterable
from functools import cache
from html import unescape
from importlib import resources

LANGUAGES = {
    "en": "English",
    "de": "Deutsch",
    "es": "Español",
    "fr": "Français",
    "sr-Latn": "Srpski",
    "sv": "Svenska",
}
"""The languages in their own words, by tag."""

PLURAL = re.compile(r"_(?:zero|one|two|few|many|other)$")


@cache
def catalog(language: str) -> dict[str, str]:
    """Return the translations of all texts; empty for English."""
    if language == "en":
        return {}
    path = resources.files("rollwise.client") / "catalogs" / f"{language}.json"
    texts: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return texts


def catalogs(page: str, languages: Iterable[str] = LANGUAGES) -> dict[str, dict[str, str]]:
    """Return the translations of the texts that occur in a page and its script, by language."""
    known, page = {language: catalog(language) for language in languages}, unescape(page)
    texts = {PLURAL.sub("", key) for words in known.values() for key in words}
    needed = {text for text in texts if text in page}
    return {
        language: {key: text for key, text in words.items() if PLURAL.sub("", key) in needed}
        for language, words in known.items()
        if words
    }


def primary(tag: str) -> str:
    """Return the language of a tag without its script and region."""
    return tag.strip().lower().split("-")[0]


def language_of(accepted: str, chosen: str = "") -> str:
    """Return the language for a browser.

    Parameters
    ----------
    accepted : str
        The header ``Accept-Language``, which names the preferred language first.
    chosen : str, optional
        The tag of the language that the reader has chosen.
    """
    tags = [chosen, *(part.partition(";")[0] for part in accepted.split(","))]
    known = {primary(language): language for language in LANGUAGES}
    return next((known[primary(tag)] for tag in tags if primary(tag) in known), "en")
