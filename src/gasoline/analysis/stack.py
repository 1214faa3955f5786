"""A stack trace as browsers write it, read into frames: Chromium, Firefox and Safari."""

import re
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from gasoline.records import LogEntry

# A stack is the page's text: what is longer than any real one is not looked at.
LINES_READ = 60
LINE_CHARS = 2000

_PLACE = re.compile(r"(?P<url>.+?):(?P<line>\d{1,9})(?::(?P<column>\d{1,9}))?")
_CHROMIUM = re.compile(r"\s*at (?:(?P<function>.*) \((?P<within>.+)\)|(?:async )?(?P<bare>\S.*))")
_EVAL = re.compile(r"\s*at (?P<function>[^(]*?) ?\(?eval at .*\((?P<outer>[^()]+)\)+, .*")
_FIREFOX_EVAL = re.compile(r"(?P<url>.+?) line (?P<line>\d{1,9}) > .*")
# The first @ with an address behind it: a name may hold one, and so may a path.
_OTHERS = re.compile(r"(?P<function>.*?)@(?P<place>(?:[a-zA-Z][\w+.-]*:|/).+)")
# What Safari calls code outside of functions.
_NO_FUNCTIONS = {"global code", "module code", "eval code"}
_PLACED = re.compile(r"[a-z][\w+.-]*://\S+:\d{1,9}:\d{1,9}")
_ADDRESS = re.compile(r"[a-zA-Z][\w+.-]*:.+|/.+")


class Frame(Struct, frozen=True):
    """One call; line and column count from 1, 0 where the browser does not say."""

    function: str
    url: str
    line: int
    column: int


def read_stack(stack: str) -> list[Frame]:
    """The calls, innermost first. Lines that are no calls, as the message's, are left out."""
    return list(_read_frames(stack))


def frames_of(entry: LogEntry) -> list[Frame]:
    """The calls that led to an error; without a stack the place that the browser named."""
    return list(_frames_of(entry))


def innermost_frame_of(entry: LogEntry) -> Frame | None:
    """The first of them, without reading the others."""
    return next(_frames_of(entry), None)


def _frames_of(entry: LogEntry) -> Iterator[Frame]:
    frames = _read_frames(entry.stack or _stack_said(entry))
    innermost = next(frames, None)
    if innermost:
        yield innermost
        yield from frames
    elif entry.filename and entry.lineno:
        yield Frame("", entry.filename, entry.lineno, entry.colno or 0)


def _read_frames(stack: str) -> Iterator[Frame]:
    lines = [line[:LINE_CHARS] for line in stack.split("\n", LINES_READ)[:LINES_READ]]
    for read in (_read_chromium, _read_others):
        found = False
        for line in lines:
            if frame := read(line):
                found = True
                yield frame
        if found:
            return


def _stack_said(entry: LogEntry) -> str:
    """The stack of the error that a page wrote to the console, if it wrote one."""
    told = (item.get("stack") for item in entry.args if isinstance(item, dict))
    return next((stack for stack in told if isinstance(stack, str)), "")


# The same lines come again: in other errors, and with every question about them.
@lru_cache(maxsize=1024)
def _read_chromium(line: str) -> Frame | None:
    # Evaluated code has no file: where it was evaluated is the closest that anyone can open.
    if evaluated := _EVAL.fullmatch(line):
        return _read_place(evaluated["outer"], evaluated["function"])
    if found := _CHROMIUM.fullmatch(line):
        function = (found["function"] or "").removeprefix("async ")
        return _read_place(found["within"] or found["bare"], function)
    return None


def _read_others(line: str) -> Frame | None:
    named = _OTHERS.fullmatch(line.strip())
    # Older Safari names only the place of a function without a name.
    place = named["place"] if named else line.strip() if _PLACED.fullmatch(line.strip()) else ""
    # What Firefox puts before the star is what the call waited for.
    function = named["function"].rpartition("*")[2].rstrip("/<") if named else ""
    return _read_place(place, "" if function in _NO_FUNCTIONS else function)


def _read_place(place: str, function: str) -> Frame | None:
    found = _PLACE.fullmatch(place)
    if not found or not _ADDRESS.fullmatch(found["url"]):
        return None
    evaluated = _FIREFOX_EVAL.fullmatch(found["url"])
    if evaluated:
        return Frame(function, evaluated["url"], int(evaluated["line"]), 0)
    return Frame(function, found["url"], int(found["line"]), int(found["column"] or 0))
