"""One's own mistakes: found in the games that are kept, and asked again when they are due.

When a mistake is asked again: by FSRS, the free spaced repetition scheduler, in whole days.

A position answered well comes back after days, then weeks, then months; one answered badly the next
day. What FSRS knows of a position, its memory, is kept as it writes it down.
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
    """Return the decisions worth practising, those that lost most first, each position once.

    Parameters
    ----------
    rules, name : str
        As :func:`proficiency` takes them.
    most : int
        No more than these.
    """
    return _mistakes(history, rules, name)[:most]


def due_mistakes(
    history: History, rules: str, name: str | None, now: datetime
) -> tuple[list[DecisionRow], datetime | None]:
    """Return the mistakes that are due, and when the first of the others will be.

    What was never asked is due; so is what was done wrong once more since it was asked.

    Returns
    -------
    list of DecisionRow
        As :func:`mistakes` orders them.
    datetime or None
        In UTC; None where nothing else is to come.
    """
    ready, later = list[DecisionRow](), list[datetime]()
    for one in _mistakes(history, rules, name):
        moment = due(one.memory)
        if moment is None or moment <= now:
            ready.append(one)
        else:
            later.append(moment)
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
    """Keep how a position was answered, for all mistakes that were made there.

    Parameters
    ----------
    rules, name : str
        As :func:`mistakes` takes them.
    position : str
        As it is kept.
    well : bool
        Whether the answer was good.
    now : datetime
        Of the answer, with its time zone.
    """
    made = finished(history, select(DecisionRow.id, DecisionRow.memory), rules, name)
    made = made.join(DecisionRow, DecisionRow.played_id == PlayedRow.id)
    made = made.where(DecisionRow.position == position).order_by(DecisionRow.id)
    with history.database.writing() as session:
        rows = session.execute(made).all()
        last = next((memory for _, memory in rows if memory is not None), None)
        memory = remembered(last, well=well, now=now)
        session.execute(
            update(DecisionRow).where(DecisionRow.id.in_([id for id, _ in rows])),
            {"memory": memory},
        )


def _mistakes(history: History, rules: str, name: str | None) -> list[DecisionRow]:
    """Return what lost points, the worst first; of one position the row that was never asked."""
    lossy = (
        finished(history, select(DecisionRow), rules, name)
        .join(DecisionRow, DecisionRow.played_id == PlayedRow.id)
        .where(PlayedRow.objective == "expected", DecisionRow.loss >= EXCELLENT)
        .order_by(DecisionRow.loss.desc(), DecisionRow.memory.is_not(None), DecisionRow.id)
    )
    found: dict[str, DecisionRow] = {}
    with history.database.reading() as session:
        for decision in session.scalars(lossy):
            known = found.setdefault(decision.position, decision)
            if decision.memory is None and known.memory is not None:
                found[decision.position] = decision
    return list(found.values())


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
