"""A solved game as one HTML file that can be played, with optimal advice, without a network."""
