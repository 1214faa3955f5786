"""A request the page made, and what came back."""

from typing import Any

from gasoline.records.base import Record

FAILURE_STATUS = 400


class NetworkBody(Record, frozen=True):
    """One exchange with its bodies, as far as they were captured."""

    method: str = "GET"
    status: int = 0
    content_type: str = ""
    request_body: str | None = None
    response_body: str | None = None
    request_truncated: bool = False
    response_truncated: bool = False
    request_headers: dict[str, Any] = {}
    response_headers: dict[str, Any] = {}
    has_auth_header: bool | None = None
    page_url: str = ""
    duration: float | None = None
    error: str | None = None
    # Not answered yet when it was told: because a test ended, or the page did.
    pending: bool = False

    @property
    def failed(self) -> bool:
        return self.status >= FAILURE_STATUS
