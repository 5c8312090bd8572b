"""Small versions of large games: Maxi Yatzy, which saves rolls, and Yamb with several columns."""

from rollwise.rules import Rules, load_rules, parse_rules
from rollwise.rules.loader import load_rule_file
from rollwise.rules.writer import written_out

MAXI = load_rules("maxi-yatzy")


def small_maxi(boxes: int = 5) -> Rules:
    """Return Maxi Yatzy with only ``boxes`` categories; the maximum is six."""
    few = tuple(MAXI.categories[k] for k in (0, 5, 9, 12, 18, 19)[:boxes])
    assert MAXI.upper_bonus is not None
    bonus = MAXI.upper_bonus.model_copy(update={"threshold": 20})
    return MAXI.model_copy(update={"categories": few, "upper_bonus": bonus})


def small_yamb() -> Rules:
    """Return Yamb with three columns, three dice, and three categories per column."""
    yamb = written_out(load_rule_file("yamb-down-up-free").data | {"name": "small-yamb"})
    head, *boxes = yamb.split("[[categories]]")
    few = [box for box in boxes if box.split('"')[1] in ("ones", "twos", "yamb")]
    text = "[[categories]]".join([head, *few]).replace("dice = 5", "dice = 3")
    return parse_rules(text.replace("[5]", "[3]").replace("threshold = 60", "threshold = 6"))
