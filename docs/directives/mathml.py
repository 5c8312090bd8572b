"""Formulas as MathML, which browsers draw by themselves: no script, and none from elsewhere."""

from typing import Any

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx


def draw(visitor: Any, node: nodes.Element) -> None:
    """Write a formula, in a line or on one of its own."""
    visitor.body.append(tex2mathml(node.astext(), as_block=isinstance(node, nodes.math_block)))
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.add_html_math_renderer("mathml", (draw, None), (draw, None))
    return {"parallel_read_safe": True}
