"""What a page showed: the elements a tester would look for."""

from typing import Any

from gasoline.records.base import Record


class DomSnapshot(Record, frozen=True):
    """The visible outline of a page at one moment."""

    title: str = ""
    elements: list[dict[str, Any]] = []
