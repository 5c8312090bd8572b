"""What takes long is made once, whoever asks, and again after a failure."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from rollwise.web.made_once import MadeOnce


def test_many_who_ask_at_a_time_get_the_same_thing() -> None:
    things, begun, may_end = MadeOnce(2), Event(), Event()
    made: list[object] = []

    def make() -> object:
        begun.set()
        may_end.wait(60)
        made.append(object())
        return made[-1]

    with ThreadPoolExecutor(4) as pool:
        first = pool.submit(things.get, "key", make)
        assert begun.wait(60)
        others = [pool.submit(things.get, "key", make) for _ in range(3)]
        assert things.get("other", lambda: 1) == 1  # not kept waiting
        assert not things.has("key")
        may_end.set()
        assert {id(asked.result(60)) for asked in (first, *others)} == {id(made[0])}
    assert len(made) == 1
    assert things.has("key")


def test_what_failed_is_made_again() -> None:
    things = MadeOnce(2)

    def fail() -> int:
        raise MemoryError("too large")

    for _ in range(3):
        with pytest.raises(MemoryError, match="too large"):
            things.get("key", fail)
    assert not things.has("key")
    assert things.get("key", lambda: 7) == 7
    assert things.get("key", fail) == 7


def test_failures_take_the_place_of_nothing() -> None:
    things = MadeOnce(2)

    def fail() -> int:
        raise MemoryError

    for key in ("a", "b"):
        things.get(key, object)
    for number in range(9):
        with pytest.raises(MemoryError):
            things.get(number, fail)
    assert things.has("a")
    assert things.has("b")


def test_those_not_asked_for_longest_are_given_up() -> None:
    things = MadeOnce(2)
    for key in ("a", "b", "a", "c"):
        things.get(key, object)
    assert [key for key in "abc" if things.has(key)] == ["a", "c"]
