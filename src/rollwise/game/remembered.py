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
        key = (given, *named.items())
        try:
            return known[rules][key]
        except KeyError:
            result = function(rules, *given, **named)
            known.setdefault(rules, {})[key] = result
            return result

    return asked
