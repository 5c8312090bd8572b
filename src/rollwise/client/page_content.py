"""What every page of the table contains: the rules of its game, data for its script, and texts."""

import json
from typing import Any

from rollwise.client.languages import LANGUAGES
from rollwise.rules import Rules
from rollwise.rules.describe import describe, how_to_play


def page_data(data: Any) -> str:
    """Return data as JSON for an element of a page, which no text in it can end."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c")


def table_content(rules: Rules, data: Any) -> dict[str, Any]:
    """Return the content for the template ``table.html``: a game's rules, and data for a script."""
    return {
        "rules": rules,
        "goal": how_to_play(rules),
        "sentences": list(describe(rules)),
        "languages": LANGUAGES,
        "data": page_data(data),
    }


def with_texts(page: str, texts: Any) -> str:
    """Return a page with the translations of its texts for its script."""
    element = f'<script type="application/json" id="texts">{page_data(texts)}</script>'
    return page.replace("</body>", f"{element}\n</body>")
