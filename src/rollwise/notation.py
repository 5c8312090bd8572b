"""Text forms of dice, keeps, actions, cards and positions: ``parse(format(x)) == x``."""

import re
from collections import Counter
from collections.abc import Sequence

from rollwise.consistency import check_upper_total
from rollwise.errors import IllegalError, MalformedError, quoted
from rollwise.position import Position
from rollwise.rules import Groups, Rules
from rollwise.scorecard import Action, Dice, Keep, Score, Scorecard, State

MAX_LENGTH = 2_000
"""Longer texts are refused unread."""

NONE = "-"
BETWEEN_KINDS = "+"
BESIDE_BOXES = {"extra-bonus": "the extra bonus", "saved": "the saved rolls"}
"""What a card says beside its boxes, and what the number is."""


def _check_length(text: str) -> None:
    if len(text) > MAX_LENGTH:
        raise MalformedError(f"expected at most {MAX_LENGTH} characters, got {len(text)}")


def _number(text: str, what: str) -> int:
    if not re.fullmatch(r"[0-9]{1,6}", text):
        raise MalformedError(f"expected {what} as a whole number of 0 or more, got {quoted(text)}")
    return int(text)


def _symbols(rules: Rules, text: str, expected: str) -> Dice:
    _check_length(text)
    parts = text.split(BETWEEN_KINDS)
    symbols: list[int] = []
    for part, known in zip(parts, _symbol_of_number(rules), strict=False):
        # One digit a die, with or without separators, as long as digits suffice; else numbers.
        tokens = re.findall(r"[0-9]" if max(known) <= 9 else r"[0-9]+", part)
        found = [known.get(int(token)) for token in tokens if len(token) < 6]
        symbols += [symbol for symbol in found if symbol is not None]
        if re.sub(r"[0-9,\s]", "", part) or found.count(None) or len(found) < len(tokens):
            raise MalformedError(f"expected {expected}, got {quoted(text)}")
    if len(parts) > len(rules.kinds) or not symbols:
        raise MalformedError(f"expected {expected}, got {quoted(text)}")
    return tuple(sorted(symbols))


def _symbol_of_number(rules: Rules) -> list[dict[int, int]]:
    """Return for each kind of dice the symbol of each number."""
    return [{rules.numbers[s - 1]: s for s in symbols} for symbols in rules.symbols]


def parse_dice(rules: Rules, text: str) -> Dice:
    """Return the roll that a text shows, sorted: ``11366``, ``6 1 3 1 6``, ``1,1,3,6,6``.

    Dice of other kinds follow a plus: ``12345+7``.

    Raises
    ------
    MalformedError
        When it is no roll of this game.
    """
    expected = _in_words(rules)
    dice = _symbols(rules, text, expected)
    if not rules.is_roll(dice):
        number = "+".join(str(len(rules.of_kind(dice, kind))) for kind in range(len(rules.kinds)))
        raise MalformedError(f"expected {expected}, got {number} in {quoted(text)}")
    return dice


def _in_words(rules: Rules) -> str:
    return rules.dice_in_words + (f" after a {BETWEEN_KINDS}" if rules.other_dice else "")


def format_dice(rules: Rules, dice: Sequence[int]) -> str:
    """Return dice as text, sorted; commas between them where faces have two digits."""
    parts = []
    for kind, known in enumerate(_symbol_of_number(rules)):
        numbers = map(str, rules.shown(rules.of_kind(sorted(dice), kind)))
        parts.append(("" if max(known) <= 9 else ",").join(numbers))
    return BETWEEN_KINDS.join(parts)


def _spaced(rules: Rules, dice: Sequence[int]) -> str:
    """Return dice as text, spaces between those of one kind."""
    kinds = (rules.shown(rules.of_kind(dice, kind)) for kind in range(len(rules.kinds)))
    return f" {BETWEEN_KINDS} ".join(" ".join(map(str, numbers)) for numbers in kinds)


def die_text(rules: Rules, die: int) -> str:
    """Return what one die shows; after a plus for a die of another kind."""
    number = str(rules.shown((die,))[0])
    return number if die <= rules.faces else BETWEEN_KINDS + number


def parse_keep(rules: Rules, text: str) -> Dice:
    """Return the dice that a text keeps, sorted; ``-`` keeps none, ``+7`` one of another kind.

    Raises
    ------
    MalformedError
        When it is no keep of this game.
    """
    if text.strip() == NONE:
        return ()
    expected = f"- or up to {_in_words(rules)}"
    dice = _symbols(rules, text, expected)
    if min(rules.missing(dice)) < 0:
        raise MalformedError(f"expected {expected}, got {len(dice)} in {quoted(text)}")
    return dice


def format_keep(rules: Rules, dice: Sequence[int]) -> str:
    """Return a keep as text."""
    return format_dice(rules, dice) if dice else NONE


def parse_action(rules: Rules, text: str) -> Action:
    """Return the action that a text names: ``keep 66``, ``keep -``, ``score full-house``.

    Raises
    ------
    MalformedError
        When it is no action.
    """
    _check_length(text)
    verb, _, rest = text.strip().partition(" ")
    if verb == "keep" and rest:
        return Keep(parse_keep(rules, rest))
    if verb == "score" and rest:
        return Score(parse_category(rules, rest.strip()))
    raise MalformedError(f"expected 'keep DICE' or 'score CATEGORY', got {quoted(text)}")


def format_action(rules: Rules, action: Action) -> str:
    """Return an action as text."""
    if isinstance(action, Keep):
        return f"keep {format_keep(rules, action.dice)}"
    return f"score {rules.categories[action.category].key}"


def check_keep(rules: Rules, dice: Dice, keep: Dice) -> None:
    """Check that a keep is part of a roll.

    Raises
    ------
    IllegalError
        When it is not.
    """
    if Counter(keep) - Counter(dice):
        raise IllegalError(
            f"cannot keep {format_keep(rules, keep)} of {format_dice(rules, dice)}: expected dice "
            f"of the roll"
        )


def parse_category(rules: Rules, word: str) -> int:
    """Return the index of the category with this key or code.

    Raises
    ------
    MalformedError
        When no category is called that.
    """
    try:
        return rules.category_index(word)
    except ValueError as error:
        raise MalformedError(str(error)) from None


def parse_scores(text: str) -> list[int]:
    """Return the scores of a list such as ``150,200,250``.

    Raises
    ------
    MalformedError
        When it is no list of whole numbers.
    """
    _check_length(text)
    return [_number(word, "scores") for word in re.split(r"\s*,\s*|\s+", text.strip())]


def parse_card(rules: Rules, text: str) -> Scorecard:
    """Return the card that a text shows: ``ones=3,full-house=25,extra-bonus=100``, ``-`` if empty.

    ``saved=3`` says that three rolls are saved.

    Raises
    ------
    MalformedError
        When it is no card.
    InconsistentError
        When no game can lead to it.
    """
    _check_length(text)
    boxes: list[int | None] = [None] * len(rules.categories)
    others: dict[str, int] = {}
    entries = [] if text.strip() in (NONE, "") else re.split(r"\s*[,;]\s*|\s+", text.strip())
    for entry in entries:
        key, equals, points = entry.partition("=")
        if not equals:
            raise MalformedError(
                f"expected a card as 'category=points,…' or -, got {quoted(entry)}"
            )
        if key in BESIDE_BOXES:
            if key in others:
                raise MalformedError(f"expected {key} once, got it twice")
            others[key] = _number(points, BESIDE_BOXES[key])
            continue
        k = parse_category(rules, key)
        if boxes[k] is not None:
            raise MalformedError(f"expected {rules.categories[k].key} once, got it twice")
        boxes[k] = _number(points, f"the points of {rules.categories[k].key}")
    saved = others.get("saved", rules.extra_rolls)
    return Scorecard(rules, tuple(boxes), others.get("extra-bonus", 0), saved)


def format_card(card: Scorecard) -> str:
    """Return a card as text, in card order."""
    entries = [
        f"{category.key}={points}"
        for category, points in zip(card.rules.categories, card.boxes, strict=True)
        if points is not None
    ]
    if card.extra_bonus:
        entries.append(f"extra-bonus={card.extra_bonus}")
    if card.saved != card.rules.extra_rolls:
        entries.append(f"saved={card.saved}")
    return ",".join(entries) or NONE


def parse_position(rules: Rules, text: str) -> Position:
    """Return the position that a line shows.

    ``dice 11366 | rolls-left 2 | card ones=3``, or, where boxes are not known one by one,
    ``dice 1 1 3 6 6 | rolls 2 | upper 3 | filled ones`` with ``| five_of_a_kind 50`` once that box
    is filled (yatzy-solver's notation): then only the upper section counts in the score so far.
    ``| saved 3`` says that the turn began with three saved rolls.

    Raises
    ------
    MalformedError, InconsistentError
        When it is no position, or one that no game reaches.
    """
    _check_length(text)
    fields: dict[str, str] = {}
    for part in text.split("|"):
        word, _, rest = part.strip().partition(" ")
        if word in fields:
            raise MalformedError(f"expected the field {word!r} once, got it twice")
        fields[word] = rest.strip()
    if set(fields) == {"dice", "rolls-left", "card"}:
        rolls_left = _number(fields["rolls-left"], "the rolls left")
        card = parse_card(rules, fields["card"])
        return Position.of(card, parse_dice(rules, fields["dice"]), rolls_left)
    if set(fields) - {"five_of_a_kind", "saved"} == {"dice", "rolls", "upper", "filled"}:
        state, points = _parse_summary(rules, fields)
        rolls_left = _number(fields["rolls"], "the rolls left")
        return Position(rules, state, points, parse_dice(rules, fields["dice"]), rolls_left)
    raise MalformedError(
        "expected a position as 'dice 11366 | rolls-left 2 | card -' or "
        f"'dice 11366 | rolls 2 | upper 0 | filled -', got {quoted(text)}"
    )


def format_position(position: Position) -> str:
    """Return a position as one line."""
    rules, state = position.rules, position.state
    if position.card is not None:
        dice, card = format_dice(rules, position.dice), format_card(position.card)
        return f"dice {dice} | rolls-left {position.rolls_left} | card {card}"
    bonus = rules.upper_bonus
    earned = bonus.at(state.upper) if bonus else 0
    filled = [_summary_key(rules, k) for k in range(len(rules.categories)) if state.filled >> k & 1]
    line = (
        f"dice {_spaced(rules, position.dice)} | rolls {position.rolls_left} | "
        f"upper {position.points - earned} | filled {','.join(filled) or NONE}"
    )
    box = _alike_box(rules)
    if rules.extra_bonus and box is not None and state.filled >> box & 1:
        line += f" | five_of_a_kind {_box_points(rules, box) if state.armed else 0}"
    if state.saved != position.rules.extra_rolls:
        line += f" | saved {state.saved}"
    return line


def _alike_box(rules: Rules) -> int | None:
    """Return the category ``five_of_a_kind``: that of the extra bonus, or for all dice alike."""
    if rules.extra_bonus:
        return rules.category_index(rules.extra_bonus.box)
    for k, category in enumerate(rules.categories):
        if isinstance(category.pattern, Groups) and category.pattern.sizes == (rules.dice,):
            return k
    return None


def _box_points(rules: Rules, box: int) -> int:
    """Return points that the box may hold: the most, where they are fixed."""
    fixed = (rules.categories[box].fixed_points(roll) for roll in range(1, rules.rolls + 1))
    return max((points for points in fixed if points is not None), default=1)


def _summary_key(rules: Rules, k: int) -> str:
    key = rules.keys[k]
    five = k == _alike_box(rules) and (rules.extra_bonus or key == "yahtzee")
    return "five_of_a_kind" if five else key.replace("-", "_")


def _parse_summary(rules: Rules, fields: dict[str, str]) -> tuple[State, int]:
    box = _alike_box(rules)
    filled = 0
    words = [] if fields["filled"] == NONE else re.split(r"[,\s]+", fields["filled"])
    for word in words:
        five = word == "five_of_a_kind" and box is not None
        k = box if five and box is not None else parse_category(rules, word.replace("_", "-"))
        if filled >> k & 1:
            raise MalformedError(f"expected {word} once, got it twice")
        filled |= 1 << k
    armed = False
    if rules.extra_bonus and box is not None and filled >> box & 1:
        if "five_of_a_kind" not in fields:
            raise MalformedError(
                "expected the field 'five_of_a_kind POINTS', since that category is filled"
            )
        armed = _number(fields["five_of_a_kind"], "the points of five_of_a_kind") > 0
    elif "five_of_a_kind" in fields:
        raise MalformedError("expected no field 'five_of_a_kind' while that category is open")
    total = _number(fields["upper"], "the upper total")
    check_upper_total(rules, filled, total)
    saved = rules.extra_rolls
    if "saved" in fields:
        saved = _number(fields["saved"], "the saved rolls")
    bonus = rules.upper_bonus
    upper, earned = (min(total, bonus.cap), bonus.at(total)) if bonus else (0, 0)
    return State(filled, upper, armed, saved), total + earned
