"""The pages, one file each."""

from rollwise.web.desk import Desk
from rollwise.web.pages import (
    advise,
    compare,
    home,
    play,
    practice,
    proficiency,
    review,
    statistics,
    targets,
)
from rollwise.web.rooms import Rooms


def add(desk: Desk) -> None:
    """Add all pages to the application."""
    rooms = Rooms(desk)
    home.add(desk)
    play.add(rooms)
    advise.add(desk)
    review.add(desk)
    statistics.add(desk)
    compare.add(desk)
    targets.add(desk)
    proficiency.add(desk)
    practice.add(desk)
