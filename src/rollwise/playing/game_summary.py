"""Sentences about a game: actions, the last event, the result, luck, and EV loss."""

from collections.abc import Mapping, Sequence

from rollwise.game.actions import Action, Announce, Keep, Score
from rollwise.game.game import Game
from rollwise.game.notation import format_action, format_dice
from rollwise.playing.rating_scale import rating
from rollwise.reviews.grades import because, format_points
from rollwise.reviews.review import Review
from rollwise.rules import Rules


def describe_result(game: Game) -> str:
    """Return the winner and the scores of a finished game in words."""
    scores = [card.points for card in game.stage.cards]
    best = max(scores)
    if len(scores) == 1:
        return f"{best} points"
    winners = [name for name, score in zip(game.players, scores, strict=True) if score == best]
    if len(winners) > 1:
        return f"{' and '.join(winners)} tie with {best}"
    verb = "win" if winners == ["You"] else "wins"
    return f"{winners[0]} {verb}, {' : '.join(map(str, sorted(scores, reverse=True)))}"


def explain_result(reviews: Sequence[Review], number: int = 3, rated: str = "") -> list[str]:
    """Return lines with the luck and EV loss of every player, then the worst decisions.

    Parameters
    ----------
    reviews : sequence of Review
        One review per player.
    number : int
        The number of decisions to show, over all players.
    rated : str, optional
        The output of :func:`describe_ratings`, inserted before the worst decisions.
    """
    widest = max(len(review.player) for review in reviews)
    lines = [
        f"{review.player:<{widest}} {review.score:>5}   luck {format_points(review.luck):>8}"
        f"   lost by decisions {format_points(-review.loss):>8}"
        for review in reviews
    ]
    lines += [rated] if rated else []
    worst = [(decision, review) for review in reviews for decision in review.worst(number)]
    worst.sort(key=lambda pair: -pair[0].loss)
    for decision, review in worst[:number]:
        rules = review.rules
        played = format_action(rules, decision.chosen.action)
        lines += [
            "",
            f"{review.player}, turn {decision.turn}, {format_dice(rules, decision.position.dice)}: "
            f"{played} {format_points(-decision.loss)}",
            f"  {decision.best_was(most=2)}",
        ]
    return lines


def describe_ratings(reviews: Sequence[Review], scale: Mapping[str, float]) -> str:
    """Return the rating of each player in words; empty if ``scale`` is empty.

    Parameters
    ----------
    scale : mapping of str to float
        The EV loss per game of each reference strategy, smallest first
        (:mod:`rollwise.playing.rating_scale`).
    """
    return "; ".join(
        f"{review.player}: {rating(review.loss, scale)}" for review in reviews if scale
    )


def luck_sentence(review: Review) -> str:
    """Return a sentence about the luck of the dice in a finished game."""
    if abs(review.luck) < 1:
        return "The dice were as kind as they are on average."
    return f"The dice {'gave' if review.luck > 0 else 'took'} {_points(review.luck)}."


def decisions_sentence(review: Review) -> str:
    """Return a sentence about the EV loss of the decisions in a finished game."""
    counted = review.counted
    best = sum(decision.chosen.best for decision in counted)
    if best == len(counted):
        return "Every decision was the best there was."
    return (
        f"Decisions gave away {_points(review.loss)}, {review.mean_loss:.1f} each; "
        f"{best} of {len(counted)} were best."
    )


def best_moment(review: Review) -> str:
    """Return a sentence about the luckiest roll; empty if there was no roll."""
    if not review.rolls:
        return ""
    roll = max(review.rolls, key=lambda roll: roll.luck)
    dice = format_dice(review.rules, roll.dice)
    return f"Turn {roll.turn}: {dice} came, worth {format_points(roll.luck)}."


def worst_moment(review: Review) -> str:
    """Return a sentence about the decision with the largest EV loss; empty if there is none."""
    worst = review.worst(1)
    if not worst:
        return ""
    (decision,), rules = worst, review.rules
    played, best = (
        describe_action(rules, option.action) for option in (decision.chosen, decision.best)
    )
    reasons = because(rules, decision.reasons, most=2)
    return (
        f"Turn {decision.turn}, {format_dice(rules, decision.position.dice)}: “{played}” lost "
        f"{_points(decision.loss)}; "
        f"“{best}” was best{f' because of {reasons}' if reasons else ''}."
    )


def _points(points: float) -> str:
    return f"{abs(points):.1f} points"


def describe_action(rules: Rules, action: Action) -> str:
    """Return an action in words: ``Keep 66``, ``Roll all dice``, ``Full House``.

    An announcement is ``Announce Full House``.
    """
    if isinstance(action, Keep):
        return f"Keep {format_dice(rules, action.dice)}" if action.dice else "Roll all dice"
    title = rules.categories[action.category].title
    return f"Announce {title}" if isinstance(action, Announce) else title


def describe_last_event(game: Game) -> str:
    """Return a sentence about the last event, such as ``Ada: 25 in Full House.``.

    The sentence is empty before the first event.
    """
    if not game.events:
        return ""
    event = game.events[-1]
    before = Game(game.rules, game.players, game.events[:-1])
    name, number = game.players[before.stage.player], before.stage.player
    if isinstance(event, Score):
        gained = game.stage.cards[number].points - before.card.points
        return f"{name}: {gained} in {describe_action(game.rules, event)}."
    if isinstance(event, Keep):
        return f"{name} keeps {format_dice(game.rules, event.dice) or 'nothing'}."
    if isinstance(event, Announce):
        return f"{name} announces {game.rules.categories[event.category].title}."
    return f"{name}: {' '.join(format_dice(game.rules, game.stage.dice or ()))}."
