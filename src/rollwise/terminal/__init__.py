"""Playing in a terminal, with the keyboard alone."""
