"""Two players who answer each other: exact chances of winning, and the play that has them."""
