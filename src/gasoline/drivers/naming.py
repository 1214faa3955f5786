"""What a test is called on the server, and what it said, within what the server keeps."""

from hashlib import sha256

TEST_ID_CHARS = 4096
MESSAGE_LINES = 3
MESSAGE_CHARS = 500


def fit_test_id(name: str) -> str:
    """The server refuses longer names; cut ones stay apart."""
    if len(name) <= TEST_ID_CHARS:
        return name
    mark = f" #{sha256(name.encode(errors='replace')).hexdigest()[:12]}"
    return name[: TEST_ID_CHARS - len(mark)] + mark


def fit_message(said: str, *, leave_out: str | None = None) -> str:
    """What was expected, and in the lines after it what was there instead."""
    lines = [line for line in said.splitlines() if line.strip()]
    if leave_out:
        lines = [line for line in lines if leave_out not in line]
    return "\n".join(lines[:MESSAGE_LINES])[:MESSAGE_CHARS] or "failed"
