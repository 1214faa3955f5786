"""Gasoline: what the browser saw, for AI coding agents and failed CI jobs."""

__version__ = "0.1.0"
