"""Numbers on T. Verhoeff's slides, as printed, beside computed numbers.

If two options are equally good, Verhoeff's strategy keeps fewer dice. This rule affects the last
digit of five cells of the tables. The slides also print two games. Each of their rolls and
decisions is checked against optimal play.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import factorial

from rollwise.distribution import Distribution
from rollwise.evaluation.evaluate import CategoryStatistics, evaluate
from rollwise.game.dice_notation import format_dice, format_keep, parse_dice
from rollwise.game.notation import format_action, parse_action
from rollwise.game.scorecard import Dice, Move, Scorecard, legal_moves
from rollwise.game.scoring import natural_points
from rollwise.model.arrays import build
from rollwise.model.dice_lattice import Lattice
from rollwise.model.size import counts
from rollwise.model.turn import Values, roll_values
from rollwise.rules import load_rules
from rollwise.solving.position_index import CardIndex
from rollwise.solving.solution import TOLERANCE
from rollwise.solving.turn_policy import Cards, Turns
from rollwise.strategies import Optimal, RandomCategory
from rollwise.studies import adversarial_dice, opening_tables
from rollwise.studies.game_tree import game_size
from rollwise.studies.opening_tables import rated_rolls, rolls_of_equal_value
from rollwise.studies.published.figures import (
    ComputedValue,
    Row,
    optimal_evaluation,
    rows_of,
    solution,
    table,
)

Entries = Sequence[ComputedValue]

STATISTICS = ("E", "SD", "% 0")
"""The columns of the tables of categories: mean, standard deviation, and percentage of zeros."""

PERCENTAGES = (1, 5, 10, 25, 50, 75, 90, 95, 99)
"""The percentages of the tables of quantiles."""

LAST_DIGIT = {"% 0": "the last digit is off by one with both tie-breaks"}

MINIMUM_GAME = (
    "14455 1 ones",
    "12355 2 twos",
    "11226 0 four-of-a-kind",
    "12246 0 yahtzee",
    "11226 0 threes",
    "12233 0 fours",
    "12233 0 fives",
    "12233 0 full-house",
    "12233 0 sixes",
    "11233 0 large-straight",
    "11223 9 chance",
    "45566 0 three-of-a-kind",
    "56666 0 small-straight",
)
"""The final roll of each turn, its points, and its category."""

DEMONIC_GAME = (
    "11236 6 12356 235 12356 1 ones",
    "11236 6 11126 111 11134 10 three-of-a-kind",
    "11236 3 11136 3 11356 0 four-of-a-kind",
    "11126 6 11126 2 12355 2 twos",
    "11226 6 12226 6 22246 0 yahtzee",
    "12222 none 12222 none 12226 0 threes",
    "23333 none 23333 none 22223 0 fours",
    "12222 none 23333 none 22223 0 fives",
    "12222 none 12222 none 22234 0 full-house",
    "22555 none 23333 none 22223 0 sixes",
    "22266 none 12222 none 22223 0 large-straight",
    "22266 none 12222 none 11112 6 chance",
    "56666 none 55666 none 56666 0 small-straight",
)
"""The three rolls of each turn, with the dice to keep after the first two; points and category."""


@table("Micro Yahtzee: Analysis", rules="micro-yahtzee", cut=True)
def micro_yahtzee_analysis() -> Iterator[Row]:
    size = game_size(load_rules("micro-yahtzee"))
    assert size.strategies is not None
    yield "games", "72", size.games
    yield "deterministic strategies", "64", size.strategies
    yield "probability of each game", "0.02777", size.rarest


@table(
    "Random Play (without Bonuses and Jokers)",
    rules="yahtzee-plain-no-bonus",
    columns=("probability", "E"),
)
def random_play() -> Iterator[Row]:
    printed = """
        ones: - 0.83; twos: - 1.67; threes: - 2.50; fours: - 3.33; fives: - 4.17; sixes: - 5.00
        three-of-a-kind: 1656/7776 3.73; four-of-a-kind: 156/7776 0.35; full-house: 300/7776 0.96
        small-straight: 1200/7776 4.63; large-straight: 240/7776 1.23; yahtzee: 6/7776 0.04
        chance: - 17.50; grand total: - 45.95"""
    yield from rows_of(printed, _random_play())


@table("Yahtzee Game Tree", rules="yahtzee")
def game_tree() -> Iterator[Row]:
    size = game_size(load_rules("yahtzee"))
    yield "games", "1.7e170", size.games
    product = 6**5 * 7**5 * 7**5 * factorial(13)
    reason = "for the stated number, the ways to play one turn need the exponent 13"
    yield "the product as written", "1.7e170", product, reason
    reason = "the reciprocal is 5.5e151, and the source puts a minus sign before its exponent"
    yield "least probability of a game", "5.5e-151", size.rarest, reason
    reason = "the reciprocal is 3.8e50, and the source puts a minus sign before its exponent"
    yield "greatest probability of a game", "3.8e-50", size.likeliest, reason


@table("Reduced Yahtzee Game States", rules="yahtzee")
def game_states() -> Iterator[Row]:
    number = counts(load_rules("yahtzee"))
    yield "between turns", "786432", number["states between turns"]
    yield "within a turn", "1681", number["states in a turn"]
    yield "rolled dice", "252", number["rolls"]
    yield "kept dice", "462", number["keeps"]


@table("Computational Approach", rules="yahtzee")
def computation() -> Iterator[Row]:
    number = counts(load_rules("yahtzee"))
    yield "states required", "536448", number["reachable states between turns"]


@table("Dilemmas Resolved", rules="yahtzee", columns=("value", "SD"))
def dilemmas() -> Iterator[Row]:
    printed = {
        "11666 | rolls-left 2: keep 666": "265.12 61",
        "11666 | rolls-left 2: score full-house": "253.91 57",
        "11346 | rolls-left 1: keep 34": "245.17 57",
        "11346 | rolls-left 1: keep 11": "245.14 57",
        "11346 | rolls-left 1: keep 4": "244.96 57",
        "11346 | rolls-left 1: keep 3": "244.74 57",
        "11346 | rolls-left 1: keep -": "244.55 57",
        "11346 | rolls-left 1: keep 6": "244.52 57",
        "66661 | rolls-left 0: score sixes": "268.23 53",
        "66661 | rolls-left 0: score four-of-a-kind": "260.54 54",
    }
    best = solution("yahtzee")
    for row, numbers in printed.items():
        position, _, action = row.partition(": ")
        wanted = parse_action(best.rules, action)
        (option,) = (option for option in best.options(position) if option.action == wanted)
        assert option.sd is not None
        yield row, numbers, [option.value, option.sd]


@table("Optimal Strategy Trivia", rules="yahtzee")
def trivia() -> Iterator[Row]:
    distribution = optimal_evaluation("yahtzee", fewer_dice=True).distribution
    yield "expected final score value", "254.59", distribution.mean
    yield "expected final score SD", "60", distribution.sd
    yield "median final score value", "248", distribution.median
    dice, action, value, sd = _rolls_of_first_turn(rolls_left=2, place=0)
    alike = sorted(dice) == [str(face) * 5 for face in range(1, 7)]
    yield "best first roll dice", "yyyyy", "yyyyy" if alike else dice
    yield "best first roll action", "score yahtzee", action
    yield "best first roll value", "320.84", value
    yield "best first roll SD", "83", sd
    dice, action, value, sd = _rolls_of_first_turn(rolls_left=2, place=-1)
    yield "worst first roll dice", "11236", dice
    yield "worst first roll action", "keep 6", action
    yield "worst first roll value", "249.83", value
    yield "worst first roll SD", "58", sd
    dice, action, value, sd = _rolls_of_first_turn(rolls_left=0, place=-1)
    yield "worst third roll dice", "23446", dice
    yield "worst third roll action", "score chance", action
    yield "worst third roll value", "238.96", value
    yield "worst third roll SD", "57", sd
    yield "minimum score value", "12", distribution.minimum


@table("Final Scores per Category for Optimal Strategy", rules="yahtzee", columns=STATISTICS)
def categories() -> Iterator[Row]:
    printed = """
        ones: 1.88 1.22 10.84; twos: 5.28 2.00 1.80; threes: 8.57 2.71 0.95
        fours: 12.16 3.29 0.60; fives: 15.69 3.85 0.50; sixes: 19.19 4.64 0.53
        upper bonus: 23.84 16.31 31.88; three-of-a-kind: 21.66 5.62 3.26
        four-of-a-kind: 13.10 11.07 36.34; full-house: 22.59 7.38 9.63
        small-straight: 29.46 3.99 1.80; large-straight: 32.71 15.44 18.22
        yahtzee: 16.87 23.64 66.26; chance: 22.01 2.54 0.00; extra bonus: 9.58 34.08 91.76
        grand total: 254.59 59.61 0.00; yahtzees rolled: 0.46 0.69 63.24
        jokers applied: 0.04 0.19 96.30"""
    sd = {"SD": "a category of 30 or 0 points with the exact mean 29.4612 has an SD of 3.984"}
    errors = {"small-straight": sd, "extra bonus": LAST_DIGIT}
    yield from rows_of(printed, _statistics("yahtzee"), errors)


@table(
    "Final Scores, playing w/o Extra Yahtzee Bonus and Jokers",
    rules="yahtzee-plain",
    columns=STATISTICS,
)
def categories_plain() -> Iterator[Row]:
    printed = """
        ones: 1.82 1.14 9.19; twos: 5.25 1.95 1.31; threes: 8.57 2.65 0.59; fours: 12.19 3.24 0.46
        fives: 15.74 3.81 0.40; sixes: 19.29 4.61 0.46; upper bonus: 24.14 16.19 31.02
        three-of-a-kind: 22.23 5.50 3.44; four-of-a-kind: 13.04 11.44 39.38
        full-house: 22.86 6.99 8.54; small-straight: 29.53 3.71 1.55
        large-straight: 33.04 15.16 17.40; yahtzee: 15.89 23.28 68.21; chance: 22.26 2.44 0.00
        grand total: 245.87 39.82 0.00; yahtzees rolled: 0.41 0.61 64.76"""
    yield from rows_of(printed, _statistics("yahtzee-plain"), {"sixes": LAST_DIGIT})


@table(
    "Distribution of Final Score for Optimal Strategy",
    rules="yahtzee",
    columns=("%", "cumulative %"),
    games=100_000,
)
def distribution() -> Iterator[Row]:
    printed = """
        100 – 119: 0 0; 120 – 139: 0 0; 140 – 159: 2 2; 160 – 179: 3 5; 180 – 199: 9 14
        200 – 219: 13 27; 220 – 239: 14 41; 240 – 259: 20 60; 260 – 279: 19 80; 280 – 299: 6 86
        300 – 319: 5 90; 320 – 339: 2 92; 340 – 359: 1 93; 360 – 379: 1 94; 380 – 399: 2 96
        400 – 419: 2 98; 420 – 439: 1 99; 440 – 459: 0 99; 460 – 479: 0 99; 480 – 499: 0 99"""
    yield from rows_of(printed, _bands("yahtzee"))


@table(
    "Distribution, playing w/o Extra Yahtzee Bonus and Jokers",
    rules="yahtzee-plain",
    columns=("%", "cumulative %"),
    games=100_000,
)
def distribution_plain() -> Iterator[Row]:
    printed = """
        100 – 119: 0 0; 120 – 139: 0 0; 140 – 159: 2 2; 160 – 179: 3 5; 180 – 199: 9 14
        200 – 219: 13 27; 220 – 239: 14 40; 240 – 259: 21 61; 260 – 279: 21 82; 280 – 299: 8 90
        300 – 319: 6 97; 320 – 339: 3 100; 340 – 359: 0 100"""
    yield from rows_of(printed, _bands("yahtzee-plain"))


@table("Cumulative Distribution of Optimal Final Score", rules="yahtzee")
def quantiles() -> Iterator[Row]:
    printed = """
        1 %: 152; 5 %: 180; 10 %: 195; 25 %: 218; 50 %: 248; 75 %: 273; 90 %: 319; 95 %: 388
        99 %: 474"""
    yield from rows_of(printed, _quantiles("yahtzee"))


@table(
    "Cumulative Distribution of Final Score, without Extra Yahtzee Bonus and Jokers",
    rules="yahtzee-plain",
)
def quantiles_plain() -> Iterator[Row]:
    printed = """
        1 %: 152; 5 %: 180; 10 %: 195; 25 %: 218; 50 %: 248; 75 %: 271; 90 %: 299; 95 %: 317
        99 %: 327"""
    yield from rows_of(printed, _quantiles("yahtzee-plain"))


@table(
    "Earliest Scoring per Category for Optimal Strategy",
    rules="yahtzee",
    columns=("non-zero", "zero"),
)
def earliest_scoring() -> Iterator[Row]:
    printed = """
        ones: 1 2; twos: 1 3; threes: 1 4; fours: 1 5; fives: 1 6; sixes: 1 9
        three-of-a-kind: 1 7; four-of-a-kind: 2 2; full-house: 1 5; small-straight: 1 10
        large-straight: 1 7; yahtzee: 1 3; chance: 1 never"""
    categories = optimal_evaluation("yahtzee", fewer_dice=True).categories
    ours = {
        key: [turn or "never" for turn in (category.first_scored, category.first_zero)]
        for key, category in categories.items()
    }
    yield from rows_of(printed, ours)


@table(
    "Last Turn Values per Category (w/o Extra Yahtzee Bonus)",
    rules="yahtzee",
    columns=STATISTICS,
)
def last_turns() -> Iterator[Row]:
    printed = """
        ones: 2.11 1.10 6.49; twos: 4.21 2.21 6.49; threes: 6.32 3.31 6.49; fours: 8.43 4.42 6.49
        fives: 10.53 5.52 6.49; sixes: 12.64 6.62 6.49; three-of-a-kind: 15.19 10.42 28.76
        four-of-a-kind: 5.61 9.66 72.26; full-house: 9.15 12.04 63.39
        small-straight: 18.48 14.59 38.40; large-straight: 10.61 17.66 73.47
        yahtzee: 2.30 10.48 95.40; chance: 23.33 3.16 0.00"""
    distributions = opening_tables.last_turns(load_rules("yahtzee"), fewer_dice=True)
    ours = {key: _moments(distribution) for key, distribution in distributions.items()}
    yield from rows_of(printed, ours)


@table(
    "Game with Minimum Score of Optimal Strategy",
    rules="yahtzee",
    columns=("third roll", "score", "category"),
)
def minimum_game() -> Iterator[Row]:
    strategy = Optimal(solution("yahtzee"))
    card = Scorecard.empty(strategy.solution.rules)
    for turn, printed in enumerate(MINIMUM_GAME, start=1):
        dice = printed.split()[0]
        best = _turn(strategy, card)
        possible = best.ends()[_roll(dice)] > 0
        move = _scored(card, best, dice)
        ours: Entries = [dice if possible else "never", move.points, card.rules.keys[move.category]]
        yield f"turn {turn}", printed, ours
        card = card.after(move)
    yield "grand total", "- 12 -", (0, adversarial_dice.lowest_totals(strategy).total, 0)


@table(
    "Game of Optimal Strategy against Demonic Dice",
    rules="yahtzee",
    columns=("roll 1", "keep 1", "roll 2", "keep 2", "roll 3", "score", "category"),
)
def demonic_game() -> Iterator[Row]:
    """If several rolls have the lowest rating, the published roll can be any of them."""
    best = solution("yahtzee")
    rules, lattice = best.rules, best.model.lattice
    strategy, card = Optimal(best), Scorecard.empty(rules)
    for turn, printed in enumerate(DEMONIC_GAME, start=1):
        rolls = printed.split()[:5:2]
        played = _turn(strategy, card)
        place = CardIndex.of_card(best.model, card)
        value_R = best.final_roll_values(place.c, place.lane)[0].max(axis=1)
        ratings = roll_values(lattice, value_R, rules.rolls - 1, "mean")[::-1]
        ours: list[ComputedValue] = []
        keep: Dice = ()
        for i, rating_R in enumerate(ratings):
            ours.append(tuple(format_dice(rules, dice) for dice in _worst(lattice, rating_R, keep)))
            if i < played.cards.rerolls:
                keep = lattice.points[played.keeps[0, i, _roll(rolls[i])]]
                ours.append(format_keep(rules, keep) if keep else "none")
        move = _scored(card, played, rolls[-1])
        yield f"turn {turn}", printed, [*ours, move.points, rules.keys[move.category]]
        card = card.after(move)
    total = adversarial_dice.adversarial_game(best).cards[0].points
    yield "grand total", "- - - - - 19 -", (0, 0, 0, 0, 0, total, 0)


def _random_play() -> Mapping[str, Entries]:
    """Return the probability that a roll fits each category, and the mean points of random play."""
    rules = load_rules("yahtzee-plain-no-bonus")
    evaluation, lattice = evaluate(RandomCategory(), rules, cache=True), build(rules).lattice
    weights = dict(zip(lattice.rolls, lattice.weight_R.tolist(), strict=True))
    rows: dict[str, Entries] = {"grand total": ["-", evaluation.distribution.mean]}
    for k, key in enumerate(rules.keys):
        ways = sum(weight for dice, weight in weights.items() if natural_points(rules, k, dice))
        rows[key] = [Fraction(ways, rules.faces**rules.dice), evaluation.categories[key].mean]
    return rows


def _rolls_of_first_turn(
    *, rolls_left: int, place: int
) -> tuple[tuple[str, ...], str, float, float]:
    """Return all rolls of the same value at a place of the ranking, with action, value, and SD."""
    best = solution("yahtzee")
    rolls = rolls_of_equal_value(rated_rolls(best, rolls_left), place)
    option = rolls[0][1]
    assert option.sd is not None
    dice = tuple(format_dice(best.rules, dice) for dice, _ in rolls)
    return dice, format_action(best.rules, option.action), option.value, option.sd


def _statistics(rules: str) -> Mapping[str, Entries]:
    """Return the statistics of categories, bonuses, totals, and counts."""
    evaluation = optimal_evaluation(rules, fewer_dice=True)
    distributions = {
        "upper bonus": evaluation.upper_bonus,
        "extra bonus": evaluation.extra_bonus,
        "grand total": evaluation.distribution,
        "yahtzees rolled": evaluation.alike,
        "jokers applied": evaluation.jokers,
    }
    rows = {key: _moments(category) for key, category in evaluation.categories.items()}
    return rows | {name: _moments(part) for name, part in distributions.items() if part is not None}


def _moments(part: CategoryStatistics | Distribution) -> Entries:
    zero = part.zero if isinstance(part, CategoryStatistics) else part.probability(0)
    return [part.mean, part.sd, 100 * zero]


def _bands(rules: str) -> Mapping[str, Entries]:
    """Return the percentage of scores in each band, and the percentage up to the band's end."""
    distribution = optimal_evaluation(rules, fewer_dice=True).distribution
    bands = {}
    for low in range(100, 500, 20):
        at_most = 100 * float(distribution.up_to(low + 19))
        bands[f"{low} – {low + 19}"] = [at_most - 100 * float(distribution.below(low)), at_most]
    return bands


def _quantiles(rules: str) -> Mapping[str, ComputedValue]:
    """Return each quantile and the next score, which "% scoring < f" can also mean."""
    distribution = optimal_evaluation(rules, fewer_dice=True).distribution
    scores = {percent: distribution.quantile(percent / 100) for percent in PERCENTAGES}
    return {f"{percent} %": (score, score + 1) for percent, score in scores.items()}


def _turn(strategy: Optimal, card: Scorecard) -> Turns:
    model = strategy.solution.model
    place = CardIndex.of_card(model, card)
    return strategy.turns(Cards.one(model, place.c, place.lane))


def _scored(card: Scorecard, turn: Turns, dice: str) -> Move:
    """Return the move with which a policy scores a final roll."""
    model = solution("yahtzee").model
    category = int(turn.categories[0, model.final_roll_index(_roll(dice), 0)])
    moves = legal_moves(card.rules, card.state, parse_dice(card.rules, dice))
    return next(move for move in moves if move.category == category)


def _roll(dice: str) -> int:
    model = solution("yahtzee").model
    return model.lattice.point(parse_dice(model.rules, dice)) - model.lattice.first_roll


def _worst(lattice: Lattice, rating_R: Values, keep: Dice) -> list[Dice]:
    """Return the lowest-rated rolls among all rolls that contain the dice to keep."""
    counts_P_F = lattice.counts_P_F
    possible_R = (counts_P_F >= counts_P_F[lattice.point(keep)]).all(axis=1)[lattice.first_roll :]
    worst_R = possible_R & (rating_R <= rating_R[possible_R].min() + TOLERANCE)
    return [dice for dice, is_worst in zip(lattice.rolls, worst_R, strict=True) if is_worst]
