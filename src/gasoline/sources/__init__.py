"""The source behind an error: maps found, decoded once and kept, and errors explained with them."""
