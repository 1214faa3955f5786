"""Gasoline: what the browser saw, for AI coding agents and failed CI jobs.

PYTEST_DONT_REWRITE: under `gasoline run` it is there before pytest, which warns of that.
"""

__version__ = "0.1.0"
