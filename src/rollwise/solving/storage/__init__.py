"""Storage of value tables: in memory, in files, and in object stores."""
