"""The JSON schema of what each command writes with ``--json``."""

import json
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core.core_schema import ModelSchema
from sphinx.pycode import ModuleAnalyzer

from directives.shapes import DOCUMENTS


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
    """Return a section for each command that writes JSON, with the schema of its document."""
    return "\n\n".join(
        f"## rollwise {words}\n\n```json\n{json.dumps(schema(words), indent=2)}\n```"
        for words in DOCUMENTS
    )


def schema(words: str) -> dict[str, Any]:
    """Return the JSON schema of what a command writes."""
    shown = TypeAdapter(DOCUMENTS[words]).json_schema(schema_generator=Described)
    plain: dict[str, Any] = json.loads(json.dumps(shown), object_hook=untitled)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **plain}


def untitled(part: dict[str, Any]) -> dict[str, Any]:
    """Return a part of a schema without its title, which says no more than the name of a key."""
    return {key: one for key, one in part.items() if key != "title" or not isinstance(one, str)}
