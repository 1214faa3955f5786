"""A fault switched on, then off, and what the tools make of it."""
