"""What the theme leaves out for people who read by keyboard or by ear."""

from typing import Any

from sphinx.application import Sphinx

SCROLLS = ("<pre", '<div class="table-wrapper', '<div class="math-wrapper')
"""Beginnings of what may be wider than a screen: to be scrolled by keys, it can be focused."""

CAPTION = '<p class="caption" role="heading"'


def amend(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: object) -> None:
    """Let what scrolls be focused, and say of what level captions of the navigation are."""
    for beginning in SCROLLS:
        tag, space, rest = beginning.partition(" ")
        focusable = f'{tag} tabindex="0"{space}{rest}'
        context["body"] = context.get("body", "").replace(beginning, focusable)
    navigation = context["furo_navigation_tree"]
    context["furo_navigation_tree"] = navigation.replace(CAPTION, f'{CAPTION} aria-level="2"')


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx, to act after the theme."""
    app.connect("html-page-context", amend, priority=900)
    return {"parallel_read_safe": True}
