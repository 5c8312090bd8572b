"""Every key of a rule file, with what it takes, from the schema that reads it."""

import inspect
import json
from typing import Any, get_args

from numpydoc.docscrape import NumpyDocString
from pydantic import BaseModel

from directives.tables import table
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
    ("minimum", "maximum"): ("at least {}", "at most {}", "{} to {}"),
    ("minItems", "maxItems"): ("{} or more of them", "up to {} of them", "{} to {} of them"),
    ("minLength", "maxLength"): (
        "{} or more characters",
        "up to {} characters",
        "{} to {} characters",
    ),
}
"""The keys of a lower and an upper limit, and the words for the first, the second, and both."""


def rule_keys(sections: dict[str, type[BaseModel]] = SECTIONS) -> str:
    """Return a section for each table of a rule file, with a row for each key."""
    parts = []
    for heading, model in sections.items():
        docstring = NumpyDocString(inspect.cleandoc(model.__doc__ or ""))
        about = "\n".join([*docstring["Summary"], "", *docstring["Extended Summary"]])
        told = {
            name: " ".join(attribute.desc).replace("``", "`")
            for attribute in docstring["Attributes"]
            for name in attribute.name.split(", ")
        }
        parts += [f"### {heading}", about.replace("``", "`").strip(), keys_of(model, told)]
    return "\n\n".join(parts)


def keys_of(model: type[BaseModel], told: dict[str, str]) -> str:
    """Return a table of the keys of a model; ``told`` has the meanings of keys."""
    shape = model.model_json_schema()
    rows = [
        (key, takes(what), "required" if key in shape.get("required", ()) else written(what))
        for key, what in shape["properties"].items()
        if key != "kind"
    ]
    if model is card.Category:
        rows += [("slots", f"whole number, 1 to {MAX_SLOTS}", "`1`"), ("before", "text", "none")]
    if model is schema.Rules:
        told["base"] = "The game from which this game differs."
        told["remove"] = "Categories and tables of the base to omit."
        rows += [("base", "text", "none"), ("remove", "list: text", "none")]
    header = ("key", "value", "default", *["meaning"] * bool(told))
    cells = [(f"`{key}`", *parts, *[told.get(key, "")] * bool(told)) for key, *parts in rows]
    return table(header, cells) if rows else ""


def written(shape: dict[str, Any]) -> str:
    """Return the default of a key as it would be written in a file."""
    value = shape.get("default")
    return "none" if value in (None, []) else f"`{json.dumps(value)}`"


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
    limits = [limit(what, keys, forms) for keys, forms in LIMITS.items()]
    return ", ".join([words, *filter(None, limits)])


def limit(what: dict[str, Any], keys: tuple[str, str], forms: tuple[str, str, str]) -> str:
    """Return in words the limits of a key; empty if there are none."""
    low, high = (what.get(key) for key in keys)
    if low is None or high is None:
        bounds = zip((low, high), forms, strict=False)
        return ", ".join(form.format(bound) for bound, form in bounds if bound is not None)
    return f"exactly {low} of them" if low == high else forms[2].format(low, high)
