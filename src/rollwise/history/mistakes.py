"""A player's mistakes in saved games, and when to practise them again.

FSRS, the free spaced repetition scheduler, decides when a mistake is due, in whole days: after a
good answer in days, then weeks, then months; after a bad one the next day. The FSRS card of a
position, its memory, is saved as JSON.
"""

from datetime import UTC, datetime

from fsrs import Card, Rating, Scheduler
from sqlalchemy import select, update

from rollwise.history.rating import finished
from rollwise.history.schema import DecisionRow, PlayedRow
from rollwise.history.store import History
from rollwise.reviews.grades import EXCELLENT


def mistakes(
    history: History, rules: str, name: str | None = None, most: int = 1000
) -> list[DecisionRow]:
    """Return the decisions worth practising, the greatest EV loss first, each position once.

    Parameters
    ----------
    rules, name : str
        As for :func:`~rollwise.history.rating.proficiency`.
    most : int
        The greatest number of decisions.
    """
    return _mistakes(history, rules, name)[:most]


def due_mistakes(
    history: History, rules: str, name: str | None, now: datetime
) -> tuple[list[DecisionRow], datetime | None]:
    """Return the mistakes that are due, and when the next of the others will be due.

    A mistake is due if it was never practised, or was made again in a game since then.

    Returns
    -------
    list of DecisionRow
        In the order of :func:`mistakes`.
    datetime or None
        In UTC; None if there are no others.
    """
    ready, later = list[DecisionRow](), list[datetime]()
    for decision in _mistakes(history, rules, name):
        due_at = due(decision.memory)
        if due_at is None or due_at <= now:
            ready.append(decision)
        else:
            later.append(due_at)
    return ready, min(later, default=None)


def practised(
    history: History,
    rules: str,
    name: str | None,
    position: str,
    *,
    well: bool,
    now: datetime,
) -> None:
    """Save the answer to a position, for all mistakes that were made in it.

    Parameters
    ----------
    rules, name : str
        As for :func:`mistakes`.
    position : str
        As it is saved.
    well : bool
        Whether the answer was good.
    now : datetime
        The time of the answer, with its time zone.
    """
    decisions = finished(history, select(DecisionRow.id, DecisionRow.memory), rules, name)
    decisions = decisions.join(DecisionRow, DecisionRow.played_id == PlayedRow.id)
    decisions = decisions.where(DecisionRow.position == position).order_by(DecisionRow.id)
    with history.database.writing() as session:
        rows = session.execute(decisions).all()
        last = next((memory for _, memory in rows if memory is not None), None)
        memory = remembered(last, well=well, now=now)
        session.execute(
            update(DecisionRow).where(DecisionRow.id.in_([id for id, _ in rows])),
            {"memory": memory},
        )


def _mistakes(history: History, rules: str, name: str | None) -> list[DecisionRow]:
    """Return the mistakes, the worst first; of one position a row that was never practised."""
    decisions = (
        finished(history, select(DecisionRow), rules, name)
        .join(DecisionRow, DecisionRow.played_id == PlayedRow.id)
        .where(PlayedRow.objective == "expected", DecisionRow.loss >= EXCELLENT)
        .order_by(DecisionRow.loss.desc(), DecisionRow.memory.is_not(None), DecisionRow.id)
    )
    by_position: dict[str, DecisionRow] = {}
    with history.database.reading() as session:
        for decision in session.scalars(decisions):
            first = by_position.setdefault(decision.position, decision)
            if decision.memory is None and first.memory is not None:
                by_position[decision.position] = decision
    return list(by_position.values())


# Without steps: a practice session repeats bad answers itself. Without fuzzing: dates are
# reproducible.
_SCHEDULER = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)


def due(memory: str | None) -> datetime | None:
    """Return when a position is due, in UTC; None if it was never practised, or is damaged."""
    card = _card(memory)
    return card.due if card and card.last_review else None


def remembered(memory: str | None, *, well: bool, now: datetime) -> str:
    """Return the memory of a position after one more answer.

    Parameters
    ----------
    memory : str or None
        The memory before; None for a position that was never practised.
    well : bool
        Whether the answer was good.
    now : datetime
        The time of the answer, with its time zone.
    """
    card = _card(memory) or Card(card_id=0)  # without an id FSRS waits a millisecond to make one
    rating = Rating.Good if well else Rating.Again
    return _SCHEDULER.review_card(card, rating, now.astimezone(UTC))[0].to_json()


def _card(memory: str | None) -> Card | None:
    """Return the FSRS card of a memory; None if it is damaged, like a new position."""
    try:
        card = Card.from_json(memory or "")
    except (ValueError, TypeError, LookupError, AttributeError):
        return None
    return card if card.due.tzinfo else None
