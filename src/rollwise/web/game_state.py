"""The state of a game and its advice as data for JSON, as ``server.js`` describes it."""

from collections.abc import Mapping, Sequence
from typing import Any

from rollwise.client.rules_data import rules_data
from rollwise.game.actions import Keep, Roll
from rollwise.game.game import Game
from rollwise.game.position import Position, format_position, most_rolls
from rollwise.game.scorecard import Move, Scorecard
from rollwise.game.stage import Stage
from rollwise.playing.rating_scale import rating, rating_bounds
from rollwise.playing.session import TAKEN_BACK, HeldDice
from rollwise.reviews.decision_review import DecisionReview
from rollwise.reviews.grades import main_gains
from rollwise.reviews.review import Review
from rollwise.rules import Rules
from rollwise.solving.option import Option
from rollwise.two_player.solution import DuelOption
from rollwise.web.live_games import LiveGame


def state_of(live: LiveGame) -> dict[str, Any]:
    """Return the state of a game, which is the same for all windows."""
    session, insight = live.session, live.insight
    game, stage, tray = session.game, session.game.stage, session.tray
    rolling, options = stage.dice is None, session.options()
    undone = session.news == TAKEN_BACK
    return {
        "events": game.lines,
        "stage": {
            "cards": [card_data(card) for card in stage.cards],
            "player": stage.player,
            "dice": [
                0 if rolling and not held else face
                for face, held in zip(tray.faces, tray.held, strict=True)
            ],
            "held": tray.held or [False] * game.rules.dice,
            "rollsLeft": stage.rolls_left,
            "rolls": game.rules.rolls_with(stage.card.saved),
            "saved": [card.saved for card in stage.cards],
        },
        "possible": possible_data(session.possible()),
        "options": [option_data(game.rules, option) for option in options],
        "values": insight.expected_scores(options) or [None] * len(game.players),
        "canUndo": not all(isinstance(event, Roll) for event in game.events),
        "isWaiting": session.bot_may_play,
        "isPreparing": session.is_advice_pending and not options,
        "last": None if undone else last_event_data(game),
        "isUndone": undone,
        "trouble": live.trouble,
        "unsolved": live.unsolved,
        "isSolving": live.solving is not None
        or (session.is_advice_pending and session.solution is None),
        "estimate": live.solving and live.solving.estimate(),
        "outlook": _outlook_data(live),
        "seats": live.seats.states(),
        "reviews": [_review_data(game.rules, each, insight.scale) for each in insight.reviews],
        "unreviewed": insight.unreviewed,
        "scale": None if insight.scale is None else rating_bounds(insight.scale),
    }


def position_data(position: Position, options: Sequence[Option]) -> dict[str, Any]:
    """Return a position with its options, best first, as ``quiz.js`` describes a question."""
    return {
        "line": format_position(position),
        "stage": stage_data([position.card], 0, position),
        "possible": possible_data(position.possible()),
        "options": [option_data(position.rules, option) for option in options],
        "chosen": "",
    }


def stage_data(cards: Sequence[Scorecard], mover: int, here: Position | None) -> dict[str, Any]:
    """Return the stage of a player at a position, or before the first roll of a turn."""
    card, rules = cards[mover], cards[mover].rules
    rolls = most_rolls(card) if here else rules.rolls_with(card.saved)
    return {
        "cards": [card_data(card) for card in cards],
        "player": mover,
        "dice": here.dice if here else [],
        "held": [False] * rules.dice,
        "rollsLeft": here.rolls_left if here else rolls,
        "rolls": rolls,
        "saved": [card.saved for card in cards],
    }


def replay_data(game: Game, reviews: Sequence[Review], has_reasons: bool) -> dict[str, Any]:
    """Return a reviewed game, decision by decision, as ``saved_replay.js`` describes it.

    Parameters
    ----------
    has_reasons : bool
        Whether the server can be asked for the reasons of other choices.
    """
    decisions = [iter(review.decisions) for review in reviews]
    steps, dice = [], HeldDice()
    for before, event, _ in game.steps:
        if not isinstance(event, Roll):
            step = _step_data(before, dice, next(decisions[before.player]))
            steps.append(step if has_reasons else step | {"line": ""})
        dice = dice.after(event)
    return {
        "rules": rules_data(game.rules),
        "players": game.players,
        "people": [p for p, name in enumerate(game.players) if name not in game.headers.bots],
        "starts": [review.start for review in reviews],
        "steps": steps,
    }


def _step_data(stage: Stage, dice: HeldDice, decision: DecisionReview) -> dict[str, Any]:
    """Return a decision and the stage before it, without the scorecards."""
    rules = stage.rules
    return {
        "line": format_position(decision.position),
        "stage": {
            "player": stage.player,
            "dice": dice.faces,
            "held": dice.held,
            "rollsLeft": stage.rolls_left,
            "rolls": rules.rolls_with(stage.card.saved),
            "saved": [card.saved for card in stage.cards],
        },
        "possible": possible_data(decision.position.possible()),
        "options": [option_data(rules, option) for option in decision.options],
        "chosen": decision.options.index(decision.chosen),
        "gains": main_gains(decision.reasons),
    }


def last_event_data(game: Game) -> dict[str, Any] | None:
    """Return the last event of a game, with its player and the points that it brought."""
    if game.last_step is None:
        return None
    before, _, after = game.last_step
    gained = after.cards[before.player].points - before.card.points
    return {"event": game.lines[-1], "player": before.player, "gained": gained}


def _outlook_data(live: LiveGame) -> dict[str, Any] | None:
    """Return the win probabilities of two players; None while they are not known."""
    outlook = live.insight.outlook
    if outlook is None:
        return None
    return {
        "first": outlook.value,
        "shares": list(outlook.shares()),
        "assumes": outlook.assumes,
    }


def card_data(card: Scorecard) -> list[dict[str, int] | None]:
    """Return the points of each category; the category of the extra bonus has all of that bonus."""
    bonus = card.rules.extra_bonus
    place = card.rules.category_index(bonus.box) if bonus else None
    return [
        None
        if points is None
        else {"points": points, "extra": card.extra_bonus if k == place else 0, "outcome": 0}
        for k, points in enumerate(card.boxes)
    ]


def possible_data(possible: Mapping[int, Move]) -> list[tuple[int, dict[str, int]]]:
    """Return the legal scores, by category."""
    return [
        (k, {"points": move.points, "extra": move.extra, "outcome": 0})
        for k, move in possible.items()
    ]


def option_data(rules: Rules, option: Option | DuelOption, scale: float = 1) -> dict[str, Any]:
    """Return the action of an option, and its value and loss multiplied by ``scale``."""
    action = option.action
    what: dict[str, Any] = (
        {"keep": action.dice}
        if isinstance(action, Keep)
        else {"category": rules.category_index(action.category)}
    )
    return {
        **what,
        "value": scale * option.value,
        "loss": 0.0 if option.best else scale * option.loss,
    }


def _review_data(rules: Rules, review: Review, scale: dict[str, float] | None) -> dict[str, Any]:
    worst = review.worst(1)
    return {
        "player": review.player,
        "total": review.score,
        "start": review.start,
        "luck": review.luck,
        "lost": review.loss,
        "choices": len(review.counted),
        "optimal": sum(decision.chosen.best for decision in review.counted),
        "worst": {
            "turn": worst[0].turn,
            "dice": worst[0].position.dice,
            "loss": worst[0].loss,
            "chosen": option_data(rules, worst[0].chosen),
            "best": option_data(rules, worst[0].best),
        }
        if worst
        else None,
        "moment": luckiest_roll_data(review),
        "rating": rating(review.loss, scale) if scale else "",
        "turns": [
            sum(decision.loss for decision in review.decisions if decision.turn == turn)
            for turn in range(1, len(rules.categories) + 1)
        ],
    }


def luckiest_roll_data(review: Review) -> dict[str, Any] | None:
    """Return the luckiest roll; None if there was no roll."""
    roll = max(review.rolls, key=lambda roll: roll.luck, default=None)
    return None if roll is None else {"turn": roll.turn, "dice": roll.dice, "luck": roll.luck}
