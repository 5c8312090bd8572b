"""Reviews of games: the loss of every decision with its reasons, and the luck of every roll."""
