"""Telling those who asked for it, unasked: what is significant, to whom, and how often."""
