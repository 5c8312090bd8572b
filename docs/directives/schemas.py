"""The JSON schema of what each command writes with ``--json``."""

import json
from typing import Any

from pydantic import TypeAdapter

from directives.shapes import DOCUMENTS


def schemas() -> str:
    """Return a section for each command that writes JSON, with the schema of its document."""
    return "\n\n".join(
        f"## rollwise {words}\n\n```json\n{json.dumps(schema(words), indent=2)}\n```"
        for words in DOCUMENTS
    )


def schema(words: str) -> dict[str, Any]:
    """Return the JSON schema of what a command writes."""
    described = TypeAdapter(DOCUMENTS[words]).json_schema()
    shown: dict[str, Any] = untitled(described)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **shown}


def untitled(part: Any) -> Any:
    """Return a part of a schema without titles, which say no more than the names of keys."""
    if isinstance(part, list):
        return [untitled(one) for one in part]
    if not isinstance(part, dict):
        return part
    return {
        key: untitled(one)
        for key, one in part.items()
        if not (key == "title" and isinstance(one, str))
    }
