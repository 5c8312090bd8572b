"""Where the layers of large games are kept: in memory, in files, in object stores."""
