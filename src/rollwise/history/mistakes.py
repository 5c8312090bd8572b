"""Spaced repetition of a player's mistakes in saved games.

FSRS, the Free Spaced Repetition Scheduler, decides on which day a mistake is due. After good
answers, the intervals grow from days to weeks and months. After a bad answer, the mistake is due
the next day. The FSRS card of a position, called its memory, is saved as JSON.
"""

import logging
from collections.abc import Sequence
from datetime import UTC, datetime

from fsrs import Card, Rating, Scheduler
from sqlalchemy import select, update

from rollwise.history.rating import finished
from rollwise.history.schema import DecisionRow, PlayedRow
from rollwise.history.store import History
from rollwise.reviews.grades import EXCELLENT

log = logging.getLogger("rollwise")


def mistakes(
    history: History, rules: str, name: str | None = None, most: int = 1000
) -> list[DecisionRow]:
    """Return the decisions to practice, one for each position, greatest EV loss first.

    Parameters
    ----------
    rules : str
        The name of the rules.
    name : str, optional
        The name of the player; default: all players.
    most : int
        The maximum number of decisions.
    """
    return _mistakes(history, rules, name)[:most]


def due_mistakes(
    history: History, rules: str, name: str | None, now: datetime
) -> tuple[list[DecisionRow], datetime | None]:
    """Return the mistakes that are due now, and the time when the next mistake becomes due.

    A mistake is due if it was never practiced, if its time in the FSRS schedule has come, or if the
    player made it again in a later game.

    Returns
    -------
    list of DecisionRow
        The due mistakes in the order of :func:`mistakes`.
    datetime or None
        The time in UTC when the next mistake becomes due; None if all mistakes are due now.
    """
    ready, later = list[DecisionRow](), list[datetime]()
    for decision in _mistakes(history, rules, name):
        due_at = due(decision.memory)
        if due_at is None or due_at <= now:
            ready.append(decision)
        else:
            later.append(due_at)
    return ready, min(later, default=None)


def chosen_mistakes(
    history: History, rules: str, name: str | None, ids: Sequence[int]
) -> list[DecisionRow]:
    """Return decisions by their ids, in the order of the ids, without those that do not exist.

    Parameters
    ----------
    rules, name : str
        The names of the rules and of the player, as for :func:`mistakes`.
    """
    query = finished(history, select(DecisionRow), rules, name)
    query = query.join(DecisionRow, DecisionRow.played_id == PlayedRow.id)
    with history.database.reading() as session:
        found = session.scalars(query.where(DecisionRow.id.in_(ids)))
        rows = {row.id: row for row in found if row is not None and row.is_sound}
    return [rows[id] for id in ids if id in rows]


def practiced(
    history: History,
    rules: str,
    name: str | None,
    position: str,
    *,
    well: bool,
    now: datetime,
    begun: datetime | None = None,
) -> None:
    """Update the memory of all mistakes at a position after a practice answer.

    Only the first answer of a session counts.

    Parameters
    ----------
    rules, name : str
        The names of the rules and of the player, as for :func:`mistakes`.
    position : str
        The position in its saved form.
    well : bool
        Whether the answer was a best option or an option that is nearly as good.
    now : datetime
        The time of the answer, with its time zone.
    begun : datetime, optional
        The time when the session began, with its time zone; default: every answer counts.
    """
    decisions = finished(history, select(DecisionRow.id, DecisionRow.memory), rules, name)
    decisions = decisions.join(DecisionRow, DecisionRow.played_id == PlayedRow.id)
    decisions = decisions.where(DecisionRow.position == position).order_by(DecisionRow.id)
    with history.database.writing() as session:
        rows = session.execute(decisions).all()
        last = next((memory for _, memory in rows if memory is not None), None)
        card = _card(last)
        if begun and card and card.last_review and card.last_review >= begun:
            return
        memory = remembered(last, well=well, now=now)
        session.execute(
            update(DecisionRow).where(DecisionRow.id.in_([id for id, _ in rows])),
            {"memory": memory},
        )


def _mistakes(history: History, rules: str, name: str | None) -> list[DecisionRow]:
    """Return one mistake for each position, ordered by the greatest EV loss at the position.

    If a position has several mistakes, return the greatest mistake that was never practiced. If all
    of them were practiced, return the greatest mistake.
    """
    decisions = (
        finished(history, select(DecisionRow, PlayedRow.game_id), rules, name)
        .join(DecisionRow, DecisionRow.played_id == PlayedRow.id)
        .where(PlayedRow.objective == "expected", DecisionRow.loss >= EXCELLENT)
        .order_by(DecisionRow.loss.desc(), DecisionRow.memory.is_not(None), DecisionRow.id)
    )
    by_position: dict[str, DecisionRow] = {}
    with history.database.reading() as session:
        for row in session.execute(decisions):
            decision: DecisionRow | None = row.DecisionRow
            if decision is None:  # an index of a damaged database refers to a missing row
                continue
            first = by_position.get(decision.position)
            if first is not None and (first.memory is None or decision.memory is not None):
                continue
            texts = decision.position, decision.chosen, decision.best
            if None in texts or not decision.is_sound:
                log.warning(
                    "a mistake in the game %s is not practiced, because its review is damaged; to "
                    "review it again, run: rollwise history check",
                    row.game_id,
                )
                continue
            by_position[decision.position] = decision
    return list(by_position.values())


# There are no learning steps because a practice session repeats bad answers itself. There is no
# fuzzing because dates must be reproducible.
_SCHEDULER = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)


def due(memory: str | None) -> datetime | None:
    """Return the time in UTC when a position is due; None if its memory is missing or damaged."""
    card = _card(memory)
    return card.due if card and card.last_review else None


def remembered(memory: str | None, *, well: bool, now: datetime) -> str:
    """Return the memory (FSRS card) of a position, as JSON, after one more answer.

    Parameters
    ----------
    memory : str or None
        The previous memory; None for a position that was never practiced.
    well : bool
        Whether the answer was a best option or an option that is nearly as good.
    now : datetime
        The time of the answer, with its time zone.
    """
    new = Card(card_id=0)  # FSRS would wait a millisecond to create an id
    rating = Rating.Good if well else Rating.Again
    try:
        card, _ = _SCHEDULER.review_card(_card(memory) or new, rating, now.astimezone(UTC))
    except (ArithmeticError, ValueError, TypeError):  # the numbers of a damaged memory
        card, _ = _SCHEDULER.review_card(new, rating, now.astimezone(UTC))
    return card.to_json()


def _card(memory: str | None) -> Card | None:
    """Return the FSRS card of a memory; None if the memory is missing or damaged."""
    try:
        card = Card.from_json(memory or "")
    except (ValueError, TypeError, LookupError, AttributeError):
        return None
    return card if card.due.tzinfo else None
