"""What takes long is made once, whoever asks, again after a failure, and not for nobody."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import pytest

from rollwise.web.line import JobStatus
from rollwise.web.made_once import SingleFlight

T = TypeVar("T")


def giving(thing: T) -> Callable[[JobStatus], Awaitable[T]]:
    async def make(_: JobStatus) -> T:
        return thing

    return make


async def failing(_: JobStatus) -> object:
    raise MemoryError("too large")


def test_many_who_ask_at_a_time_get_the_same_thing() -> None:
    async def ask() -> None:
        things, may_end = SingleFlight[object](2), asyncio.Event()
        made: list[object] = []

        async def make(_: JobStatus) -> object:
            await may_end.wait()
            made.append(object())
            return made[-1]

        async def get() -> object:
            return await things.get("key", make)

        asked = [asyncio.ensure_future(get()) for _ in range(4)]
        assert await things.get("other", giving(1)) == 1  # not kept waiting
        may_end.set()
        assert {id(await one) for one in asked} == {id(made[0])}
        assert len(made) == 1

    asyncio.run(ask())


def test_what_failed_is_made_again() -> None:
    async def ask() -> None:
        things = SingleFlight[object](2)
        for _ in range(3):
            with pytest.raises(MemoryError, match="too large"):
                await things.get("key", failing)
        assert not things.has("key")
        assert await things.get("key", giving(7)) == 7
        assert await things.get("key", failing) == 7

    asyncio.run(ask())


def test_failures_take_the_place_of_nothing() -> None:
    async def ask() -> None:
        things = SingleFlight[object](2)
        for key in ("a", "b"):
            await things.get(key, giving(key))
        for number in range(9):
            with pytest.raises(MemoryError):
                await things.get(number, failing)
        assert things.has("a")
        assert things.has("b")

    asyncio.run(ask())


def test_those_not_asked_for_longest_are_given_up() -> None:
    async def ask() -> None:
        things = SingleFlight[object](2)
        for key in ("a", "b", "a", "c", "c"):
            await things.get(key, giving(key))
        assert [key for key in "abc" if things.has(key)] == ["a", "c"]

    asyncio.run(ask())


def test_no_more_than_there_is_room_for() -> None:
    async def ask() -> None:
        things = SingleFlight[str](9, len, room=10)
        large = "e" * 11
        for key, kept in (("aaaa", 1), ("bbbb", 2), ("cc", 3), ("d", 3), (large, 1), ("f", 1)):
            for _ in range(2):  # it is measured once it is made
                await things.get(key, giving(key))
            assert sum(map(things.has, ("aaaa", "bbbb", "cc", "d", large, "f"))) == kept
        assert things.has("f")

    asyncio.run(ask())


def test_given_up_when_the_last_who_waits_has_gone() -> None:
    async def ask() -> None:
        things, begun = SingleFlight[object](2), asyncio.Event()
        given_up = asyncio.Event()

        async def make(_: JobStatus) -> object:
            begun.set()
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                given_up.set()
                raise
            return None

        async def get() -> object:
            return await things.get("key", make)

        first, second = asyncio.ensure_future(get()), asyncio.ensure_future(get())
        await begun.wait()
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        assert things.has("key")
        assert not given_up.is_set()
        second.cancel()
        await given_up.wait()
        assert not things.has("key")
        assert await things.get("key", giving(7)) == 7

    asyncio.run(ask())


def test_who_waits_patiently_may_go_and_come_back() -> None:
    async def ask() -> None:
        things, begun, may_end = SingleFlight[int](2), asyncio.Event(), asyncio.Event()

        async def make(_: JobStatus) -> int:
            begun.set()
            await may_end.wait()
            return 7

        making = things.get("key", make)
        for seconds in (600.0, 0.0):
            page = asyncio.ensure_future(making.patiently(seconds))
            await asyncio.sleep(0)
            await begun.wait()
            page.cancel()
            with pytest.raises(asyncio.CancelledError):
                await page
            assert things.has("key") == bool(seconds)
        making = things.get("key", make)
        page = asyncio.ensure_future(making.patiently(600.0))
        await asyncio.sleep(0)
        making.give_up()  # somebody else does
        may_end.set()
        assert await page == 7

    asyncio.run(ask())


def test_what_nobody_comes_back_for_is_given_up() -> None:
    async def ask() -> None:
        things, given_up = SingleFlight[int](2), asyncio.Event()

        async def make(_: JobStatus) -> int:
            try:
                await asyncio.Event().wait()
            finally:
                given_up.set()
            return 7

        page = asyncio.ensure_future(things.get("key", make).patiently(1e-9))
        await asyncio.sleep(0)
        page.cancel()
        await given_up.wait()

    asyncio.run(ask())
