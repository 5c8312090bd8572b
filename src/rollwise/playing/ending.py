"""The end of a game in words: who has won, and what it came from: luck, decisions, moments.

What is done at a table, in the words of its players: titles of boxes, and points.
"""

from collections.abc import Mapping, Sequence

from rollwise.game.actions import Action, Announce, Keep, Score
from rollwise.game.game import Game
from rollwise.game.notation import format_action, format_dice
from rollwise.playing.rating_scale import rating
from rollwise.reviews.grades import because, format_points
from rollwise.reviews.review import Review
from rollwise.rules import Rules


def result_of(game: Game) -> str:
    """Return who has won a finished game, and with what."""
    scores = [card.points for card in game.stage.cards]
    best = max(scores)
    if len(scores) == 1:
        return f"{best} points"
    first = [name for name, score in zip(game.players, scores, strict=True) if score == best]
    if len(first) > 1:
        return f"{' and '.join(first)} tie with {best}"
    won = "win" if first == ["You"] else "wins"
    return f"{first[0]} {won}, {' : '.join(map(str, sorted(scores, reverse=True)))}"


def why(reviews: Sequence[Review], number: int = 3, rated: str = "") -> list[str]:
    """Return what luck and decisions did to every player, and the worst of all decisions.

    Parameters
    ----------
    rated : str, optional
        What :func:`ratings` says, to stand between them.
    """
    widest = max(len(one.player) for one in reviews)
    lines = [
        f"{one.player:<{widest}} {one.score:>5}   luck {format_points(one.luck):>8}"
        f"   lost by decisions {format_points(-one.loss):>8}"
        for one in reviews
    ]
    lines += [rated] if rated else []
    worst = [(decision, one) for one in reviews for decision in one.worst(number)]
    worst.sort(key=lambda pair: -pair[0].loss)
    for decision, one in worst[:number]:
        rules = one.rules
        played = format_action(rules, decision.chosen.action)
        lines += [
            "",
            f"{one.player}, turn {decision.turn}, {format_dice(rules, decision.position.dice)}: "
            f"{played} {format_points(-decision.loss)}",
            f"  {decision.best_was(most=2)}",
        ]
    return lines


def ratings(reviews: Sequence[Review], scale: Mapping[str, float]) -> str:
    """Return how well players played, in words; nothing without a scale.

    Parameters
    ----------
    scale : mapping of str to float
        What strategies lose in a game, the least first (:mod:`rollwise.playing.rating_scale`).
    """
    return "; ".join(f"{one.player}: {rating(one.loss, scale)}" for one in reviews if scale)


def luck_sentence(review: Review) -> str:
    """Return what the dice did in a finished game."""
    if abs(review.luck) < 1:
        return "The dice were as kind as they are on average."
    return f"The dice {'gave' if review.luck > 0 else 'took'} {_points(review.luck)}."


def decisions_sentence(review: Review) -> str:
    """Return what the decisions did in a finished game."""
    counted = review.counted
    best = sum(one.chosen.best for one in counted)
    if best == len(counted):
        return "Every decision was the best there was."
    return (
        f"Decisions gave away {_points(review.loss)}, {review.mean_loss:.1f} each; "
        f"{best} of {len(counted)} were best."
    )


def best_moment(review: Review) -> str:
    """Return the roll that brought most; nothing where there was none."""
    if not review.rolls:
        return ""
    roll = max(review.rolls, key=lambda roll: roll.luck)
    dice = format_dice(review.rules, roll.dice)
    return f"Turn {roll.turn}: {dice} came, worth {format_points(roll.luck)}."


def worst_moment(review: Review) -> str:
    """Return the decision that lost most, and what was best; nothing where all were best."""
    worst = review.worst(1)
    if not worst:
        return ""
    (one,), rules = worst, review.rules
    played, best = (in_words(rules, option.action) for option in (one.chosen, one.best))
    reasons = because(rules, one.reasons, most=2)
    return (
        f"Turn {one.turn}, {format_dice(rules, one.position.dice)}: “{played}” lost "
        f"{_points(one.loss)}; “{best}” was best{f' because of {reasons}' if reasons else ''}."
    )


def _points(points: float) -> str:
    return f"{abs(points):.1f} points"


def in_words(rules: Rules, action: Action) -> str:
    """Return a choice as a player says it: ``Keep 66``, ``Roll all dice``, ``Full House``.

    A box that is not scored but announced: ``Announce Full House``.
    """
    if isinstance(action, Keep):
        return f"Keep {format_dice(rules, action.dice)}" if action.dice else "Roll all dice"
    title = rules.categories[action.category].title
    return f"Announce {title}" if isinstance(action, Announce) else title


def last_in_words(game: Game) -> str:
    """Return who did what last: ``Ada: 25 in Full House``; nothing before anything was done."""
    if not game.events:
        return ""
    event = game.events[-1]
    before = Game(game.rules, game.players, game.events[:-1])
    name, number = game.players[before.stage.player], before.stage.player
    if isinstance(event, Score):
        gained = game.stage.cards[number].points - before.card.points
        return f"{name}: {gained} in {in_words(game.rules, event)}."
    if isinstance(event, Keep):
        return f"{name} keeps {format_dice(game.rules, event.dice) or 'nothing'}."
    if isinstance(event, Announce):
        return f"{name} announces {game.rules.categories[event.category].title}."
    return f"{name}: {' '.join(format_dice(game.rules, game.stage.dice or ()))}."
