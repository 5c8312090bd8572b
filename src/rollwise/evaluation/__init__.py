"""How a strategy fares, exactly: backward for moments and parts of a value, forward for laws."""
