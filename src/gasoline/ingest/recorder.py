"""A file of everything accepted, one JSON line a batch: a crash loses nothing acknowledged."""

import logging
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

logger = logging.getLogger(__name__)

OWNER_ONLY = 0o600


class Recorder:
    """Appends to a record file. The write is done before the batch is acknowledged."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.error: str | None = None
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, OWNER_ONLY)
        self._end_cut_line()

    def batch(
        self,
        route: str,
        list_name: str,
        wires: list[bytes],
        *,
        at_ms: float,
        sender: str | None = None,
        number: int | None = None,
        dropped: int = 0,
        test_id: str | None = None,
    ) -> None:
        envelope = {
            "at": at_ms,
            "route": route,
            "sender": sender,
            "batch": number,
            "dropped": dropped,
            "test_id": test_id,
        }
        head = msgspec.json.encode({key: value for key, value in envelope.items() if value})
        self._append(b'%s,"%s":[%s]}\n' % (head[:-1], list_name.encode(), b",".join(wires)))

    def note(self, route: str, what: dict[str, Any], *, at_ms: float) -> None:
        """Record what is not a batch: test boundaries and clearing."""
        self._append(msgspec.json.encode({"at": at_ms, "route": route, **what}) + b"\n")

    def close(self) -> None:
        os.close(self._file)

    def _append(self, line: bytes) -> None:
        if self.error:
            return
        try:
            view = memoryview(line)
            while view:
                view = view[os.write(self._file, view) :]
        except OSError as error:
            self.error = str(error)
            logger.error("Recording to %s stopped: %s", self.path, error)  # noqa: TRY400  # the user needs the reason, not our stack

    def _end_cut_line(self) -> None:
        """A killed server may have left half a line: start ours on a new one."""
        if self.path.stat().st_size == 0:
            return
        with self.path.open("rb") as file:
            file.seek(-1, os.SEEK_END)
            if file.read() != b"\n":
                self._append(b"\n")


class RecordLine(msgspec.Struct, frozen=True, kw_only=True):
    """One line read back: an accepted batch, a boundary or a clearing."""

    at: float
    route: str
    content: dict[str, Any]


def read_record_file(path: Path) -> Iterator[RecordLine | str]:
    """Yield each line; for one that cannot be read, a note that says so instead."""
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                content = msgspec.json.decode(line, type=dict[str, Any])
                yield RecordLine(
                    at=float(content.pop("at")), route=str(content.pop("route")), content=content
                )
            except (msgspec.DecodeError, KeyError, TypeError, ValueError):
                yield f"{path}, line {number}: cut off or not a record, skipped"
