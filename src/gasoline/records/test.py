"""One run of one test: when, which attempt, how it ended."""

from msgspec import Struct


class TestRun(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An attempt at a test, as `/tests` lists it. Spelled in snake_case: the CI envelope is."""

    __test__ = False  # pytest: this is a record, not a test class

    test_id: str
    attempt: int
    started_ms: float
    ended_ms: float | None = None
    status: str | None = None
    duration_ms: float | None = None
    message: str | None = None
