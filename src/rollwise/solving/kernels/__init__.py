"""Compiled kernels: functions that read and write arrays, and do not depend on ``Rules``."""
