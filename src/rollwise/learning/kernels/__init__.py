"""Compiled code of the environments: the steps of many games, and the oracle."""
