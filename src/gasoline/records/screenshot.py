"""A picture of the page, and why it was taken."""

from msgspec import Struct

from gasoline.records.base import Record


class Pixels(Struct, frozen=True, gc=False):
    """A picture itself, as two PNG files."""

    png: bytes
    thumbnail: bytes

    @property
    def size_bytes(self) -> int:
        return len(self.png) + len(self.thumbnail)


class Screenshot(Record, frozen=True):
    """What is known of a picture; its pixels live beside it in the store while there is room."""

    filename: str = ""
    media_type: str = ""
    size_bytes: int = 0
    width: int = 0
    height: int = 0
    trigger: str = ""
    related_error_id: str | None = None
    action_id: str | None = None
    notes: tuple[str, ...] = ()
