"""Sentences about a finished game: the result, luck, and EV loss."""

from collections.abc import Mapping, Sequence

from rollwise.errors import counted
from rollwise.game.dice_notation import format_dice
from rollwise.game.game import Game
from rollwise.game.notation import format_action
from rollwise.playing.rating_scale import rating
from rollwise.reviews.grades import format_points
from rollwise.reviews.review import Review


def describe_result(game: Game) -> str:
    """Return the winner and the scores of a finished game in words."""
    scores = [card.points for card in game.stage.cards]
    best = max(scores)
    if len(scores) == 1:
        return counted(best, "point")
    winners = [name for name, score in zip(game.players, scores, strict=True) if score == best]
    if len(winners) > 1:
        return f"{' and '.join(winners)} tie with {counted(best, 'point')}"
    in_order = " to ".join(map(str, sorted(scores, reverse=True)))
    return f"{winners[0]} {'win' if winners[0] == 'You' else 'wins'}, {in_order}"


def explain_result(reviews: Sequence[Review], number: int = 3, rated: str = "") -> list[str]:
    """Return lines with the luck and EV loss of every player, then the worst decisions.

    Parameters
    ----------
    reviews : sequence of Review
        One review per player.
    number : int
        The maximum number of decisions to show, for all players together.
    rated : str, optional
        The output of :func:`describe_ratings`, inserted before the worst decisions.
    """
    widest = max(len(review.player) for review in reviews)
    lines = [
        f"{review.player:<{widest}} {review.score:>5}   luck {format_points(review.luck):>8}"
        f"   lost through choices {format_points(-review.loss):>8}"
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
    """Return the rating of each player in words, or an empty string if ``scale`` is empty.

    Parameters
    ----------
    scale : mapping of str to float
        The EV loss per game of each reference strategy, smallest first
        (:mod:`rollwise.playing.rating_scale`).
    """
    return "; ".join(
        f"{review.player}: {rating(review.loss, scale)}" for review in reviews if scale
    )
