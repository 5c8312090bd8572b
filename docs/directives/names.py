"""The public names of the library: a page for each topic, from the docstrings.

The pages are written when the build of the site starts; git ignores them.
"""

import inspect
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from directives.tables import table

FOLDER = Path(__file__).parents[1] / "reference" / "python"

MODULES = (
    "rollwise",
    "rollwise.solving.objectives",
    "rollwise.strategies",
    "rollwise.questions.frontier",
    "rollwise.experiments.plots",
    "rollwise.decision_analysis",
    "rollwise.errors",
)
"""The public modules that list their names."""

OTHERS = {
    "rollwise.learning.environment": ["Environment"],
    "rollwise.learning.vector": ["VectorEnvironment"],
    "rollwise.learning.task": ["Task"],
    "rollwise.learning.agents": ["Agent"],
    "rollwise.learning.oracle": ["Oracle"],
}
"""Public names in modules that need an extra."""

TOPICS = {
    "games": ("Games and rules", "game", "rules", "questions.rules"),
    "solving": ("Solutions and objectives", "solving"),
    "questions": ("Advice and other questions", "questions"),
    "strategies": (
        "Strategies and their evaluation", "strategies", "evaluation", "distribution",
        "questions.report", "questions.compare", "questions.simulate", "questions.sweep",
    ),
    "two-players": ("Two players", "two_player", "questions.duel"),
    "review": ("Play and review", "playing", "reviews", "history", "questions.review"),
    "learning": ("Learning environments", "learning"),
    "decision-analysis": ("Decision analysis", "decision_analysis"),
    "plots-and-errors": ("Plots and errors", "experiments", "errors"),
}  # fmt: skip
"""The file and the title of each topic, and the modules below rollwise that define its names."""


def names() -> str:
    """Return a table of the topics with their names, and the contents of their folder."""
    rows = []
    for topic, (title, *_) in TOPICS.items():
        links = ", ".join(f"{{py:obj}}`~{place}`" for place, _ in names_of(topic))
        rows.append((f"[{title}](python/{topic}.md)", links))
    pages = "\n".join(f"python/{topic}" for topic in TOPICS)
    return table(("topic", "names"), rows) + f"\n\n```{{toctree}}\n:hidden:\n\n{pages}\n```"


def name_pages() -> Iterator[tuple[Path, str]]:
    """Yield the page of each topic."""
    for topic in TOPICS:
        yield FOLDER / f"{topic}.md", page_of(topic)


def page_of(topic: str) -> str:
    """Return the page of a topic, with the docstring of each of its names."""
    parts = ["---\nnosearch: true\n---", f"# {TOPICS[topic][0]} in Python"]
    for place, value in names_of(topic):
        is_class = inspect.isclass(value)
        directive = f".. {'autoclass' if is_class else 'autofunction'}:: {place}"
        members = "\n   :members:" if is_class else ""
        name = place.rpartition(".")[2]
        parts.append(f"## {name}\n\n```{{eval-rst}}\n{directive}{members}\n```")
    return "\n\n".join(parts) + "\n"


def names_of(topic: str) -> Iterator[tuple[str, Any]]:
    """Yield the dotted names of a topic, with their values."""
    for place, value in public():
        if topic_of(value) == topic:
            yield place, value


def public() -> Iterator[tuple[str, Any]]:
    """Yield each public name once, by its first public module, with its value."""
    seen: set[int] = set()
    for module, listed in {**dict.fromkeys(MODULES, ()), **OTHERS}.items():
        owner = import_module(module)
        for name in sorted(listed or owner.__all__, key=str.lower):
            value = getattr(owner, name)
            if (inspect.isroutine(value) or inspect.isclass(value)) and id(value) not in seen:
                seen.add(id(value))
                yield f"{module}.{name}", value


def topic_of(value: Any) -> str:
    """Return the topic with the longest prefix of the module that defines a value."""
    lengths = {
        topic: max(len(prefix) * is_in(value.__module__, prefix) for prefix in prefixes)
        for topic, (_, *prefixes) in TOPICS.items()
    }
    topic = max(lengths, key=lengths.__getitem__)
    if not lengths[topic]:
        raise ValueError(f"{value.__module__} belongs to no topic; add it to TOPICS")
    return topic


def is_in(module: str, prefix: str) -> bool:
    """Return whether a module is a module below rollwise, or in it."""
    return f"{module}.".startswith(f"rollwise.{prefix}.")
