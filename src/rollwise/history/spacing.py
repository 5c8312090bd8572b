"""When a mistake is asked again: by FSRS, the free spaced repetition scheduler, in whole days.

A position answered well comes back after days, then weeks, then months; one answered badly the next
day. What FSRS knows of a position, its memory, is kept as it writes it down.
"""

from datetime import UTC, datetime

from fsrs import Card, Rating, Scheduler

# Within a session the session itself asks again; and the same answers have the same dates.
_SCHEDULER = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)


def due(memory: str | None) -> datetime | None:
    """Return when a position is to be asked again, in the time of Greenwich.

    None of one that was never asked, and of a memory that cannot be read.
    """
    card = _card(memory)
    return card.due if card and card.last_review else None


def remembered(memory: str | None, *, well: bool, now: datetime) -> str:
    """Return the memory of a position after one more answer.

    Parameters
    ----------
    memory : str or None
        That of before; None of a position that was never asked.
    well : bool
        Whether the answer was good.
    now : datetime
        Of the answer, with its time zone.
    """
    card = _card(memory) or Card(card_id=0)  # without an id FSRS waits for the clock to find one
    rating = Rating.Good if well else Rating.Again
    return _SCHEDULER.review_card(card, rating, now.astimezone(UTC))[0].to_json()


def _card(memory: str | None) -> Card | None:
    """Return a memory as FSRS reads it; None of one that is damaged: it is asked as if new."""
    try:
        card = Card.from_json(memory or "")
    except (ValueError, TypeError, LookupError, AttributeError):
        return None
    return card if card.due.tzinfo else None
