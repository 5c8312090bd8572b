"""Games in progress: sessions, input, the tutor, computer opponents, practice, and matches."""
