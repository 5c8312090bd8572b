"""The JSON schema of what each command writes with ``--json``."""

import ast
import json
from functools import cache
from inspect import cleandoc, getsource
from itertools import pairwise
from textwrap import dedent
from typing import Any

from pydantic import TypeAdapter

from directives.shapes import DOCUMENTS
from rollwise.questions.answer import Data


def schemas() -> str:
    """Return a section for each command that writes JSON, with the schema of its document."""
    return "\n\n".join(
        f"## rollwise {words}\n\n```json\n{json.dumps(schema(words), indent=2)}\n```"
        for words in DOCUMENTS
    )


def schema(words: str) -> dict[str, Any]:
    """Return the JSON schema of what a command writes."""
    shown: dict[str, Any] = untitled(described(TypeAdapter(DOCUMENTS[words]).json_schema()))
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **shown}


def described(whole: dict[str, Any]) -> dict[str, Any]:
    """Add the docstrings of fields to a schema and to its definitions."""
    for part in (whole, *whole.get("$defs", {}).values()):
        properties = part.get("properties", {})
        for name, words in field_docstrings().get((part.get("title"), *properties), {}).items():
            if name in properties:  # others are not part of the data
                properties[name].setdefault("description", words)
    return whole


@cache
def field_docstrings() -> dict[tuple[str, ...], dict[str, str]]:
    """Return the docstrings of the fields of each type, by its name and its fields."""
    found, kinds = {}, [Data]
    while kinds:
        kind = kinds.pop()
        kinds += kind.__subclasses__()
        (definition,) = ast.parse(dedent(getsource(kind))).body
        assert isinstance(definition, ast.ClassDef)
        fields = [name for name, field in kind.model_fields.items() if not field.exclude]
        found[kind.__name__, *fields] = {
            field.target.id: cleandoc(str(words.value.value))
            for field, words in pairwise(definition.body)
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
            and isinstance(words, ast.Expr) and isinstance(words.value, ast.Constant)
        }  # fmt: skip
    return found


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
