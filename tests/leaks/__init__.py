"""A visit to a shop that leaks, in a browser of its own."""
