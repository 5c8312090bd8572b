"""The rules of a game as the client needs them."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from rollwise.game.scorecard import extra_bonus_title
from rollwise.playing.category_codes import ENTER, first_slot, typed_code
from rollwise.reviews.grades import EXCELLENT, INACCURACY, MISTAKE
from rollwise.rules import Rules
from rollwise.rules.describe import describe_category


@cache
def face_colors(rules: Rules) -> tuple[int, ...]:
    """Return the number of the color of each ordinary face; empty if the faces have no colors.

    A game has colors if it has a flush: a category whose dice are all among some faces, or all
    among some other faces.
    """
    for category in rules.categories:
        if category.pattern.kind != "either":
            continue
        groups = [part.faces for part in category.pattern.of if part.kind == "among"]
        if len(groups) == len(category.pattern.of):
            color = {face: number for number, faces in enumerate(groups) for face in faces}
            return tuple(color.get(face, 0) for face in range(1, rules.faces + 1))
    return ()


def rules_data(rules: Rules, averages: Mapping[str, float] | None = None) -> dict[str, Any]:
    """Return the rules as data for JSON, as ``game.js`` describes them.

    Parameters
    ----------
    averages : mapping of str to float, optional
        The average points of each category in optimal play.
    """
    averages = averages or {}
    categories = []
    for k, category in enumerate(rules.categories):
        needs, pays = describe_category(category)
        average = averages.get(category.key)
        before = rules.before[k]
        categories.append(
            {
                "key": category.key,
                "code": typed_code(rules, k).removesuffix(ENTER),
                "title": category.title,
                "section": category.section,
                "needs": needs,
                "pays": pays,
                "average": None if average is None else round(average, 2),
                "first": first_slot(rules, k),
                "before": -1 if before is None else before,
                "column": rules.column_of[k],
                "row": category.key.removeprefix(f"{category.column}-"),
                "name": rules.row_titles[k],
            }
        )
    bonus, extra = rules.upper_bonus, rules.extra_bonus
    return {
        "name": rules.name,
        "title": rules.title,
        "dice": rules.dice,
        "faces": rules.faces,
        "kinds": [
            {"dice": dice, "symbols": list(symbols)}
            for (dice, _), symbols in zip(rules.kinds, rules.symbols, strict=True)
        ],
        "numbers": rules.numbers,
        "rolls": rules.rolls,
        "saved": rules.saved_name if rules.carries_rolls else "",
        "hasExtraRolls": rules.extra_rolls > 0,
        "columns": [column.title for column in rules.columns],
        "colors": face_colors(rules),
        "bonus": [
            {"threshold": step.threshold, "points": step.points}
            for step in (bonus.steps if bonus else ())
        ],
        "extra": extra
        and {
            "title": extra_bonus_title(rules),
            "points": extra.points,
            "box": rules.category_index(extra.box),
        },
        "grades": [EXCELLENT, INACCURACY, MISTAKE],
        "categories": categories,
    }
