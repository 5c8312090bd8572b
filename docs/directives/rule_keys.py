"""Every key of a rule file, with what it takes, from the schema that reads it."""

import inspect
from typing import Any, get_args

from numpydoc.docscrape import NumpyDocString
from pydantic import BaseModel

from rollwise.rules import card, columns, dice, patterns, schema, variants
from rollwise.rules.sheet import MAX_SLOTS

SECTIONS: dict[str, type[BaseModel]] = {
    "The file": schema.Rules,
    "`[[categories]]`": card.Category,
    "`[[columns]]`": columns.Column,
    "`[upper_bonus]`": card.UpperBonus,
    "`higher` of the upper bonus": card.Step,
    "`[extra_bonus]`": card.ExtraBonus,
    "`[joker]`": card.Joker,
    "`[[other_dice]]`": dice.OtherDice,
    "`[[disputed]]`": variants.Dispute,
    **{
        f'pattern `kind = "{get_args(model.model_fields["kind"].annotation)[0]}"`': model
        for model in get_args(get_args(patterns.Pattern)[0])
    },
}
"""The tables of a rule file, and the models that read them."""

WORDS = {"integer": "whole number", "boolean": "`true` or `false`", "string": "text"}
LIMITS = {
    "minimum": "at least {}",
    "maximum": "at most {}",
    "minItems": "{} or more of them",
    "maxItems": "up to {} of them",
    "maxLength": "up to {} characters",
}


def rule_keys(sections: dict[str, type[BaseModel]] = SECTIONS) -> str:
    """Return a section for each table of a rule file, with a row for each key."""
    parts = []
    for heading, model in sections.items():
        docstring = NumpyDocString(inspect.cleandoc(model.__doc__ or ""))
        about = "\n".join([*docstring["Summary"], "", *docstring["Extended Summary"]])
        told = {
            name: " ".join(attribute.desc)
            for attribute in docstring["Attributes"]
            for name in attribute.name.split(", ")
        }
        parts += [f"## {heading}", about.replace("``", "`").strip(), table(model, told)]
    return "\n\n".join(parts)


def table(model: type[BaseModel], told: dict[str, str]) -> str:
    """Return a table of the keys of a model."""
    shape = model.model_json_schema()
    rows = ["| key | takes | unless there | meaning |", "| --- | --- | --- | --- |"]
    for key, what in shape["properties"].items():
        default = "needed" if key in shape.get("required", ()) else written(what.get("default"))
        rows.append(f"| `{key}` | {takes(what)} | {default} | {told.get(key, '')} |")
    if model is card.Category:
        rows.append(f"| `slots` | whole number, 1 to {MAX_SLOTS} | `1` | How often it is filled. |")
        rows.append("| `before` | text | none | With a base: the category that comes after it. |")
    if model is schema.Rules:
        rows.append("| `base` | text | none | The game from which this one differs. |")
        rows.append("| `remove` | list: text | none | Categories and tables of the base to omit. |")
    return "\n".join(rows)


def written(value: Any) -> str:
    """Return a default as it would be written in a file."""
    if value is None or value == []:
        return "none"
    return f"`{str(value).lower() if isinstance(value, bool) else value!r}`".replace("'", '"')


def takes(what: dict[str, Any]) -> str:
    """Return in words what a key takes."""
    for several in ("anyOf", "oneOf"):
        if several in what:
            kinds = [takes(one) for one in what[several] if one.get("type") != "null"]
            return " or ".join(dict.fromkeys(kinds))
    if "$ref" in what:
        return "a pattern" if hasattr(patterns, what["$ref"].rpartition("/")[2]) else "a table"
    if "const" in what:
        return f'`"{what["const"]}"`'
    if "enum" in what:
        return " or ".join(f'`"{one}"`' for one in what["enum"])
    if "type" not in what:
        return "number"
    if what["type"] == "object":
        values = what["additionalProperties"]
        return f"table: {'number' if values is True else takes(values)}"
    words = f"list: {takes(what['items'])}" if what["type"] == "array" else WORDS[what["type"]]
    limits = [form.format(what[key]) for key, form in LIMITS.items() if key in what]
    return ", ".join([words, *limits])
