"""One's own mistakes: found in the games that are kept, and asked again when they are due."""

from datetime import datetime

from sqlalchemy import select, update

from rollwise.history.proficiency import finished
from rollwise.history.schema import DecisionRow, PlayedRow
from rollwise.history.spacing import due, remembered
from rollwise.history.store import History
from rollwise.reviews.verdicts import EXCELLENT


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
