"""A generated file in an answer: whole while it is short, else written down and pointed to."""

import logging
import os
import re
from pathlib import Path

from msgspec import Struct

logger = logging.getLogger(__name__)

INLINE_BYTES = 16 * 1024
FIRST_LINES = 20
LINE_CHARS = 200
NAME_CHARS = 80
FILES_KEPT = 100
OWNER_ONLY = 0o600

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


class GeneratedFile(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The text itself, or the path at which all of it lies and how it begins."""

    name: str
    size_bytes: int
    content: str | None = None
    path: str | None = None
    first_lines: list[str] | None = None


def hand_over(
    text: str, *, name: str, folder: Path | None, inline_bytes: int | None = None
) -> GeneratedFile:
    """Give a short text whole; write one longer than 16 KB, or than the caller asked for, down.

    Without a folder to write to, the text is given whole: a generated file is never cut.
    """
    name, size_bytes = _safe_name(name), len(text.encode())
    fits = size_bytes <= (inline_bytes or INLINE_BYTES)
    path = None if fits or folder is None else _write(folder / name, text)
    if path is None:
        return GeneratedFile(name=name, size_bytes=size_bytes, content=text)
    return GeneratedFile(
        name=name,
        size_bytes=size_bytes,
        path=str(path),
        first_lines=[line[:LINE_CHARS] for line in text.split("\n", FIRST_LINES)[:FIRST_LINES]],
    )


def _safe_name(name: str) -> str:
    """A name that stays in its folder whatever a page put into it; its end, the suffix, is kept."""
    return _UNSAFE.sub("-", name)[-NAME_CHARS:].lstrip(".-") or "generated"


def _write(path: Path, text: str) -> Path | None:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, OWNER_ONLY)
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        _forget_oldest(path.parent)
    except OSError as error:
        logger.warning("Cannot write %s: %s. The answer holds the text instead.", path, error)
        return None
    return path


def _forget_oldest(folder: Path) -> None:
    newest_first = sorted(folder.iterdir(), key=lambda file: file.stat().st_mtime_ns, reverse=True)
    for file in newest_first[FILES_KEPT:]:
        file.unlink()
