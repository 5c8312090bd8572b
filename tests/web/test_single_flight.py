"""Test single flight: shared results, failures, eviction, and cancellation if no task waits."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import pytest

from rollwise.web.job_queue import JobStatus
from rollwise.web.single_flight import SingleFlight

T = TypeVar("T")


def returning(result: T) -> Callable[[JobStatus], Awaitable[T]]:
    async def compute(_: JobStatus) -> T:
        return result

    return compute


async def failing(_: JobStatus) -> object:
    raise MemoryError("too large")


def test_concurrent_requests_get_the_same_result() -> None:
    async def run() -> None:
        flights, may_end = SingleFlight[object](2), asyncio.Event()
        computed: list[object] = []

        async def compute(_: JobStatus) -> object:
            await may_end.wait()
            computed.append(object())
            return computed[-1]

        async def get() -> object:
            return await flights.get("key", compute)

        waiters = [asyncio.ensure_future(get()) for _ in range(4)]
        assert await flights.get("other", returning(1)) == 1  # does not wait for the first key
        may_end.set()
        assert {id(await waiter) for waiter in waiters} == {id(computed[0])}
        assert len(computed) == 1

    asyncio.run(run())


def test_a_failed_computation_is_started_again() -> None:
    async def run() -> None:
        flights = SingleFlight[object](2)
        for _ in range(3):
            with pytest.raises(MemoryError, match="too large"):
                await flights.get("key", failing)
        assert not flights.has("key")
        assert await flights.get("key", returning(7)) == 7
        assert await flights.get("key", failing) == 7

    asyncio.run(run())


def test_failures_evict_nothing() -> None:
    async def run() -> None:
        flights = SingleFlight[object](2)
        for key in ("a", "b"):
            await flights.get(key, returning(key))
        for number in range(9):
            with pytest.raises(MemoryError):
                await flights.get(number, failing)
        assert flights.has("a")
        assert flights.has("b")

    asyncio.run(run())


def test_the_least_recently_used_results_are_evicted() -> None:
    async def run() -> None:
        flights = SingleFlight[object](2)
        for key in ("a", "b", "a", "c", "c"):
            await flights.get(key, returning(key))
        assert [key for key in "abc" if flights.has(key)] == ["a", "c"]

    asyncio.run(run())


def test_the_memory_of_all_results_is_bounded() -> None:
    async def run() -> None:
        flights = SingleFlight[str](9, len, max_bytes=10)
        large = "e" * 11
        for key, number in (("aaaa", 1), ("bbbb", 2), ("cc", 3), ("d", 3), (large, 1), ("f", 1)):
            for _ in range(2):  # the second call measures the finished result
                await flights.get(key, returning(key))
            assert sum(map(flights.has, ("aaaa", "bbbb", "cc", "d", large, "f"))) == number
        assert flights.has("f")

    asyncio.run(run())


def test_cancelled_when_the_last_waiter_leaves() -> None:
    async def run() -> None:
        flights, started = SingleFlight[object](2), asyncio.Event()
        cancelled = asyncio.Event()

        async def compute(_: JobStatus) -> object:
            started.set()
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                cancelled.set()
                raise
            return None

        async def get() -> object:
            return await flights.get("key", compute)

        first, second = asyncio.ensure_future(get()), asyncio.ensure_future(get())
        await started.wait()
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        assert flights.has("key")
        assert not cancelled.is_set()
        second.cancel()
        await cancelled.wait()
        assert not flights.has("key")
        assert await flights.get("key", returning(7)) == 7

    asyncio.run(run())
