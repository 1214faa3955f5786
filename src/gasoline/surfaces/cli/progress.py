"""One live line below a command's output: there while it is silent, gone before it speaks."""

import contextlib
import fcntl
import os
import re
import select
import signal
import struct
import sys
import termios
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NamedTuple

SILENCE_S = 0.3
REFRESH_S = 1.0
CHUNK_BYTES = 65_536
ERASE = b"\r\x1b[K"
USUAL_SIZE = (24, 80)
# A command that moves the cursor at will owns the screen: nothing is put into its picture.
OWNS_SCREEN = re.compile(rb"\x1b\[(\?1049h|\d*;?\d*H|[23]J)")

Describe = Callable[[], str]


class Streams(NamedTuple):
    """Where a command writes; None is where we do."""

    stdout: int | None = None
    stderr: int | None = None


class ProgressLine:
    """Passes a command's output on to the terminal, and keeps one line below it."""

    def __init__(self, source: int, terminal: int, describe: Describe) -> None:
        self._source = source
        self._terminal = terminal
        self._describe = describe
        self._at_line_start = True
        self._may_draw = True
        self._shown = ""
        self._asked_at = 0.0

    def follow(self, ended: threading.Event) -> None:
        """Until the command has ended and all that it said is passed on."""
        while True:
            ending = ended.is_set()
            readable, _, _ = select.select([self._source], [], [], 0 if ending else SILENCE_S)
            if readable:
                if not self._pass_on():
                    break
            elif ending:
                break
            else:
                self._draw()
        self._erase()

    def _pass_on(self) -> bool:
        try:
            said = os.read(self._source, CHUNK_BYTES)
        except OSError:
            # What Linux answers when nobody holds the other end any more.
            return False
        self._erase()
        _write(self._terminal, said)
        self._at_line_start = said.endswith((b"\n", b"\r"))
        self._may_draw = self._may_draw and not OWNS_SCREEN.search(said)
        return bool(said)

    def _draw(self) -> None:
        if not (self._may_draw and self._at_line_start):
            return
        if self._shown and time.monotonic() - self._asked_at < REFRESH_S:
            return
        self._asked_at = time.monotonic()
        line = self._describe()[: _size_of(self._terminal)[1] - 1]
        if line != self._shown:
            self._erase()
            _write(self._terminal, line.encode())
            self._shown = line

    def _erase(self) -> None:
        if self._shown:
            _write(self._terminal, ERASE)
            self._shown = ""


@contextmanager
def progress_line(describe: Describe) -> Iterator[Streams]:
    """Keep a line on the terminal of stderr; gives where the command is to write instead."""
    terminal = sys.stderr.fileno()
    ours, theirs = os.openpty()
    _pass_bytes_unchanged(theirs)
    streams = Streams(stdout=theirs if sys.stdout.isatty() else None, stderr=theirs)
    ended = threading.Event()
    line = ProgressLine(ours, terminal, describe)
    following = threading.Thread(target=line.follow, args=(ended,), daemon=True)
    with _same_size(terminal, theirs):
        following.start()
        try:
            yield streams
        finally:
            ended.set()
            following.join()
            os.close(theirs)
            os.close(ours)


@contextmanager
def _same_size(terminal: int, inner: int) -> Iterator[None]:
    def copy(_signal: int = 0, _frame: FrameType | None = None) -> None:
        rows, columns = _size_of(terminal)
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    copy()
    before = signal.signal(signal.SIGWINCH, copy)
    try:
        yield
    finally:
        signal.signal(signal.SIGWINCH, before)


def _pass_bytes_unchanged(descriptor: int) -> None:
    """The real terminal turns line ends into what it needs; twice would be once too often."""
    settings = termios.tcgetattr(descriptor)
    settings[1] &= ~termios.OPOST
    termios.tcsetattr(descriptor, termios.TCSANOW, settings)


def _size_of(terminal: int) -> tuple[int, int]:
    try:
        size = os.get_terminal_size(terminal)
    except OSError:
        return USUAL_SIZE
    return (size.lines or USUAL_SIZE[0], size.columns or USUAL_SIZE[1])


def _write(terminal: int, content: bytes) -> None:
    # A terminal that is gone is no reason to stop the tests.
    with contextlib.suppress(OSError):
        while content:
            content = content[os.write(terminal, content) :]
