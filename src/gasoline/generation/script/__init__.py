"""Scripts that repeat a session: one plan of what to do, one writer for each language."""
