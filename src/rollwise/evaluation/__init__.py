"""Exact policy evaluation: score distributions by a forward pass, means by a backward pass."""
