"""The JSON schema of what each command writes with ``--json``, and a table of all keys."""

import json
from collections import defaultdict
from collections.abc import Iterator, Set
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core.core_schema import ModelSchema
from sphinx.application import Sphinx
from sphinx.pycode import ModuleAnalyzer

from directives.shapes import DOCUMENTS
from directives.tables import table

KINDS = {"integer": "whole number", "string": "text", "boolean": "true or false", "array": "list"}


class Described(GenerateJsonSchema):
    """A schema with the docstrings of fields."""

    def model_schema(self, schema: ModelSchema) -> JsonSchemaValue:
        """Return the schema of a type, and describe its fields."""
        shown, kind = super().model_schema(schema), schema["cls"]
        docstrings = ModuleAnalyzer.for_module(kind.__module__).find_attr_docs()
        for name, field in shown.get("properties", {}).items():
            if lines := docstrings.get((kind.__name__, name)):
                field["description"] = "\n".join(lines).strip()
        return shown


def schemas() -> str:
    """Return links to the schemas, and a table of the keys of all documents except rules."""
    links = [f'<a href="{file_of(words)}" download>{words}</a>' for words in sorted(DOCUMENTS)]
    commands: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    of_rules = schema("rules show")["$defs"].keys() | {"Rules"}
    for words in sorted(DOCUMENTS.keys() - {"rules show"}):
        for row in dict.fromkeys(keys(schema(words), of_rules)):
            commands[row].append(words)
    rows = [
        (f"`{key}`", kind, meaning, ", ".join(writers))
        for (key, kind, meaning), writers in sorted(commands.items())
    ]
    listed = table(("key", "value", "meaning", "commands"), rows)
    return f"{' · '.join(links)}\n\n## Keys\n\n{listed}"


def file_of(words: str) -> str:
    """Return the path of the schema of a command, from the page."""
    return f"schemas/{words.replace(' ', '-')}.json"


def write_schemas(app: Sphinx, exception: Exception | None) -> None:
    """Write the schemas next to the page of the finished site."""
    if app.builder.format == "html" and exception is None:
        for words in DOCUMENTS:
            path = app.outdir / "reference" / file_of(words)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(schema(words), indent=2), "utf-8")


def keys(shown: dict[str, Any], omitted: Set[str]) -> Iterator[tuple[str, str, str]]:
    """Yield each key of a schema, with the type of its value and the meaning of the key."""
    types = shown.get("$defs", {})
    for part in (shown, *(types[name] for name in types.keys() - omitted)):
        for key, value in part.get("properties", {}).items():
            yield key, kind_of(value), " ".join(value.get("description", "").split())


def kind_of(value: dict[str, Any]) -> str:
    """Return the type of a value in words."""
    if several := value.get("anyOf") or value.get("oneOf"):
        return " or ".join(dict.fromkeys(map(kind_of, several)))
    if "enum" in value or "const" in value:
        return " or ".join(
            f"`{json.dumps(word)}`" for word in value.get("enum", [value.get("const")])
        )
    kind: str = value.get("type", "object")
    if kind == "array" and "items" in value:
        return f"list: {kind_of(value['items'])}"
    return KINDS.get(kind, kind)


def schema(words: str) -> dict[str, Any]:
    """Return the JSON schema of what a command writes."""
    shown = TypeAdapter(DOCUMENTS[words]).json_schema(schema_generator=Described)
    plain: dict[str, Any] = json.loads(json.dumps(shown), object_hook=untitled)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **plain}


def untitled(part: dict[str, Any]) -> dict[str, Any]:
    """Return a part of a schema without its title, which says no more than the name of a key."""
    return {key: one for key, one in part.items() if key != "title" or not isinstance(one, str)}
