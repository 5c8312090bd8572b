"""Storage of the layers of large games: in memory, in files, in object stores."""
