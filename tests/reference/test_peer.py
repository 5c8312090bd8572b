"""Check all reachable states and thousands of options against the solver yatzy-solver 1.0.0."""

import random

import numpy as np
import pytest
import yatzy_solver

from repository import DOCS, ROOT
from rollwise.game.actions import Action, Score
from rollwise.game.notation import parse_action
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard, legal_moves
from rollwise.model.size import reachable
from rollwise.rules import Rules, load_rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.solver import Solver

THEIR_NAMES = {
    "yahtzee": "american",
    "yahtzee-forced-joker": "american+forced-joker",
    "yahtzee-no-joker": "american+no-joker",
    "yahtzee-plain": "american+no-bonus",
    "yatzy": "yatzy-scandinavian",
    "yatzy-fh5-tp4": "yatzy-scandinavian+fh5+tp4",
    "yatzy-forced-order": "yatzy-scandinavian+forced",
}
USUAL = "yahtzee"
"""The game that the usual tests compare; the others take two minutes with ``-m slow``."""

OPTIONS_POSITIONS = 2_000 // len(THEIR_NAMES) + 1


def random_position(rules: Rules, random_: random.Random) -> Position:
    """Return a position with random dice, rerolls left, and scorecard with open categories."""
    card = Scorecard.empty(rules)
    for _ in range(random_.randrange(len(rules.categories))):
        dice = tuple(sorted(random_.choices(range(1, 7), k=5)))
        if random_.random() < 0.15:
            dice = (dice[0],) * 5
        card = card.after(random_.choice(legal_moves(rules, card.state, dice)))
    dice = tuple(random_.choices(range(1, 7), k=5))
    if random_.random() < 0.15:
        dice = (dice[0],) * 5
    return Position.of(card, dice, random_.randrange(rules.rolls))


def their_line(position: Position) -> str:
    """Return a position in the notation of the other solver."""
    rules, card = position.rules, position.card
    points = {key: n for key, n in zip(rules.keys, card.boxes, strict=True) if n is not None}
    filled = ",".join(map(their_key, points)) or "-"
    line = (
        f"dice {' '.join(map(str, position.dice))} | rolls {position.rolls_left} | "
        f"upper {card.upper} | filled {filled}"
    )
    has_bonus = rules.extra_bonus and "yahtzee" in points
    return f"{line} | five_of_a_kind {points['yahtzee']}" if has_bonus else line


def their_key(key: str) -> str:
    """Return the key that the other solver uses for a category."""
    return {"yahtzee": "five_of_a_kind"}.get(key, key.replace("-", "_"))


def their_action(rules: Rules, text: str) -> Action:
    """Parse an action of the other solver."""
    verb, rest = text.split(" ", 1)
    if verb == "keep":
        return parse_action(rules, text)
    return Score(next(key for key in rules.keys if their_key(key) == rest))


Both = tuple[CardSolution, yatzy_solver.Solver]


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(name, marks=() if name == USUAL else pytest.mark.slow) for name in THEIR_NAMES
    ],
)
def both(request: pytest.FixtureRequest) -> Both:
    """Solve a game with both solvers, once for all tests of the game."""
    variant = yatzy_solver.Variant(THEIR_NAMES[request.param])
    return Solver(load_rules(request.param)).solve_by_card(), yatzy_solver.Solver.build(variant)


def test_every_reachable_state(both: Both) -> None:
    ours, theirs = both
    model = ours.model
    c, lane = np.nonzero(reachable(model))
    over = model.mask_C[c] == (1 << len(ours.rules.categories)) - 1
    c, lane = c[~over], lane[~over]
    eligible = model.eligible_C[c] == 1
    values = ours.table_C_L[c, lane] - model.bonus_L[lane]
    peers = theirs.state_values(model.mask_C[c].astype(np.uint32), lane.astype(np.uint16), eligible)
    assert len(c) > 700
    assert np.abs(values - peers).max() < 1e-9


def test_options_of_random_positions(both: Both) -> None:
    ours, theirs = both
    rules = ours.rules
    random_ = random.Random(rules.name)
    for _ in range(OPTIONS_POSITIONS):
        position = random_position(rules, random_)
        line = their_line(position)
        expected = {their_action(rules, text): value for text, value in theirs.option_values(line)}
        got = {option.action: option.value - position.points for option in ours.options(position)}
        assert got.keys() == expected.keys(), line
        for action, value in expected.items():
            assert abs(got[action] - value) < 1e-9, (line, action)


def test_the_documentation_states_the_numbers_of_games() -> None:
    every = {6: "six", 7: "seven", 8: "eight"}[len(THEIR_NAMES)]
    for page in (ROOT / "README.md", DOCS / "how-it-works.md"):
        text = " ".join(page.read_text("utf-8").split())
        assert f"every reachable state of {USUAL.title()}" in text, page
        assert f"of all {every} games" in text, page
        assert "pytest -m slow tests/reference/test_peer.py" in text, page
