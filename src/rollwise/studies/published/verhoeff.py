"""Numbers on T. Verhoeff's slides, computed by one function per page.

If two options are equally good, Verhoeff's strategy keeps fewer dice. This rule affects the last
digit of five cells of the tables. The slides also print two games. Each of their rolls and
decisions is checked against optimal play.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb, factorial, prod

import numpy as np

from rollwise.distribution import Distribution
from rollwise.evaluation.evaluate import CategoryStatistics
from rollwise.game.dice_notation import format_dice, format_keep, parse_dice
from rollwise.game.notation import format_action, parse_action
from rollwise.game.scorecard import Dice, Scorecard
from rollwise.game.scoring import natural_points
from rollwise.model.arrays import Model, build
from rollwise.model.dice_lattice import Lattice
from rollwise.model.size import counts
from rollwise.model.turn import Values, roll_values
from rollwise.rules import AnyRoll, FaceDice, Groups, Run, load_rules
from rollwise.solving.position_index import CardIndex
from rollwise.solving.solution import TIE
from rollwise.strategies import Optimal, TurnPolicy
from rollwise.studies import adversarial_dice
from rollwise.studies.number_of_games import game_size
from rollwise.studies.opening_tables import last_turns, rated_rolls, rolls_of_equal_value
from rollwise.studies.published.figures import (
    IMPOSSIBLE,
    ComputedValue,
    is_roll,
    optimal_evaluation,
    printed_move,
    random_evaluation,
    solution,
)
from rollwise.studies.published.toml_tables import Compute, Rows, SourceTable, formula, register


def micro_yahtzee_dilemma(table: SourceTable) -> Rows:
    """Return the points of a first roll of 4 in each category."""
    rules = load_rules(table.rules)
    points = [natural_points(rules, rules.category_index(key), (4,)) for key in table.columns]
    return {"first roll 4": points}


def micro_yahtzee_analysis(table: SourceTable) -> Rows:
    """Return the numbers of games and strategies, and the probability of a game."""
    rules = load_rules(table.rules)
    size = game_size(rules)
    assert size.strategies is not None
    faces, turns = rules.faces, range(len(rules.categories), 0, -1)  # open categories of each turn
    games = "·".join(f"{faces}·{categories}" for categories in turns)
    strategies = "·".join(f"{categories}^{faces}" for categories in turns)
    return {
        "games": [size.games],
        "games as a product": [
            formula(games, prod(faces * categories for categories in turns), size.games)
        ],
        "deterministic strategies": [size.strategies],
        "deterministic strategies as a product": [
            formula(strategies, prod(n**faces for n in turns), size.strategies)
        ],
        "probability of each game": [size.rarest],
        "probability of a roll": [Fraction(1, faces)],
    }


def equipment(table: SourceTable) -> Rows:
    """Return the numbers of dice, faces, and categories."""
    rules = load_rules(table.rules)
    return {
        "dice": [rules.dice],
        "faces": [rules.faces],
        "primary categories": [len(rules.categories)],
    }


def scoring_rules(table: SourceTable) -> Rows:
    """Return the points of the bonuses and of the categories with fixed points."""
    rules = load_rules(table.rules)
    assert rules.upper_bonus is not None
    assert rules.extra_bonus is not None
    examples = {
        "full-house": (2, 2, 3, 3, 3),
        "small-straight": (1, 2, 3, 4, 6),
        "large-straight": (1, 2, 3, 4, 5),
        "yahtzee": (6, 6, 6, 6, 6),
    }
    fixed = {
        key.replace("-", " "): [natural_points(rules, rules.category_index(key), dice)]
        for key, dice in examples.items()
    }
    return {
        "upper-section total for the bonus": [rules.upper_bonus.threshold],
        "upper bonus": [rules.upper_bonus.points],
        **fixed,
        "extra bonus": [rules.extra_bonus.points],
    }


def random_category(table: SourceTable) -> Rows:
    """Return the probability that a roll fits each category, and the mean points of random play."""
    rules, evaluation = load_rules(table.rules), random_evaluation(table.rules)
    lattice = build(rules).lattice
    rows: dict[str, list[ComputedValue]] = {}
    for k, category in enumerate(rules.categories):
        fits = Fraction(1)
        if not isinstance(category.pattern, FaceDice | AnyRoll):
            ways = sum(
                int(weight)
                for dice, weight in zip(lattice.rolls, lattice.weight_R, strict=True)
                if natural_points(rules, k, dice)
            )
            fits = Fraction(ways, rules.faces**rules.dice)
        rows[category.key] = [fits, evaluation.categories[category.key].mean]
    return rows | {"grand total": ["-", evaluation.distribution.mean]}


def game_tree(table: SourceTable) -> Rows:
    """Return the number of games, and the lowest and highest probability of a game."""
    size = game_size(load_rules(table.rules))
    return {
        "games": [size.games],
        "the product as written": [6**5 * 7**5 * 7**5 * factorial(13)],
        "least probability of a game": [size.rarest],
        "greatest probability of a game": [size.likeliest],
    }


def game_states(table: SourceTable) -> Rows:
    """Return the numbers of states between turns and within a turn."""
    rules = load_rules(table.rules)
    number = counts(rules)
    sets = 2 ** len(rules.categories)
    assert rules.upper_bonus is not None
    upper = rules.upper_bonus.threshold + 1
    between, within = number["states between turns"], number["states in a turn"]
    rolls, keeps, again = number["rolls"], number["keeps"], rules.rolls - 1
    odd = between // (between & -between)  # without its power of two
    return {
        "between turns": [between],
        "between turns as a product": [f"2^{(between // odd).bit_length() - 1}·{odd}"],
        "sets of unscored categories": [sets],
        "sets as a power": [f"2^{sets.bit_length() - 1}"],
        "points needed for the bonus": [upper],
        "points needed as a power": [f"2^{upper.bit_length() - 1}"],
        "most points needed": [rules.upper_bonus.threshold],
        "extra bonus or not": [number["states between turns"] // (sets // 2 * upper) - 1],
        "within a turn": [within],
        "within a turn as a sum": [
            formula(
                f"1+{again}·{keeps}+{rules.rolls}·{rolls}",
                1 + again * keeps + rules.rolls * rolls,
                within,
            )
        ],
        "rolls of a turn": [rules.rolls],
        "rolled dice": [rolls],
        "rolled dice as a binomial": [_multisets(rules.dice, rules.faces, rolls)],
        "kept dice": [keeps],
        "kept dice as a binomial": [_multisets(rules.dice, rules.faces + 1, keeps)],
    }


def _multisets(dice: int, kinds: int, count: int) -> str:
    """Return the number of multisets as a binomial coefficient, with unkept dice as one kind."""
    return formula(f"C({dice}+{kinds}-1,{dice})", comb(dice + kinds - 1, dice), count)


def points_of_dilemmas(table: SourceTable) -> Rows:
    """Return the points of a roll in a category; each row has the roll and the category."""
    rules = load_rules(table.rules)
    rows: dict[str, list[ComputedValue]] = {}
    for row in table.rows:
        dice, key = row.split()
        k = rules.category_index(key)
        rows[row] = [natural_points(rules, k, parse_dice(rules, dice))]
    return rows


def conditions(table: SourceTable) -> Rows:
    """Return the numbers of equal or consecutive dice that each category needs."""
    rules = load_rules(table.rules)
    rows: dict[str, list[ComputedValue]] = {}
    for key in table.rows:
        match rules.categories[rules.category_index(key)].pattern:
            case Groups(sizes=sizes):
                rows[key] = ["+".join(map(str, sorted(sizes)))]
            case Run(length=length):
                rows[key] = [str(length)]
    return rows


def computation(table: SourceTable) -> Rows:
    """Return the size of the value table and the number of reachable states."""
    number = counts(load_rules(table.rules))
    size = number["states between turns"]
    return {
        "numbers in the table": [size],
        "bytes of a number": [np.dtype(np.float64).itemsize],
        "megabytes": [size * np.dtype(np.float64).itemsize / 10**6],
        "states required": [number["reachable states between turns"]],
    }


def dilemmas(table: SourceTable) -> Rows:
    """Return the value and the SD of options; each row states a position and an option."""
    best = solution(table.rules)
    rows: dict[str, list[ComputedValue]] = {}
    for row in table.rows:
        position, _, action = row.partition(": ")
        wanted = parse_action(best.rules, action)
        (option,) = (option for option in best.options(position) if option.action == wanted)
        assert option.sd is not None
        rows[row] = [option.value, option.sd]
    return rows


def trivia(table: SourceTable) -> Rows:
    """Return the best and the worst rolls of the first turn, and statistics of the final score."""
    best, distribution = (
        solution(table.rules),
        optimal_evaluation(table.rules, fewer_dice=True).distribution,
    )
    rules = best.rules

    def row(rolls_left: int, place: int) -> list[ComputedValue]:
        rolls = rolls_of_equal_value(rated_rolls(best, rolls_left), place)
        names = [format_dice(rules, dice) for dice, _ in rolls]
        alike = [str(face) * rules.dice for face in range(1, rules.faces + 1)]
        option = rolls[0][1]
        assert option.sd is not None
        dice = "y" * rules.dice if sorted(names) == alike else tuple(names)
        return [dice, format_action(rules, option.action), option.value, option.sd]

    return {
        "expected final score": ["-", "-", distribution.mean, distribution.sd],
        "median final score": ["-", "-", distribution.median, "-"],
        "best first roll": row(2, 0),
        "worst first roll": row(2, -1),
        "worst third roll": row(0, -1),
        "minimum score": ["-", "-", distribution.minimum, "-"],
    }


def categories(table: SourceTable) -> Rows:
    """Return the mean, SD, and percentage of zeros of categories, bonuses, totals, and counts."""
    evaluation = optimal_evaluation(table.rules, fewer_dice=True)
    distributions = {
        "upper bonus": evaluation.upper_bonus,
        "extra bonus": evaluation.extra_bonus,
        "grand total": evaluation.distribution,
        "yahtzees rolled": evaluation.alike,
        "jokers applied": evaluation.jokers,
    }
    rows = {key: _moments(category) for key, category in evaluation.categories.items()}
    return rows | {
        name: _moments(distribution)
        for name, distribution in distributions.items()
        if distribution is not None
    }


def distribution(table: SourceTable) -> Rows:
    """Return the percentage of scores in each range, and the percentage up to the range's end."""
    distribution = optimal_evaluation(table.rules, fewer_dice=True).distribution
    rows: dict[str, list[ComputedValue]] = {}
    for row in table.rows:
        low, high = map(int, row.split(" – "))
        at_most = 100 * float(distribution.up_to(high))
        rows[row] = [at_most - 100 * float(distribution.below(low)), at_most]
    return rows


def quantiles(table: SourceTable) -> Rows:
    """Return each quantile of the final score, and the next higher score.

    The next score also matches because the source prints "% scoring < f".
    """
    distribution = optimal_evaluation(table.rules, fewer_dice=True).distribution
    scores = {row: distribution.quantile(int(row.split()[0]) / 100) for row in table.rows}
    return {row: [(score, score + 1)] for row, score in scores.items()}


def earliest_scoring(table: SourceTable) -> Rows:
    """Return the earliest turn for points, and the earliest turn for a zero, in each category."""
    categories = optimal_evaluation(table.rules, fewer_dice=True).categories
    return {
        key: [turn or "never" for turn in (category.first_scored, category.first_zero)]
        for key, category in categories.items()
    }


def last_turn_values(table: SourceTable) -> Rows:
    """Return the mean, SD, and percentage of zeros of each category in the last turn."""
    distributions = last_turns(load_rules(table.rules), fewer_dice=True)
    return {key: _moments(distribution) for key, distribution in distributions.items()}


def _moments(part: CategoryStatistics | Distribution) -> Sequence[ComputedValue]:
    zero = part.zero if isinstance(part, CategoryStatistics) else part.probability(0)
    return [part.mean, part.sd, 100 * zero]


def minimum_game(table: SourceTable) -> Rows:
    """Return each final roll (or "never" if it cannot occur), its points, and its category."""
    strategy = Optimal(solution(table.rules))
    model = strategy.solution.model
    rows = _impossible(table)
    for row, (dice, *_), card, policy in _turns(strategy, table):
        possible = policy.ends(model.lattice)[_roll(model, dice)] > 0
        rows[row] = [dice if possible else "never", *_scored(model, card, policy, dice)]
    lowest = adversarial_dice.lowest_totals(strategy).total
    return rows | {"grand total": ["-", lowest, "-"]}


def adversarial_game(table: SourceTable) -> Rows:
    """Return the rolls of adversarial dice, and the kept dice and the scores of optimal play.

    If several rolls have the lowest rating, the published roll can be any of them.
    """
    best = solution(table.rules)
    model, rules = best.model, best.rules
    lattice = model.lattice
    rows = _impossible(table)
    for row, cells, card, policy in _turns(Optimal(best), table):
        place = CardIndex.of_card(model, card)
        value_R = best.final_roll_values(place.c, place.lane)[0].max(axis=1)
        ratings = roll_values(lattice, value_R, rules.rolls - 1, "mean")[::-1]
        events: list[ComputedValue] = []
        keep: Dice = ()
        for i, rating_R in enumerate(ratings):
            worst = _worst(lattice, rating_R, keep)
            events.append(tuple(format_dice(rules, dice) for dice in worst))
            if i < len(policy.keeps):
                keep = lattice.points[policy.keeps[i][_roll(model, cells[2 * i])]]
                events.append(format_keep(rules, keep) if keep else "none")
        rows[row] = [*events, *_scored(model, card, policy, cells[4])]
    total = adversarial_dice.adversarial_game(best).cards[0].points
    return rows | {"grand total": [*"-----", total, "-"]}


def _impossible(table: SourceTable) -> dict[str, list[ComputedValue]]:
    """Return the entries of a printed game that cannot be played from its first turn on."""
    return {row: [IMPOSSIBLE] * len(cells) for row, cells in table.rows.items()}


def _turns(
    strategy: Optimal, table: SourceTable
) -> Iterator[tuple[str, Sequence[str], Scorecard, TurnPolicy]]:
    """Yield each printed turn: its row and cells, the scorecard before it, and its policy.

    Stop before a turn that the rules do not allow, and after a score that they do not allow.
    """
    model = strategy.solution.model
    card = Scorecard.empty(model.rules)
    for row, cells in list(table.rows.items())[:-1]:
        dice = [cell for cell, name in zip(cells, table.columns, strict=True) if "roll" in name]
        if not all(is_roll(model.rules, cell) for cell in dice):
            return
        place = CardIndex.of_card(model, card)
        yield row, cells, card, strategy.turn_policy(model, place.c, place.lane)
        move = printed_move(card, dice[-1], cells[-1])
        if move is None:
            return
        card = card.fill(move)


def _scored(model: Model, card: Scorecard, policy: TurnPolicy, dice: str) -> list[ComputedValue]:
    """Return the points of a final roll, and the category in which a policy scores it."""
    roll = _roll(model, dice)
    key = model.rules.keys[int(policy.categories[model.final_roll_index(roll, 0)])]
    move = printed_move(card, dice, key)
    assert move is not None
    return [move.points, key]


def _roll(model: Model, dice: str) -> int:
    lattice = model.lattice
    return lattice.point(parse_dice(model.rules, dice)) - lattice.first_roll


def _worst(lattice: Lattice, rating_R: Values, keep: Dice) -> list[Dice]:
    """Return the lowest-rated rolls among all rolls that contain the dice to keep."""
    counts_P_F = lattice.counts_P_F
    possible_R = (counts_P_F >= counts_P_F[lattice.point(keep)]).all(axis=1)[lattice.first_roll :]
    worst_R = possible_R & (rating_R <= rating_R[possible_R].min() + TIE)
    return [dice for dice, is_worst in zip(lattice.rolls, worst_R, strict=True) if is_worst]


TABLES: Mapping[str, Compute] = {
    "micro_yahtzee_dilemma": micro_yahtzee_dilemma,
    "micro_yahtzee_analysis": micro_yahtzee_analysis,
    "equipment": equipment,
    "scoring_rules": scoring_rules,
    "conditions": conditions,
    "random_play": random_category,
    "game_tree": game_tree,
    "game_states": game_states,
    "computation": computation,
    "dilemmas": dilemmas,
    "points_of_dilemmas": points_of_dilemmas,
    "trivia": trivia,
    "categories": categories,
    "categories_plain": categories,
    "distribution": distribution,
    "distribution_plain": distribution,
    "quantiles": quantiles,
    "quantiles_plain": quantiles,
    "earliest_scoring": earliest_scoring,
    "last_turns": last_turn_values,
    "minimum_game": minimum_game,
    "demonic_game": adversarial_game,
}
"""The function for each table of ``verhoeff.toml``."""

register("verhoeff", TABLES)
