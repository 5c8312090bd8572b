"""Terminal apps to play, practice, and review games."""
