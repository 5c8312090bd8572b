"""Questions over the network: the same parameters as text, and no files of this machine."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Annotated, Any, get_origin

from annotated_types import Ge, Le
from pydantic.fields import FieldInfo

from rollwise.errors import MalformedError, TooLargeError, quoted
from rollwise.game.game import Game
from rollwise.questions import answers, described, parts_of, question, text_parameters
from rollwise.questions.progress import Reporter, reporting
from rollwise.questions.size_limits import check_size
from rollwise.questions.solving import keeping
from rollwise.rules import Rules
from rollwise.solving.progress import Progress
from rollwise.strategies import is_built_in


class Forwarded(Reporter):
    """Forwards the progress of all work to one callback."""

    remote = True

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress

    def working(self, what: str) -> AbstractContextManager[Progress]:
        """Report the work in the body of ``with`` to the callback."""
        return nullcontext(self._progress or (lambda done: None))


NAMES = ("objective", "opponent_strategy", "strategies", "strategy", "versus")
"""The parameters that name a strategy or an objective, which can be a file."""


MOST_GAMES = 1_000_000
"""The maximum number of simulated games."""


def signature(name: str, field: Callable[..., FieldInfo]) -> inspect.Signature:
    """Return the signature of a question, with a description and the limits of each parameter.

    ``field`` makes the description: ``pydantic.Field``, or ``fastapi.Query``.
    """
    function = question(name)
    helps = described(function).parameters
    described_parameters = []
    for parameter in text_parameters(function, local=False).values():
        kind, *notes = parts_of(parameter.annotation)
        limits = dict[str, Any]()
        for limit in notes:
            if isinstance(limit, Ge):
                limits["ge"] = limit.ge
            if isinstance(limit, Le):
                limits["le"] = limit.le
        told = field(description=helps[parameter.name], **limits)
        described_parameters.append(
            parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=Annotated[kind, told])
        )
    return inspect.Signature(described_parameters, return_annotation=returned(name))


def returned(name: str) -> Any:
    """Return the type of the data of an answer."""
    lists = [get_origin(kind.json_type) is list for kind in answers(question(name))]
    return list[Any] if all(lists) else dict[str, Any]


def checked(
    name: str, arguments: Mapping[str, Any], rules_named: Callable[[str | None], Rules]
) -> dict[str, Any]:
    """Return the arguments of a request to a question, with rules instead of a name.

    Parameters
    ----------
    rules_named : callable
        Returns the rules of a name, or of the default game for None.

    Raises
    ------
    InputError
        If an argument names a file of a strategy or an objective, or a game is too large.
    """
    given = dict(arguments)
    for key in set(NAMES) & set(given):
        for text in [given[key]] if isinstance(given[key], str) else given[key] or ():
            if not is_built_in(text):
                raise MalformedError(f"{key}: {quoted(text)} is not built in. Use another name.")
    if (given.get("games") or 0) > MOST_GAMES:
        raise TooLargeError(f"games must be at most {MOST_GAMES:,}, not {given['games']:,}")
    rules = given.get("rules")
    if name == "review":  # the record contains its rules
        named = None if rules is None else rules_named(rules)
        check_size(Game.parse(given["game"], named).rules)
    elif "rules" in given:
        given["rules"] = rules if isinstance(rules, Rules) else rules_named(rules)
        check_size(given["rules"])
    return given


def respond(
    name: str, arguments: Mapping[str, Any], progress: Progress | None = None, keep: bool = True
) -> Any:
    """Return the data of the answer to a question; if ``keep``, cache solved games on disk."""
    with reporting(Forwarded(progress)), keeping(keep):
        return question(name)(**arguments).data()
