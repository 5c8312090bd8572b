"""Test the rule sheet of each game: points of rolls, bonuses, jokers, and orders of categories."""

from itertools import combinations_with_replacement

import pytest

from rollwise.errors import InconsistentError
from rollwise.game.dice_notation import parse_dice
from rollwise.game.scorecard import Scorecard, legal_moves
from rollwise.game.scoring import natural_points
from rollwise.rules import Rules, load_rules
from text_tables import indented

POINTS = """
yams
    threes                 13336=9
    three-of-a-kind        13336=9 13333=9
    four-of-a-kind         13333=12 66666=24 33366=0
    full-house             22333=25
    small-straight         12346=30
    large-straight         23456=40
    yahtzee                44444=50
    luck                   13336=16
yahtzee-forced-joker
    threes                 13336=9 12456=0
    three-of-a-kind        13336=16 13356=0
    four-of-a-kind         33336=18 33366=0 66666=30
    full-house             22333=25 33333=0 22334=0
    small-straight         12346=30 23451=30 34566=30 13456=30 12356=0
    large-straight         65432=40 12356=0
    yahtzee                44444=50 44445=0
    chance                 12466=19
kniffel
    threes                 13336=9
    three-of-a-kind        13336=16
    four-of-a-kind         33336=18
    full-house             22333=25 33333=0
    small-straight         13456=30
    large-straight         23456=40
    kniffel                44444=50
    chance                 12466=19
kniffel-holderied
    full-house             33333=25
yacht
    sixes                  16666=24
    full-house             22333=13 33333=0
    four-of-a-kind         33336=12 33333=12 33366=0
    little-straight        12345=30 23456=0
    big-straight           23456=30 12345=0
    choice                 12466=19
    yacht                  44444=50 44445=0
yacht-openspiel
    four-of-a-kind         33336=18
    full-house             22333=13 33333=15
    small-straight         12345=30
    large-straight         23456=30 12345=0
    yacht                  66666=50
yacht-dice
    four-of-a-kind         44446=22
    full-house             22555=19 55555=25
    small-straight         12346=15
    large-straight         23456=30
    yacht                  22222=50
    choice                 12346=16
crag
    sixes                  366=12
    odd-straight           531=20
    even-straight          246=20
    low-straight           123=20 124=0
    high-straight          456=20
    three-of-a-kind        444=25 445=0
maxi-yatzy-no-saving
    ones                   311614=3
    sixes                  464366=18
    one-pair               642651=12
    two-pairs              213355=16 333312=0
    three-pairs            225566=26 222266=0
    three-of-a-kind        453554=15
    four-of-a-kind         242252=8
    five-of-a-kind         332333=15
    small-straight         123453=15
    large-straight         234566=20
    full-straight          123456=21
    full-house             344666=26 344446=0
    villa                  222555=21 222222=0
    tower                  336666=30 666666=0
    chance                 342654=24
    maxi-yatzy             444444=100 444445=0
yatzy
    one-pair               22355=10 66666=12
    two-pairs              22355=14 55556=0
    three-of-a-kind        24446=12
    four-of-a-kind         44446=16
    small-straight         12345=15 12346=0
    large-straight         23456=20
    full-house             22555=19 55555=0
    chance                 22555=19
    yatzy                  22222=50
yatzy-fh5
    full-house             55555=25
yatzy-tp4
    two-pairs              55556=20
    full-house             55555=0
yatzy-pair-in-two-pairs
    two-pairs              55123=10 55122=14
micro-yahtzee
    double                 1=2 2=4 3=6 4=8 5=10 6=12
    square                 1=1 2=4 3=9 4=16 5=25 6=36
kismet
    fives                  25555=20
    three-of-a-kind        13336=16
    straight               12345=30 23456=30 12346=0
    full-house             22333=28 22555=34
    full-house-one-colour  22555=39 33344=37 22333=0
    four-of-a-kind         22223=36 22233=0
    yarborough             12466=19
    kismet                 66666=80 66665=0
balut
    fours                  13446=8
    sixes-3                66666=30
    straight               12345=15 13456=0
    straight-4             23456=20
    full-house             22555=19 55555=0
    choice-2               12466=19
    balut                  44444=40
    balut-3                44445=0
yamb-free
    sixes                  16666=24
    straight               12345=66/56/46 23456=66/56/46
    full-house             22333=43 33333=0
    poker                  33336=52 33333=52 33366=0
    yamb                   33333=65 33336=0
generala
    straight               12345=25/20/20 13456=25/20/20 12346=0
    full-house             22333=35/30/30 33333=0
    four-of-a-kind         22226=45/40/40 22222=45/40/40
    generala               22222=120/60/60
    fours                  24446=12
kniffel-extreme-no-chips
    ones                   11366+1=3
    sixes                  11366+6=18 11345+9=0
    three-of-a-kind        33124+3=16 33124+9=0
    four-of-a-kind         33314+3=17 33314+4=0
    two-pairs              11223+9=18 11245+5=18 33332+1=0
    three-pairs            11223+3=35 11223+4=0 11112+2=0
    two-triples            11133+3=45 11133+1=0
    full-house             11133+9=25 11334+3=25 11111+9=0
    big-full-house         11113+3=45 11133+3=0
    small-straight         11236+0=30 34566+9=30 45666+7=30 12366+9=0
    large-straight         12341+0=40 34566+7=40 12346+8=0
    highway                12345+6=50 12345+0=50 23456+7=50 12346+7=0
    kniffel                33333+9=50 33336+3=50 33336+6=0
    kniffel-extreme        33333+3=75 33333+9=0
    ten-or-less            11222+2=40 11222+3=0
    thirty-three-or-more   55555+8=40 55555+7=0
    chance                 12345+9=24
    super-chance           12345+9=48 11111+0=10
"""
"""The points of rolls in a category, after each roll of a turn if they depend on it."""

SHEETS = [
    ("balut", 28, ()),
    ("crag", 13, ()),
    ("generala", 10, ()),
    ("kismet", 15, ("upper_bonus",)),
    ("kniffel", 13, ("upper_bonus",)),
    ("kniffel-extreme-no-chips", 22, ("upper_bonus",)),
    ("yacht", 12, ()),
    ("yahtzee", 13, ("upper_bonus", "extra_bonus", "joker")),
    ("yahtzee-plain", 13, ("upper_bonus",)),
    ("yams", 13, ()),
]
"""The number of categories of a game, and its bonuses and jokers."""

UPPER_BONUS = [
    ("kismet", {0: 0, 62: 0, 63: 35, 70: 35, 71: 55, 77: 55, 78: 75, 105: 75}),
    ("kniffel-extreme-no-chips", {72: 0, 73: 45, 126: 45}),
    ("maxi-yatzy-no-saving", {83: 0, 84: 100}),
    ("yahtzee-1956", {62: 0, 63: 35}),
    ("yahtzee-forced-joker", {62: 0, 63: 35}),
    ("yamb-free", {59: 0, 60: 30, 105: 30}),
    ("yatzy", {62: 0, 63: 50}),
]
"""The upper-section bonus by the upper-section total."""

MOVES = """
yahtzee-forced-joker -: 44444
    1=0 2=0 3=0 4=20 5=0 6=0 3k=20 4k=20 fh=0 ss=0 ls=0 y=50 ch=20
yahtzee-forced-joker y=50: 44444
    4=20+100
yahtzee-forced-joker y=0: 44444
    4=20
yahtzee-forced-joker y=50: 44445
    1=0 2=0 3=0 4=16 5=5 6=0 3k=21 4k=21 fh=0 ss=0 ls=0 ch=21
yahtzee-forced-joker y=50,4=8: 44444
    3k=20+100 4k=20+100 fh=25+100 ss=30+100 ls=40+100 ch=20+100
yahtzee-forced-joker 4=8,3k=0,4k=0,fh=0,ss=0,ls=0,y=50,ch=9: 44444
    1=0+100 2=0+100 3=0+100 5=0+100 6=0+100
yahtzee y=0: 44444
    1=0 2=0 3=0 4=20 5=0 6=0 3k=20 4k=20 fh=0 ss=0 ls=0 ch=20
yahtzee 4=8: 44444
    1=0 2=0 3=0 5=0 6=0 3k=20 4k=20 fh=0 ss=0 ls=0 y=50 ch=20
yahtzee y=0,5=5: 44444
    1=0 2=0 3=0 4=20 6=0 3k=20 4k=20 fh=0 ss=0 ls=0 ch=20
yahtzee y=0,4=8: 44444
    1=0 2=0 3=0 5=0 6=0 3k=20 4k=20 fh=25 ss=30 ls=40 ch=20
yahtzee-no-joker y=50,4=8,1=1,2=2,3=3,5=5,6=6: 44444
    3k=20+100 4k=20+100 fh=0+100 ss=0+100 ls=0+100 ch=20+100
kniffel k=50,4=8,1=1,2=2,3=3,5=5,6=6: 44444
    3k=20 4k=20 fh=0 ss=0 ls=0 ch=20
kniffel-booklet k=50: 55555
    1=0 2=0 3=0 4=0 5=25+50 6=0 3k=25 4k=25 fh=0 ss=0 ls=0 ch=25
kniffel-booklet k=0: 55555
    1=0 2=0 3=0 4=0 5=25 6=0 3k=25 4k=25 fh=0 ss=0 ls=0 ch=25
kniffel-booklet k=50,5=25: 55555
    1=0 2=0 3=0 4=0 6=0 3k=25 4k=25 fh=25 ss=30 ls=40 ch=25
kniffel-booklet k=50,5=25,3k=0,4k=0,fh=0,ss=0,ls=0,ch=9: 55555
    1=0 2=0 3=0 4=0 6=0
yahtzee-1956 -: 44444
    1=0 2=0 3=0 4=20 5=0 6=0 3k=20 4k=20 fh=0 ss=0 ls=0 y=50 ch=20
yahtzee-1956 y=50: 44444
    3k=20+100 4k=20+100 fh=25+100 ss=30+100 ls=40+100 ch=20+100
yahtzee-1956 y=0: 44444
    3k=20 4k=20 fh=25 ss=30 ls=40 ch=20
yahtzee-1956 3k=0,4k=0,fh=0,ss=0,ls=0,y=50,ch=9: 44444
    1=0+100 2=0+100 3=0+100 4=0+100 5=0+100 6=0+100
yatzy-forced-order -: 66666
    1=0
yatzy-forced-order 1=3: 66666
    2=0
yamb-down 1=1,2=2: 12346
    3=3
yamb-up -: 12346
    y=0
yamb-up y=0,p=0: 12346
    fh=0
yamb-free 1=1,y=0: 12346
    2=2 3=3 4=4 5=0 6=6 s=0 fh=0 p=0
balut -: 12346
    4=4 5=0 6=6 s=0 fh=0 ch=16 b=0
balut fours=4,fours-2=0,fours-3=0,straight=0: 12346
    44=4 5=0 6=6 s2=0 fh=0 ch=16 b=0
"""
"""A game, a scorecard, a final roll, and below them all legal moves: codes of categories with their
points and the extra bonus."""


def by_roll(rules: Rules, key: str, dice: str) -> list[int]:
    """Return the points of dice in a category after each roll of a turn."""
    k, roll = rules.category_index(key), parse_dice(rules, dice)
    return [natural_points(rules, k, roll, number) for number in range(1, rules.rolls + 1)]


@pytest.mark.parametrize(("name", "line"), indented(POINTS))
def test_points(name: str, line: str) -> None:
    rules, (key, *rolls) = load_rules(name), line.split()
    for dice, _, points in (roll.partition("=") for roll in rolls):
        each = [int(number) for number in points.split("/")]
        assert by_roll(rules, key, dice) == (each if len(each) > 1 else each * rules.rolls), dice


@pytest.mark.parametrize(("name", "categories", "parts"), SHEETS)
def test_categories_bonuses_and_jokers(name: str, categories: int, parts: tuple[str, ...]) -> None:
    rules = load_rules(name)
    assert len(rules.categories) == categories
    assert parts == tuple(
        part for part in ("upper_bonus", "extra_bonus", "joker") if getattr(rules, part)
    )


@pytest.mark.parametrize(("name", "steps"), UPPER_BONUS)
def test_upper_bonus(name: str, steps: dict[int, int]) -> None:
    bonus = load_rules(name).upper_bonus
    assert bonus is not None
    assert {total: bonus.at(total) for total in steps} == steps


def test_a_bonus_of_several_steps_on_the_scorecard() -> None:
    for sixes, bonus in ((12, 0), (18, 35), (24, 35), (30, 55)):
        card = Scorecard(load_rules("kismet"), (3, 6, 9, 12, 15, sixes, *[None] * 9))
        assert (card.upper, card.upper_bonus) == (45 + sixes, bonus)
        assert card.points == 45 + sixes + bonus


@pytest.mark.parametrize(("position", "moves"), indented(MOVES))
def test_legal_moves(position: str, moves: str) -> None:
    name, card, dice = position.replace(":", "").split()
    rules = load_rules(name)
    legal = legal_moves(rules, Scorecard(rules, card).state, parse_dice(rules, dice))
    words = [
        f"{rules.categories[move.category].code}={move.points}"
        + f"+{move.extra}" * (move.extra > 0)
        for move in legal
    ]
    assert " ".join(words) == moves


@pytest.mark.parametrize(
    ("name", "card", "points"),
    [
        ("kniffel-booklet", "kniffel=50,fives=25,sixes=30,extra-bonus=100", 205),
        ("kniffel-booklet", "kniffel=50,chance=25,fives=20,extra-bonus=50", None),
        ("yahtzee-1956", "yahtzee=50,large-straight=40,extra-bonus=100", 190),
        ("yahtzee-1956", "yahtzee=50,fours=20,extra-bonus=100", None),
        ("yahtzee-1956", "yahtzee=50,large-straight=0,extra-bonus=100", None),
    ],
)
def test_an_extra_bonus_needs_a_category_that_pays_it(
    name: str, card: str, points: int | None
) -> None:
    rules = load_rules(name)
    if points is not None:
        assert Scorecard(rules, card).points == points
        return
    with pytest.raises(InconsistentError, match="extra-bonus"):
        Scorecard(rules, card)


@pytest.mark.parametrize(
    ("name", "total"), [("crag", 244), ("balut", 812), ("kniffel-extreme-no-chips", 833)]
)
def test_highest_total_of_all_categories(name: str, total: int) -> None:
    rules = load_rules(name)
    most = [
        max(natural_points(rules, k, roll, rules.rolls) for roll in rules.every_roll())
        for k in range(len(rules.categories))
    ]
    assert sum(most) == total


class TestGamesWithTheSameSheet:
    def test_kniffel(self) -> None:
        kniffel, plain = load_rules("kniffel"), load_rules("yahtzee-plain")
        booklet = load_rules("kniffel-booklet")
        parts, others = (
            [(c.section, c.pattern, c.points, c.worth) for c in rules.categories]
            for rules in (kniffel, plain)
        )
        assert parts == others
        assert (kniffel.dice, kniffel.rolls) == (5, 3)
        assert kniffel.categories == booklet.categories
        assert kniffel.upper_bonus == plain.upper_bonus == booklet.upper_bonus

    def test_maxi_yatzy(self) -> None:
        words = {"name": "", "title": "", "about": "", "sources": ()}
        rules, without = load_rules("maxi-yatzy"), load_rules("maxi-yatzy-no-saving")
        same = without.model_copy(update=words | {"saves_rolls": True})
        assert rules.model_copy(update=words) == same
        # Every turn uses at least one roll.
        assert [rules.saved_after(turns) for turns in (0, 1, 5)] == [range(1), range(3), range(11)]

    def test_yamb(self) -> None:
        free, down, up = (load_rules(f"yamb-{way}") for way in ("free", "down", "up"))
        assert free.categories == down.categories == up.categories
        assert [rules.order for rules in (free, down, up)] == ["free", "card", "upward"]

    def test_balut_has_four_slots_of_each_category(self) -> None:
        rules = load_rules("balut")
        assert [len(chain) for chain in rules.chains] == [4] * 7
        assert rules.keys[:5] == ("fours", "fours-2", "fours-3", "fours-4", "fives")


def test_crag_by_its_definition() -> None:
    rules = load_rules("crag")
    assert (rules.dice, rules.rolls) == (3, 2)
    for roll in combinations_with_replacement(range(1, 7), 3):
        thirteen, pair = sum(roll) == 13, len(set(roll)) < 3
        points = [
            natural_points(rules, rules.category_index(k), roll) for k in ("thirteen", "crag")
        ]
        assert points == [26 * thirteen, 50 * (thirteen and pair)]


class TestKismet:
    COLOR = ("", "black", "red", "green", "green", "red", "black")
    ROLLS = tuple(combinations_with_replacement(range(1, 7), 5))

    def points(self, name: str, key: str, roll: tuple[int, ...]) -> int:
        rules = load_rules(name)
        return natural_points(rules, rules.category_index(key), roll)

    def test_colors_by_their_definition(self) -> None:
        for roll in self.ROLLS:
            pairs = [self.COLOR[face] for face in set(roll) if roll.count(face) >= 2]
            one_color = len({self.COLOR[face] for face in roll}) == 1
            two_pairs = len(pairs) == 2 and len(set(pairs)) == 1
            assert self.points("kismet", "flush", roll) == 35 * one_color, roll
            two = self.points("kismet", "two-pairs-one-colour", roll)
            assert two == sum(roll) * two_pairs, roll

    def test_four_and_five_of_a_kind_are_also_pairs_and_full_houses(self) -> None:
        usual, alike = load_rules("kismet"), load_rules("kismet-alike")
        assert (alike.keys, alike.upper_bonus) == (usual.keys, usual.upper_bonus)
        plus = {"two-pairs-one-colour": 0, "full-house": 15, "full-house-one-colour": 20}
        for roll in self.ROLLS:
            most = max(map(roll.count, roll))
            for key in usual.keys:
                fits = key in plus and (most == 5 or (most == 4 and plus[key] == 0))
                expected = sum(roll) + plus[key] if fits else self.points("kismet", key, roll)
                assert self.points("kismet-alike", key, roll) == expected, (key, roll)
