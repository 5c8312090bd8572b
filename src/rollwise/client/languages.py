"""The languages of the client, with a catalog of translations for each.

A catalog has the JSON format of i18next, version 4, whose keys are the English texts. An English
text that has plural forms is a key with a suffix for each form of the language.
"""

import json
import re
from collections.abc import Collection, Iterable
from functools import cache
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

ACCEPTED = re.compile(r"([A-Za-z-]+)\s*(?:;\s*q=([01](?:\.\d{0,3})?))?\s*(?:,|$)")
"""A language and its weight in the header ``Accept-Language``."""

MAX_HEADER = 500
"""The number of characters of the header that are read."""

PLURAL = re.compile(r"_(?:zero|one|two|few|many|other)$")


@cache
def catalog(language: str) -> dict[str, str]:
    """Return the translations of all texts; empty for English."""
    if language == "en":
        return {}
    path = resources.files("rollwise.client") / "catalogs" / f"{language}.json"
    texts: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return texts


@cache
def all_texts() -> frozenset[str]:
    """Return all English texts that have translations."""
    return frozenset(PLURAL.sub("", key) for language in LANGUAGES for key in catalog(language))


def texts_in(source: str) -> frozenset[str]:
    """Return the texts that occur in a page or a script."""
    return frozenset(text for text in all_texts() if text in source)


def catalogs(
    texts: Collection[str], languages: Iterable[str] = LANGUAGES
) -> dict[str, dict[str, str]]:
    """Return the translations of some texts, by language."""
    return {
        language: {
            key: words for key, words in catalog(language).items() if PLURAL.sub("", key) in texts
        }
        for language in languages
        if language != "en"
    }


def primary(tag: str) -> str:
    """Return the language of a tag without its script and region."""
    return tag.strip().lower().split("-")[0]


def language_of(accepted: str, chosen: str = "") -> str:
    """Return the language for a browser.

    Parameters
    ----------
    accepted : str
        The header ``Accept-Language``.
    chosen : str, optional
        The tag of the language that the reader has chosen.
    """
    weights = {tag: float(weight or 1) for tag, weight in ACCEPTED.findall(accepted[:MAX_HEADER])}
    tags = [chosen, *sorted(filter(weights.get, weights), key=lambda tag: -weights[tag])]
    known = {primary(language): language for language in LANGUAGES}
    return next((known[primary(tag)] for tag in tags if primary(tag) in known), "en")
