"""What is done at a table, in the words of its players: titles of boxes, and points."""

from rollwise.game.actions import Action, Keep, Score
from rollwise.game.game import Game
from rollwise.game.notation import format_dice
from rollwise.rules import Rules


def in_words(rules: Rules, action: Action) -> str:
    """Return a choice as a player says it: ``Keep 66``, ``Roll all dice``, ``Full House``."""
    if isinstance(action, Keep):
        return f"Keep {format_dice(rules, action.dice)}" if action.dice else "Roll all dice"
    return rules.categories[action.category].title


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
    return f"{name}: {' '.join(format_dice(game.rules, game.stage.dice or ()))}."
