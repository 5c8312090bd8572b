"""A solved game as one HTML file, to be played with best play's advice where no network is."""
