"""Reviews of games: the EV loss of every decision with its reasons, and the luck of every roll."""
