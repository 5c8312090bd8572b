"""Experiments: simulation, comparison, EV losses, rule variants, plans, plots, and clusters."""
