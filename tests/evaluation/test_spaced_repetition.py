"""Test the times when mistakes are due after any sequence of answers."""

from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given, settings
from hypothesis import strategies as st

from rollwise.history.mistakes import next_card, parse_card

START = datetime(2026, 11, 22, 8, tzinfo=UTC)

answers = st.lists(st.tuples(st.booleans(), st.floats(0, 90)), min_size=1, max_size=12)
"""For each answer: whether it was good, and the days since the previous answer."""


def after(history: list[tuple[bool, float]]) -> tuple[str, datetime]:
    """Return the card after some answers, and the time of the last answer."""
    card, now = None, START
    for well, days in history:
        now += timedelta(days=days)
        card = next_card(card, well=well, now=now)
    assert card is not None
    return card, now


def wait(card: str, now: datetime) -> timedelta:
    """Return the time from ``now`` until a position is due."""
    parsed = parse_card(card)
    assert parsed is not None
    return parsed.due - now


def waits_of_good_answers(card: str, now: datetime, number: int = 4) -> list[timedelta]:
    """Return the wait after each of several good answers, each given at the time when it is due."""
    waits = []
    for _ in range(number):
        now += wait(card, now)
        card = next_card(card, well=True, now=now)
        waits.append(wait(card, now))
    return waits


@settings(max_examples=30)
@given(answers)
def test_due_after_at_least_a_day(history: list[tuple[bool, float]]) -> None:
    assert wait(*after(history)) >= timedelta(days=1)


@settings(max_examples=30)
@given(answers)
def test_due_sooner_after_a_bad_answer(history: list[tuple[bool, float]]) -> None:
    card, now = after(history)
    now += timedelta(days=1)
    well, badly = (wait(next_card(card, well=w, now=now), now) for w in (True, False))
    assert badly <= well


@settings(max_examples=30)
@given(answers)
def test_waits_grow_with_good_answers(history: list[tuple[bool, float]]) -> None:
    waits = waits_of_good_answers(*after(history))
    assert waits == sorted(waits)


def test_waits_of_days_then_weeks_then_months() -> None:
    first = next_card(None, well=True, now=START)
    days = [waiting.days for waiting in (wait(first, START), *waits_of_good_answers(first, START))]
    assert days[0] < 7 <= days[1] < 30 <= days[2] < days[3] < days[4]


@settings(max_examples=30)
@given(answers, st.integers(-12, 14))
def test_the_time_zone_has_no_effect(history: list[tuple[bool, float]], hours: int) -> None:
    card, now = after(history)
    elsewhere = now.astimezone(timezone(timedelta(hours=hours)))
    assert next_card(card, well=True, now=elsewhere) == next_card(card, well=True, now=now)


@given(st.none() | st.text() | st.sampled_from(["{}", "[]", "null", "1", '{"due": 1}']))
def test_a_damaged_card_is_like_a_new_position(damaged: str | None) -> None:
    assert parse_card(damaged) is None
    new = next_card(None, well=True, now=START)
    assert next_card(damaged, well=True, now=START) == new
