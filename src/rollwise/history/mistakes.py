"""Spaced repetition of a player's mistakes in saved games.

FSRS, the Free Spaced Repetition Scheduler, decides on which day a mistake is due. After good
answers, the intervals grow from days to weeks and months. After a bad answer, the mistake is due
the next day. Each player has an FSRS card for each position, which is saved as JSON.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from rollwise.game.headers import EXPECTED
from rollwise.history.store import History, parse_time
from rollwise.reviews.grades import EXCELLENT


class Mistake(NamedTuple):
    """A decision to practice.

    ``due`` is the time in UTC of the next practice. It is None if the mistake was not practiced
    since the game, and is therefore due now.
    """

    id: str
    owner: str
    player: str
    position: str
    chosen: str
    loss: float
    due: datetime | None


class Card(NamedTuple):
    """The times in an FSRS card, which a history contains even where FSRS is not installed."""

    due: datetime
    last_review: datetime


def mistakes(history: History, rules: str, name: str | None = None) -> list[Mistake]:
    """Return one mistake for each position, ordered by the greatest EV loss at the position.

    If a position has several mistakes, return the greatest one that was not practiced since its
    game. If all of them were practiced, return the greatest mistake.
    """
    chosen: dict[str, Mistake] = {}
    greatest = defaultdict[str, float](float)
    for mistake in _mistakes(history, rules, name):
        position = mistake.position
        greatest[position] = max(greatest[position], mistake.loss)
        other = chosen.setdefault(position, mistake)
        if (mistake.due is None, mistake.loss) > (other.due is None, other.loss):
            chosen[position] = mistake
    return sorted(chosen.values(), key=lambda mistake: -greatest[mistake.position])


def due_mistakes(
    history: History, rules: str, name: str | None, now: datetime
) -> tuple[list[Mistake], datetime | None]:
    """Return the mistakes that are due now, and the time when the next mistake becomes due.

    A mistake is due if it was never practiced, if its time in the FSRS schedule has come, or if the
    player made it again in a later game. The time is in UTC, and None if all mistakes are due.
    """
    ready, later = list[Mistake](), list[datetime]()
    for mistake in mistakes(history, rules, name):
        if mistake.due is None or mistake.due <= now:
            ready.append(mistake)
        else:
            later.append(mistake.due)
    return ready, min(later, default=None)


def chosen_mistakes(
    history: History, rules: str, name: str | None, ids: Sequence[str]
) -> list[Mistake]:
    """Return mistakes by their ids, in the order of the ids, without those that do not exist."""
    by_id = {mistake.id: mistake for mistake in _mistakes(history, rules, name)}
    return [by_id[id] for id in ids if id in by_id]


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
    """Update the FSRS cards of the players who made a mistake at a position, after an answer.

    The answer was given ``well`` if it was a best option or nearly as good. Only the first answer
    since the session was ``begun`` counts. Times have a time zone.
    """
    found = _mistakes(history, rules, name)
    people = {(mistake.owner, mistake.player) for mistake in found if mistake.position == position}
    with history.database.writing() as database:
        for owner, player in people:
            row = {"owner": owner, "rules": rules, "player": player, "position": position}
            (last,) = database.execute(SELECT_CARD, row).fetchone() or (None,)
            answered = last_review(parse_card(last))
            if begun is None or answered is None or answered < begun:
                card = next_card(last, well=well, now=now)
                database.execute(INSERT_CARD, {**row, "card": card})


SELECT_CARD = (
    "SELECT card FROM cards WHERE owner = :owner AND rules = :rules AND player = :player "
    "AND position = :position"
)

INSERT_CARD = "INSERT OR REPLACE INTO cards VALUES (:owner, :rules, :player, :position, :card)"


def _mistakes(history: History, rules: str, name: str | None) -> Iterator[Mistake]:
    """Yield all mistakes; the id consists of the numbers of the review and of the decision."""
    query = "SELECT * FROM cards WHERE {owned} AND rules = :rules"
    with history.database.reading() as database:
        cards = {
            (row["owner"], row["player"], row["position"]): parse_card(row["card"])
            for row in history.select(database, query, rules=rules)
        }
    for review in history.reviews(rules, name):
        if review.objective != EXPECTED:
            continue
        for number, decision in enumerate(review.decisions):
            if decision.loss >= EXCELLENT:
                card = cards.get((review.owner, review.player, decision.position))
                last = last_review(card)
                saved_at = parse_time(review.saved_at) if last else None
                is_new = last is None or (saved_at is not None and saved_at > last)
                yield Mistake(
                    f"{review.id}.{number}",
                    review.owner,
                    review.player,
                    decision.position,
                    decision.chosen,
                    decision.loss,
                    None if is_new or card is None else card.due,
                )


def parse_card(text: str | None) -> Card | None:
    """Return the times in an FSRS card; None if it is missing or damaged."""
    try:
        data = json.loads(text or "")
        card = Card(*(datetime.fromisoformat(data[key]) for key in Card._fields))
    except (ValueError, TypeError, LookupError):
        return None
    return card if all(time.tzinfo for time in card) else None


def last_review(card: Card | None) -> datetime | None:
    """Return the time of the last answer; None if there is no card."""
    return card.last_review if card else None


def next_card(last: str | None, *, well: bool, now: datetime) -> str:
    """Return the FSRS card of a position, as JSON, after one more answer; see :func:`practiced`."""
    import fsrs  # in the extras play and web

    # There are no learning steps because a practice session repeats bad answers itself. There is
    # no fuzzing because dates must be reproducible.
    scheduler = fsrs.Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    new = fsrs.Card(card_id=0)  # FSRS would wait a millisecond to create an id
    rating = fsrs.Rating.Good if well else fsrs.Rating.Again
    try:
        card = fsrs.Card.from_json(last) if last and parse_card(last) else new
        card, _ = scheduler.review_card(card, rating, now.astimezone(UTC))
    except (ArithmeticError, ValueError, TypeError, LookupError):  # a damaged card
        card, _ = scheduler.review_card(new, rating, now.astimezone(UTC))
    return card.to_json()
