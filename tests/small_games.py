"""Random small rules with every kind of pattern, points, bonus, joker, order, and turn."""

from itertools import pairwise
from typing import Any

from hypothesis import strategies as st

from rollwise.rules import Rules
from rollwise.rules.schema import rules_of

MAX_UPPER = 500
"""The maximum number of states of upper-section totals in a small game with several columns."""


def _patterns(dice: int, faces: int) -> st.SearchStrategy[dict[str, Any]]:
    face = st.integers(1, faces)
    groups = (
        st.lists(st.integers(1, dice), min_size=1, max_size=2)
        .filter(lambda sizes: sum(sizes) <= dice)
        .flatmap(
            lambda sizes: st.fixed_dictionaries(
                {
                    "kind": st.just("groups"),
                    "sizes": st.just(sizes),
                    "distinct": st.booleans() if faces >= len(sizes) else st.just(False),
                }
            )
        )
    )
    simple = st.one_of(
        st.fixed_dictionaries({"kind": st.just("face"), "face": face}),
        groups,
        st.fixed_dictionaries({"kind": st.just("run"), "length": st.integers(1, min(dice, faces))}),
        st.fixed_dictionaries(
            {"kind": st.just("faces"), "faces": st.lists(face, min_size=1, max_size=dice)}
        ),
        st.fixed_dictionaries(
            {"kind": st.just("among"), "faces": st.lists(face, min_size=1, max_size=faces)}
        ),
        st.fixed_dictionaries(
            {"kind": st.just("sum"), "at_least": st.integers(1, dice * faces)},
            optional={"at_most": st.just(dice * faces)},
        ),
        st.fixed_dictionaries({"kind": st.just("sum"), "at_most": st.integers(0, dice * faces)}),
    )
    either = st.fixed_dictionaries(
        {"kind": st.just("either"), "of": st.lists(simple, min_size=2, max_size=2)}
    )
    return st.one_of(st.just({"kind": "any"}), simple, either)


def small_rules(*, saves: bool = False) -> st.SearchStrategy[Rules]:
    """Draw a small game of any kind; ``saves`` allows games with saved rolls."""
    return plain_rules() | relatives(saves) | mixed_dice() | of_columns()


@st.composite
def plain_rules(draw: st.DrawFn) -> Rules:
    """Draw the rules of a game with 1–3 dice, 2–4 faces, 1–3 rolls, and 1–5 categories."""
    dice = draw(st.integers(1, 3))
    faces = draw(st.integers(2, 4))
    categories: list[dict[str, Any]] = []
    for face in draw(st.lists(st.integers(1, faces), max_size=2)):
        pattern = {"kind": "face", "face": face}
        categories.append({"section": "upper", "pattern": pattern, "points": "matched"})
    for _ in range(draw(st.integers(0 if categories else 1, 2))):
        pattern = draw(_patterns(dice, faces))
        fixed = [] if pattern["kind"] == "any" else [st.integers(0, 30)]
        points = draw(st.one_of(st.just("matched"), st.just("total"), *fixed))
        category: dict[str, Any] = {"pattern": pattern, "points": points}
        if isinstance(points, str) and draw(st.booleans()):
            category["worth"] = draw(st.lists(st.integers(0, 9), min_size=faces, max_size=faces))
        if draw(st.integers(0, 4)) == 0:
            category["section"] = "upper"
        categories.append(category)
    parts: dict[str, Any] = {}
    # Up to two categories for n of a kind, also in the upper section: the extra bonus and the joker
    # rule may refer to different categories.
    alike_keys = draw(st.sampled_from([[], ["alike"], ["alike"], ["alike", "again"]]))
    for key in alike_keys:
        alike: dict[str, Any] = {
            "key": key,
            "pattern": {"kind": "groups", "sizes": [dice]},
            "points": draw(st.integers(0, 20)),
        }
        if draw(st.integers(0, 4)) == 0:
            alike["section"] = "upper"
        categories.insert(draw(st.integers(0, len(categories))), alike)
    if len(alike_keys) > 0 and draw(st.booleans()):
        parts["extra_bonus"] = {
            "box": draw(st.sampled_from(alike_keys)),
            "points": draw(st.integers(1, 40)),
            "where": draw(st.sampled_from(["anywhere", "own-box"])),
        }
    if len(alike_keys) > 0 and draw(st.booleans()):
        policy = draw(st.sampled_from(["free", "forced", "lower"]))
        parts["joker"] = {"box": draw(st.sampled_from(alike_keys)), "policy": policy}
    for number, category in enumerate(categories):
        category.setdefault("key", f"box-{number}")
        category["title"] = category["key"]
    if any(category.get("section") == "upper" for category in categories) and draw(st.booleans()):
        parts["upper_bonus"] = {
            "threshold": draw(st.integers(1, 25)),
            "points": draw(st.integers(1, 30)),
        }
    return Rules.model_validate(
        {
            "name": "small",
            "title": "A small game",
            "dice": dice,
            "faces": faces,
            "rolls": draw(st.integers(1, 3)),
            "order": draw(st.sampled_from(["free", "card"])),
            "categories": categories,
            **parts,
        }
    )


@st.composite
def of_columns(draw: st.DrawFn) -> Rules:
    """Draw a small game with two or three columns; some categories belong to only one column."""
    data = draw(plain_rules()).model_dump(exclude_none=True)
    for part in ("extra_bonus", "joker", "order"):
        data.pop(part, None)
    data["columns"] = [
        {"key": key, "code": key[0], "title": key, "order": draw(orders)}
        for orders in [st.sampled_from(["free", "card", "upward"])]
        for key in ("left", "right", "middle")[: draw(st.integers(2, 3))]
    ]
    data["categories"] = draw(st.permutations(data["categories"]))[: 6 // len(data["columns"])]
    for category in data["categories"][1:]:
        if draw(st.integers(0, 3)) == 0:
            category["column"] = draw(st.sampled_from(data["columns"]))["key"]
    if all(category.get("section") != "upper" for category in data["categories"]):
        data.pop("upper_bonus", None)
    rules = rules_of(data)
    if rules.upper_numbers > MAX_UPPER:  # a table with more upper-section totals takes too long
        return rules.model_copy(update={"upper_bonus": None})
    return rules


@st.composite
def mixed_dice(draw: st.DrawFn) -> Rules:
    """Draw a small game with two or three dice, including one or two dice of other kinds."""
    rules = draw(plain_rules().filter(lambda rules: rules.dice > 1))
    data = rules.model_dump()
    numbers = st.lists(st.integers(0, 5), min_size=2, max_size=4, unique=True).map(sorted)
    kinds = draw(st.lists(numbers, min_size=1, max_size=rules.dice - 1))
    data["other_dice"] = [{"dice": 1, "numbers": kind} for kind in kinds]
    for category in data["categories"]:
        category["worth"] = None
        faces = category["pattern"].get("face")
        if faces is not None and any(0 in kind for kind in kinds) and draw(st.booleans()):
            category["pattern"] = {"kind": "face", "face": 0}
            category["plus"] = draw(st.integers(0, 5)) if isinstance(category["points"], str) else 0
    return Rules.model_validate(data)


@st.composite
def relatives(draw: st.DrawFn, saves: bool) -> Rules:
    """Draw a small game with bonus steps, added points, points by roll, chains, or saved rolls."""
    rules = draw(plain_rules())
    data = rules.model_dump()
    categories: list[dict[str, Any]] = list(data["categories"])
    data["categories"] = categories
    often = st.booleans()
    turns = draw(
        st.sampled_from(
            ["saves rolls", "extra rolls", "counts rolls", "plain"][0 if saves else 2 :]
        )
    )
    data["saves_rolls"] = turns == "saves rolls" and len(categories) <= 4
    data["extra_rolls"] = draw(st.integers(1, 3)) if turns == "extra rolls" else 0
    for category in categories:
        if isinstance(category["points"], str):
            category["plus"] = draw(st.integers(1, 9) if draw(often) else st.just(0))
            category["times"] = draw(st.sampled_from([1, 1, 2, 3]))
        elif turns == "counts rolls":
            amounts = st.lists(st.integers(0, 30), min_size=rules.rolls, max_size=rules.rolls)
            category["points"] = draw(amounts)
    if any(category["section"] == "upper" for category in categories) and draw(often):
        data["upper_bonus"] = draw(_steps())
    forces = rules.joker is not None and rules.joker.policy != "free"
    orders = [] if forces else ["after", "slots"]
    order = draw(st.sampled_from([*orders, "upward", "free", "card"]))
    if order == "slots":
        several, *others = draw(st.permutations(categories))
        several["slots"] = draw(st.integers(2, 3))
        if draw(often) and others:
            others[0]["after"] = several["key"]
    elif order == "after":
        placed = draw(st.permutations(categories))
        for before, category in pairwise(placed):
            category["after"] = before["key"] if draw(often) else None
    data["order"] = order if order in ("card", "upward") else "free"
    return rules_of(data)


@st.composite
def _steps(draw: st.DrawFn) -> dict[str, Any]:
    """Draw an upper bonus with two or three steps."""
    steps = [{"threshold": draw(st.integers(1, 6)), "points": draw(st.integers(1, 20))}]
    for _ in range(draw(st.integers(1, 2))):
        rise = {"threshold": draw(st.integers(1, 6)), "points": draw(st.integers(1, 20))}
        steps.append({part: steps[-1][part] + rise[part] for part in rise})
    return {**steps[0], "higher": steps[1:]}
