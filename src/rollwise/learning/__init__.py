"""For those who learn to play: environments of the libraries for it, with an exact oracle."""
