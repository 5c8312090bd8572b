"""Review a game in a file.

Print the luck of each player, the decision with the highest EV loss, and the reason:

    $ python examples/review_a_game.py examples/game.txt
    Ada: 24 points, luck +13.64, lost 0.00
    Ben: 30 points, luck -3.46, lost 4.58
      turn 1: score small-straight lost 4.58 against keep 1234
      most of it in large-straight, 2.84
"""

import sys
from pathlib import Path

from rollwise import format_action, review

path = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("game.txt")
for player in review(path):
    print(
        f"{player.player}: {player.score} points, luck {player.luck:+.2f}, lost {player.loss:.2f}"
    )
    for worst in player.worst(1):
        played, best = (
            format_action(player.rules, option.action) for option in (worst.chosen, worst.best)
        )
        part, points = worst.reasons[0]
        print(f"  turn {worst.turn}: {played} lost {worst.loss:.2f} against {best}")
        print(f"  most of it in {part}, {points:.2f}")
