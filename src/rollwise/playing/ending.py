"""The end of a game in words: who has won, and what it came from."""

from collections.abc import Sequence

from rollwise.game.game import Game
from rollwise.game.notation import format_action, format_dice
from rollwise.reviews.review import Review
from rollwise.reviews.verdicts import because, format_points


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


def why(reviews: Sequence[Review], number: int = 3) -> list[str]:
    """Return what luck and decisions did to every player, and the worst of all decisions."""
    widest = max(len(one.player) for one in reviews)
    lines = [
        f"{one.player:<{widest}} {one.score:>5}   luck {format_points(one.luck):>8}"
        f"   lost by decisions {format_points(-one.loss):>8}"
        for one in reviews
    ]
    worst = [(decision, one) for one in reviews for decision in one.worst(number)]
    worst.sort(key=lambda pair: -pair[0].loss)
    for decision, one in worst[:number]:
        rules = one.rules
        played, best = (
            format_action(rules, option.action) for option in (decision.chosen, decision.best)
        )
        reasons = because(rules, decision.reasons, most=2)
        lines += [
            "",
            f"{one.player}, turn {decision.turn}, {format_dice(rules, decision.position.dice)}: "
            f"{played} {format_points(-decision.loss)}",
            f"  best was {best}{f' because of {reasons}' if reasons else ''}",
        ]
    return lines
