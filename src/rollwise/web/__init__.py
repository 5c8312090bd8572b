"""Pages and a JSON API on this machine: translates between people and the rest, no arithmetic."""
