"""Compiled code of the environments: one step of many games."""
