"""When mistakes come back: whatever was answered, and whenever."""

from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given, settings
from hypothesis import strategies as st

from rollwise.history.mistakes import due, remembered

START = datetime(2026, 11, 22, 8, tzinfo=UTC)

answers = st.lists(st.tuples(st.booleans(), st.floats(0, 90)), min_size=1, max_size=12)
"""Whether each was good, and how many days after the one before it came."""


def after(given: list[tuple[bool, float]]) -> tuple[str, datetime]:
    """Return the memory after some answers, and when the last was given."""
    memory, now = None, START
    for well, days in given:
        now += timedelta(days=days)
        memory = remembered(memory, well=well, now=now)
    assert memory is not None
    return memory, now


def wait(memory: str, now: datetime) -> timedelta:
    """Return how long a position rests from now on."""
    moment = due(memory)
    assert moment is not None
    return moment - now


def waits_of_good_answers(memory: str, now: datetime, number: int = 4) -> list[timedelta]:
    """Return how long a position rests after each of some good answers, given when they are due."""
    waits = []
    for _ in range(number):
        now += wait(memory, now)
        memory = remembered(memory, well=True, now=now)
        waits.append(wait(memory, now))
    return waits


@settings(max_examples=30)
@given(answers)
def test_it_comes_back_after_a_day_or_more(given: list[tuple[bool, float]]) -> None:
    assert wait(*after(given)) >= timedelta(days=1)


@settings(max_examples=30)
@given(answers)
def test_a_mistake_comes_back_sooner_than_a_good_answer(given: list[tuple[bool, float]]) -> None:
    memory, now = after(given)
    now += timedelta(days=1)
    well, badly = (wait(remembered(memory, well=one, now=now), now) for one in (True, False))
    assert badly <= well


@settings(max_examples=30)
@given(answers)
def test_good_answers_in_time_never_come_back_sooner(given: list[tuple[bool, float]]) -> None:
    waits = waits_of_good_answers(*after(given))
    assert waits == sorted(waits)


def test_what_is_known_comes_back_after_days_then_weeks_then_months() -> None:
    first = remembered(None, well=True, now=START)
    days = [rest.days for rest in (wait(first, START), *waits_of_good_answers(first, START))]
    assert days[0] < 7 <= days[1] < 30 <= days[2] < days[3] < days[4]


@settings(max_examples=30)
@given(answers, st.integers(-12, 14))
def test_the_time_zone_changes_nothing(given: list[tuple[bool, float]], hours: int) -> None:
    memory, now = after(given)
    elsewhere = now.astimezone(timezone(timedelta(hours=hours)))
    assert remembered(memory, well=True, now=elsewhere) == remembered(memory, well=True, now=now)


@given(st.none() | st.text() | st.sampled_from(["{}", "[]", "null", "1", '{"due": 1}']))
def test_what_cannot_be_read_is_asked_as_if_new(damaged: str | None) -> None:
    assert due(damaged) is None
    fresh = remembered(None, well=True, now=START)
    assert remembered(damaged, well=True, now=START) == fresh
