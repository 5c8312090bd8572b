"""Compiled code of the environments: many games, each a step further."""
