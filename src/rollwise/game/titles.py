"""Titles of parts of a scorecard that have no title in the rules."""

from rollwise.rules import Rules


def extra_bonus_title(rules: Rules) -> str:
    """Return the title of the n-of-a-kind bonus, such as ``Yahtzee bonus``.

    The title names the category that makes the bonus possible.
    """
    if rules.extra_bonus is None:
        return "Bonus"
    return f"{rules.categories[rules.keys.index(rules.extra_bonus.box)].title} bonus"
