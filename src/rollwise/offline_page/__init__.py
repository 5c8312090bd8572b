"""The offline page: a solved game as one HTML file, playable with advice without a network."""
