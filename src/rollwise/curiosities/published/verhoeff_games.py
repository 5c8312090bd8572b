"""The two games that T. Verhoeff prints, each roll and decision held against the best play."""

from collections.abc import Iterator, Sequence

from rollwise.curiosities import worst_game
from rollwise.curiosities.published.figures import Ours, Rows, Table
from rollwise.curiosities.published.games import solution
from rollwise.game.dice_text import format_dice, format_keep, parse_dice
from rollwise.game.scorecard import Dice, Move, Scorecard, legal_moves
from rollwise.model.arrays import Model
from rollwise.model.lattice import Lattice
from rollwise.model.turn import Values, roll_values
from rollwise.solving.place import CardPlace
from rollwise.solving.solution import TIE
from rollwise.strategies import Optimal, TurnPolicy


def minimum_game(table: Table) -> Rows:
    """Return what best play scores with each last roll, if its turn can end with that roll."""
    strategy = Optimal(solution(table.rules))
    model = strategy.solution.model
    rows: dict[str, list[Ours]] = {}
    for row, (dice, *_), card, policy in _turns(strategy, table):
        possible = policy.ends(model.lattice)[_roll(model, dice)] > 0
        rows[row] = [dice if possible else "never", *_scored(model, card, policy, dice)]
    lowest = worst_game.lowest_totals(strategy).total
    return rows | {"grand total": ["-", lowest, "-"]}


def demonic_game(table: Table) -> Rows:
    """Return what demonic dice show, what best play keeps of these rolls, and where it scores.

    Where several rolls are as bad, the printed one is as good an answer as any.
    """
    best = solution(table.rules)
    model, rules = best.model, best.rules
    lattice = model.lattice
    rows: dict[str, list[Ours]] = {}
    for row, cells, card, policy in _turns(Optimal(best), table):
        place = CardPlace.of_card(model, card)
        worth_R = best.score_worths(place.c, place.lane)[0].max(axis=1)
        ratings = roll_values(lattice, worth_R, rules.rolls - 1, "mean")[::-1]
        shown: list[Ours] = []
        kept: Dice = ()
        for i, rating_R in enumerate(ratings):
            worst = _worst(lattice, rating_R, kept)
            shown.append(tuple(format_dice(rules, dice) for dice in worst))
            if i < len(policy.keeps):
                kept = lattice.points[policy.keeps[i][_roll(model, cells[2 * i])]]
                shown.append(format_keep(rules, kept) if kept else "none")
        rows[row] = [*shown, *_scored(model, card, policy, cells[4])]
    total = worst_game.demonic_game(best).cards[0].points
    return rows | {"grand total": [*"-----", total, "-"]}


def _turns(
    strategy: Optimal, table: Table
) -> Iterator[tuple[str, Sequence[str], Scorecard, TurnPolicy]]:
    """Yield the turns of a printed game: row, cells, the card before it and how it is played."""
    model = strategy.solution.model
    card = Scorecard.empty(model.rules)
    for row, cells in list(table.rows.items())[:-1]:
        place = CardPlace.of_card(model, card)
        yield row, cells, card, strategy.turn_policy(model, place.c, place.lane)
        dice, _, key = cells[-3:]
        card = card.fill(_move(card, dice, key))


def _scored(model: Model, card: Scorecard, policy: TurnPolicy, dice: str) -> list[Ours]:
    """Return the points and the box that a policy ends a turn with."""
    roll = _roll(model, dice)
    key = model.rules.keys[int(policy.categories[model.end_of_turn(roll, 0)])]
    return [_move(card, dice, key).points, key]


def _move(card: Scorecard, dice: str, key: str) -> Move:
    k = card.rules.category_index(key)
    moves = legal_moves(card.rules, card.state, parse_dice(card.rules, dice))
    return next(move for move in moves if move.category == k)


def _roll(model: Model, dice: str) -> int:
    lattice = model.lattice
    return lattice.point(parse_dice(model.rules, dice)) - lattice.first_roll


def _worst(lattice: Lattice, rating_R: Values, kept: Dice) -> list[Dice]:
    """Return the rolls with the lowest rating of all that contain what is kept."""
    counts_P_F = lattice.counts_P_F
    possible_R = (counts_P_F >= counts_P_F[lattice.point(kept)]).all(axis=1)[lattice.first_roll :]
    worst_R = possible_R & (rating_R <= rating_R[possible_R].min() + TIE)
    return [dice for dice, is_worst in zip(lattice.rolls, worst_R, strict=True) if is_worst]
