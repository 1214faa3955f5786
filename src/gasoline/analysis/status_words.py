"""What test runners call the ways in which a test ends."""

FAILED = frozenset({"failed", "fail", "timedout", "timed_out", "timeout", "broken", "unexpected"})
ERRORED = frozenset({"error", "crashed", "interrupted"})
SKIPPED = frozenset({"skipped", "pending", "disabled"})
# As a server calls what it was not told.
UNTOLD = frozenset({"running", "unknown"})


def is_sound(status: str) -> bool:
    """Whether a test is known to have ended well, or not to have run."""
    return status.lower() not in FAILED | ERRORED | UNTOLD
