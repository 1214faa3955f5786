"""A picture of the page, and why it was taken."""

from gasoline.records.base import Record


class Screenshot(Record, frozen=True):
    """What is known of a picture; its bytes live beside it in the store."""

    filename: str = ""
    media_type: str = ""
    size_bytes: int = 0
    trigger: str = ""
    related_error_id: str | None = None
    action_id: str | None = None
