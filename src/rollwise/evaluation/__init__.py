"""Exact policy evaluation: distributions by a forward pass, means and parts by a backward pass."""
