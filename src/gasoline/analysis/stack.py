"""A stack trace as browsers write it, read into frames: Chromium, Firefox and Safari."""

import re
from collections.abc import Iterator

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
    lines = [line[:LINE_CHARS] for line in stack.split("\n", LINES_READ)[:LINES_READ]]
    chromium = [frame for line in lines for frame in _read_chromium(line)]
    return chromium or [frame for line in lines for frame in _read_others(line)]


def frames_of(entry: LogEntry) -> list[Frame]:
    """The calls that led to an error; without a stack the place that the browser named."""
    frames = read_stack(entry.stack or _stack_said(entry))
    if frames or not entry.filename or not entry.lineno:
        return frames
    return [Frame("", entry.filename, entry.lineno, entry.colno or 0)]


def _stack_said(entry: LogEntry) -> str:
    """The stack of the error that a page wrote to the console, if it wrote one."""
    told = (item.get("stack") for item in entry.args if isinstance(item, dict))
    return next((stack for stack in told if isinstance(stack, str)), "")


def _read_chromium(line: str) -> Iterator[Frame]:
    # Evaluated code has no file: where it was evaluated is the closest that anyone can open.
    if evaluated := _EVAL.fullmatch(line):
        frame = _read_place(evaluated["outer"], evaluated["function"])
    elif found := _CHROMIUM.fullmatch(line):
        function = (found["function"] or "").removeprefix("async ")
        frame = _read_place(found["within"] or found["bare"], function)
    else:
        return
    if frame:
        yield frame


def _read_others(line: str) -> Iterator[Frame]:
    named = _OTHERS.fullmatch(line.strip())
    # Older Safari names only the place of a function without a name.
    place = named["place"] if named else line.strip() if _PLACED.fullmatch(line.strip()) else ""
    # What Firefox puts before the star is what the call waited for.
    function = named["function"].rpartition("*")[2].rstrip("/<") if named else ""
    if frame := _read_place(place, "" if function in _NO_FUNCTIONS else function):
        yield frame


def _read_place(place: str, function: str) -> Frame | None:
    found = _PLACE.fullmatch(place)
    if not found or not _ADDRESS.fullmatch(found["url"]):
        return None
    evaluated = _FIREFOX_EVAL.fullmatch(found["url"])
    if evaluated:
        return Frame(function, evaluated["url"], int(evaluated["line"]), 0)
    return Frame(function, found["url"], int(found["line"]), int(found["column"] or 0))
