"""What was worked out of some rules, as long as somebody holds the rules themselves."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from rollwise.rules import Rules

Given = ParamSpec("Given")
Result = TypeVar("Result")


def remembered(
    function: Callable[Concatenate[Rules, Given], Result],
) -> Callable[Concatenate[Rules, Given], Result]:
    """Remember the results of a function of rules, and keep no rules for that.

    Who asks a server about rules of his own leaves nothing behind.
    """
    known: WeakKeyDictionary[Rules, dict[object, Result]] = WeakKeyDictionary()

    @wraps(function)
    def asked(rules: Rules, /, *given: Given.args, **named: Given.kwargs) -> Result:
        results = known.setdefault(rules, {})
        key = (given, *named.items())
        if key not in results:
            results[key] = function(rules, *given, **named)
        return results[key]

    return asked
