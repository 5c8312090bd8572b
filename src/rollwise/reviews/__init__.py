"""A game judged: the loss of every decision, the luck of every roll, and why."""
