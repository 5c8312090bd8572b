"""Titles for the parts of a scorecard that the rules do not name."""

from rollwise.rules import Rules


def extra_bonus_title(rules: Rules) -> str:
    """Return the title of the n-of-a-kind bonus, such as ``Yahtzee bonus``.

    The title contains the title of the category that enables the bonus. If the rules do not have
    this bonus, return ``Bonus``.
    """
    if rules.extra_bonus is None:
        return "Bonus"
    return f"{rules.categories[rules.keys.index(rules.extra_bonus.box)].title} bonus"
