"""What is done at a table, in the words of its players: titles of boxes, and points."""

from rollwise.game.actions import Action, Announce, Keep, Score
from rollwise.game.game import Game
from rollwise.game.notation import format_dice
from rollwise.rules import Rules


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
