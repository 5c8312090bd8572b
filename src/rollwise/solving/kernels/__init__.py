"""Compiled code: arrays in, ``out`` filled; sees no Rules."""
