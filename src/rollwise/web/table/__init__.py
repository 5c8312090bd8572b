"""The table of a game: card, dice, advice and ending, one file each."""
