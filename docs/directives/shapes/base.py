"""What the shapes of documents have in common."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

Matrix = list[list[float]]
Quantiles = dict[Literal["0.01", "0.05", "0.1", "0.25", "0.5", "0.75", "0.9", "0.95", "0.99"], int]
Number = float | str
"""A fraction as text where ``--exact`` asks for it."""


class Shape(BaseModel):
    """These keys and no others; one with a default is there only sometimes."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)
