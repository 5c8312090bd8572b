"""Random games and records, with presets or small rules, and a scorecard for each state."""

import random
from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import strategies as st

from rollwise.game.actions import Action
from rollwise.game.consistency import possible_scores
from rollwise.game.game import Game, fair_roll
from rollwise.game.headers import Headers
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard, State
from rollwise.questions.size_limits import is_small
from rollwise.rules import Rules, load_rules, preset_names
from rollwise.solving.solver import solve
from small_games import small_rules

QUICK = [name for name in preset_names() if is_small(load_rules(name))]
"""The presets that can be solved in seconds, for tests that solve them."""

LARGE = [name for name in preset_names() if name not in QUICK]
"""The other presets."""

EVERY = [*QUICK, *(pytest.param(name, marks=pytest.mark.slow) for name in LARGE)]
"""All presets, for tests that take only seconds for a large preset."""

KINDS = {
    "balut", "crag", "generala", "kismet", "kniffel-extreme", "maxi-yatzy", "micro-yahtzee",
    "yacht", "yahtzee", "yahtzee-1956", "yamb-down-up-free", "yamb-free",
    "yamb-up", "yams", "yatzy-forced-order",
}  # fmt: skip
"""One or two presets of each kind; all other presets are variants of these presets."""

Choose = Callable[[Game], Action]


def play(
    rules: Rules | Position, players: list[str], seed: int, choose: Choose, events: int = 10**6
) -> Game:
    """Play a game with the dice of a seed, and stop after ``events`` events."""
    game = Game(rules, players)
    while not game.is_over and len(game.events) < events:
        game.push(fair_roll(game, seed) if game.awaits_roll else choose(game))
    return game


def card_in(
    rules: Rules, state: State, choose: Callable[[list[int]], int | None] = min
) -> Scorecard:
    """Return a scorecard with a state; ``choose`` picks points that do not affect the state."""
    bonus, choices = rules.extra_bonus, list[list[int | None]]()
    for k, category in enumerate(rules.categories):
        possible = sorted(possible_scores(rules, k))
        if not state.filled >> k & 1:
            choices.append([None])
        elif bonus and bonus.box == category.key:
            choices.append([points for points in possible if bool(points) == state.eligible])
        else:
            is_upper = rules.upper_bonus and category.section == "upper"
            choices.append([*possible] if is_upper else [choose(possible)])
    cards = (Scorecard(rules, boxes, saved=state.saved) for boxes in product(*choices))
    return next(card for card in cards if card.state == state)


def at_random(seed: int) -> Choose:
    """Return a policy that chooses legal actions at random."""
    rng = random.Random(seed)
    return lambda game: rng.choice(game.legal_actions())


def with_one_mistake(rules: Rules, player: str = "Ada") -> Game:
    """Return a game of optimal play, except for the choice of a category before the last turn."""
    solution, turns = solve(rules), len(rules.categories)

    def choose(game: Game) -> Action:
        position = game.position
        assert position is not None
        is_mistake = position.state.filled.bit_count() == turns - 2 and not position.rolls_left
        return solution.options(position)[-1 if is_mistake else 0].action

    return Game(rules, player, play(rules, [player], 8, choose).events, seed=8)


@st.composite
def records(
    draw: st.DrawFn,
    games: st.SearchStrategy[Rules] | None = None,
    events: st.SearchStrategy[int] | None = None,
) -> Game:
    """Draw a game with headers and one to three players, by default with random small rules."""
    rules = draw(small_rules(saves=True) if games is None else games)
    names = st.text(st.characters(exclude_characters=",:;#"), min_size=1, max_size=12)
    plain = names.filter(lambda name: name.isprintable() and name == name.strip())
    players = draw(st.lists(plain, min_size=1, max_size=3, unique=True))
    seed = draw(st.integers(0, 2**63 - 1))
    most = draw(st.integers(0, 100) if events is None else events)
    game = play(rules, players, seed, at_random(seed), most)
    game.headers = Headers(
        game.players,
        draw(st.none() | st.just(seed)),
        draw(st.none() | st.dates()),
        draw(st.dictionaries(st.sampled_from(players), st.sampled_from(["greedy", "beat:a.py:A"]))),
        draw(st.booleans()),
        draw(st.sampled_from(["expected", "target:20", "beat:greedy + 20"])),
    )
    return game
