"""One function for each question: the Python API, the command, the HTTP route, and the tool.

A question is a function with typed parameters and a docstring that returns an
:class:`~rollwise.questions.answer.Answer`. Parameters before the star are the arguments of the
command, and the others are its options. A parameter that is a ``Path`` or an ``Executor`` only is
not available over the network.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, wraps
from importlib import import_module
from math import inf
from pathlib import Path
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from annotated_types import Ge, Le

from rollwise.errors import InputError, check_count, quoted

if TYPE_CHECKING:
    from rollwise.questions.answer import Answer

Question = Callable[..., "Answer"]
Q = TypeVar("Q", bound=Question)

QUESTIONS = {
    "advise": "advise:advise",
    "compare": "compare:compare",
    "decide": "decide:decide",
    "duel": "duel:duel",
    "frontier restart": "frontier:restart",
    "frontier targets": "frontier:targets",
    "frontier variance": "frontier:variance",
    "greedy": "greedy:greedy",
    "odds": "odds:odds",
    "payoff-line": "payoff_line:payoff_line",
    "report": "report:report",
    "review": "review:review",
    "rules list": "rules:list_rules",
    "rules show": "rules:show_rules",
    "simulate": "simulate:simulate",
    "sweep": "sweep:sweep",
    "tournament": "tournament:tournament",
    "tree": "tree:tree",
    "verify": "verify:verify",
}
"""The module and the function of each question, by the words of its command.

``solve`` is no question: :func:`rollwise.solve` returns a solution, and a server would need limits.
"""


@cache
def question(name: str) -> Question:
    """Import and return the question with a name, such as ``frontier targets``."""
    module, _, function = QUESTIONS[name].partition(":")
    found: Question = getattr(import_module(f"{__name__}.{module}"), function)
    return found


def checks_arguments(function: Q) -> Q:
    """Make a question refuse values outside the choices and the limits of its parameters.

    The command line and the servers read the same annotations, and check them before the call.
    """

    @cache
    def annotations() -> dict[str, Any]:
        parameters = text_parameters(function, local=False).items()
        return {name: parameter.annotation for name, parameter in parameters}

    @wraps(function)
    def ask(*given: Any, **options: Any) -> Answer:
        for name, value in (dict(zip(annotations(), given, strict=False)) | options).items():
            if value is not None and name in annotations():
                _check(name, value, *parts_of(annotations()[name]))
        return function(*given, **options)

    return cast(Q, ask)


def _check(name: str, value: object, kind: Any, *notes: object) -> None:
    """Raise InputError unless a value is among the choices and within the limits of a parameter."""
    types = [kind, *get_args(kind)]
    choices = [choice for part in types if get_origin(part) is Literal for choice in get_args(part)]
    if choices and value not in choices:
        raise InputError(f"{name} must be one of {', '.join(choices)}, not {quoted(value)}")
    least: Any = next((note.ge for note in notes if isinstance(note, Ge)), None)
    most: Any = next((note.le for note in notes if isinstance(note, Le)), inf)
    if least is not None:
        check_count(value, name, least, most)


def parts_of(annotation: Any) -> tuple[Any, ...]:
    """Return a type, and what it is annotated with."""
    return get_args(annotation) if get_origin(annotation) is Annotated else (annotation,)


def answers(function: Question) -> tuple[type[Answer], ...]:
    """Return the types of the answers to a question."""
    kind = get_type_hints(function)["return"]
    return get_args(kind) or (kind,)


def text_parameters(function: Question, *, local: bool) -> dict[str, inspect.Parameter]:
    """Return the parameters whose values can be written as text.

    A type keeps its simple parts: ``str | Rules | None`` becomes ``str | None``. On this machine,
    with ``local``, text that can be a path is a path. Elsewhere, paths do not exist.
    """
    found = {}
    for name, parameter in inspect.signature(function, eval_str=True).parameters.items():
        annotation = _simple(parameter.annotation, local=local)
        if annotation not in (None, NoneType):
            found[name] = parameter.replace(annotation=annotation)
    return found


def _simple(annotation: Any, *, local: bool) -> Any:
    """Return the part of a type whose values can be written as text, or None."""
    kind, parts = get_origin(annotation), get_args(annotation)
    if kind is Annotated:
        inner = _simple(parts[0], local=local)
        return None if inner in (None, NoneType) else Annotated[inner, *parts[1:]]
    if kind in (Union, UnionType):
        simple = [part for part in (_simple(p, local=local) for p in parts) if part]
        text = Path if Path in simple else str
        if text in simple:  # other ways to write the same value are for Python
            simple = [part for part in simple if part in (text, NoneType)]
        return Union[tuple(simple)] if simple else None  # noqa: UP007 - the parts are values
    if kind in (list, Mapping, Sequence, Iterable):
        inner = _simple(parts[0], local=local)
        return inner and list.__class_getitem__(inner)
    if kind is Literal or annotation in (str, int, float, bool, NoneType):
        return annotation
    return Path if local and annotation is Path else None


@dataclass(frozen=True)
class Description:
    """What the docstring of a function says.

    Attributes
    ----------
    text : str
        The summary and the other paragraphs, each on one line.
    parameters : mapping of str to str
        The help of each parameter.
    examples : list of str
        The command lines.
    """

    text: str
    parameters: Mapping[str, str]
    examples: list[str]


def described(function: Callable[..., Any]) -> Description:
    """Parse the docstring of a function; shared types of parameters have their own help."""
    text, *sections = re.split(
        r"\n\n(\w+)\n---+\n", inspect.cleandoc(function.__doc__ or ""), flags=re.DOTALL
    )
    named = dict(zip(sections[::2], sections[1::2], strict=True))
    helps = re.findall(
        r"^(\w+)(?: : .*)?\n((?: +.*\n?)+)", named.get("Parameters", ""), re.MULTILINE
    )
    found = {name: " ".join(help.split()) for name, help in helps}
    for name, parameter in inspect.signature(function, eval_str=True).parameters.items():
        for shared in getattr(parameter.annotation, "__metadata__", ()):
            found[name] = getattr(shared, "help", None) or found.get(name, "")
    examples = re.findall(
        r"^ *((?:\w+=\S+ |echo .* \| )*rollwise .*)$", named.get("Examples", ""), flags=re.MULTILINE
    )
    return Description(re.sub(r"(?<=\S)\n(?=\S)", " ", text.strip()), found, examples)
