"""What the site says of the program, taken from the program."""
