"""A batch that cannot be taken: why, and with which status it is answered."""

BAD_REQUEST = 400
TOO_LARGE = 413
TOO_MANY = 429


class RefusedBatch(Exception):  # noqa: N818  # named for what the sender reads, not for Python
    """Nothing of the batch was stored."""

    def __init__(self, reason: str, status: int = BAD_REQUEST) -> None:
        super().__init__(reason)
        self.reason = reason
        self.status = status
        # Of a request with several lines: how many of them were taken.
        self.taken: int | None = None
