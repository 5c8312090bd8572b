"""Games in which a box is announced after the first roll of a turn, which has to end in it."""

from typing import TYPE_CHECKING

from rollwise.errors import InputError


class Announced:
    """Whether boxes are announced, which not everything knows how to do."""

    if TYPE_CHECKING:  # the fields of the rules
        name: str
        announced: bool

    def check_unannounced(self, what: str) -> None:
        """Refuse something that does not know how a box is announced.

        Raises
        ------
        InputError
            When boxes are announced.
        """
        if self.announced:
            raise InputError(
                f"{self.name}: its boxes are announced: expected a game without announcements "
                f"for {what}"
            )
