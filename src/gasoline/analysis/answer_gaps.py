"""What an answer lacked that code then read: null, missing, or a list with nothing in it."""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from gasoline.analysis.json_fields import walk_fields
from gasoline.analysis.read_of_nothing import ReadOfNothing

DEPTH = 6
ITEMS_READ = 50
PATHS_NAMED = 3
_NAMES = re.compile(r"[A-Za-z_$][\w$]*")
_INDEXED = re.compile(r"([\w$]+)(?:\?\.)?\[[^\]]*\]\W*$")


def find_gap(answer: Any, read: ReadOfNothing) -> str | None:
    """`with null in total`, as far as the expression that was read names what is not there."""
    names = _NAMES.findall(read.expression or "")
    if not names:
        return None
    fields = list(_fields(answer))
    if nulls := _paths(fields, set(names), lambda value: value is None):
        return f"with null in {nulls}"
    if indexed := _INDEXED.search(read.expression or ""):
        empty = _paths(fields, {indexed[1]}, lambda value: value == [])
        return f"with an empty list in {empty}" if empty else None
    return None


def find_missing(answer: Any, read: ReadOfNothing) -> str | None:
    """`without total`, where no object of an answer has the field that was read as undefined."""
    field = read.field
    objects = answer if isinstance(answer, list) else [answer]
    if read.nothing != "undefined" or not field or not objects:
        return None
    if not all(isinstance(item, dict) for item in objects[:ITEMS_READ]):
        return None
    present = any(path.rpartition(".")[2] == field for path, _ in _fields(answer))
    return None if present or not _NAMES.fullmatch(field) else f"without {field}"


def _paths(fields: list[tuple[str, Any]], names: set[str], is_gap: Callable[[Any], bool]) -> str:
    found = (path for path, value in fields if is_gap(value) and path.rpartition(".")[2] in names)
    return ", ".join(islice(dict.fromkeys(found), PATHS_NAMED))


def _fields(answer: Any) -> Iterator[tuple[str, Any]]:
    for path, value in walk_fields(answer, depth=DEPTH, elements=ITEMS_READ):
        if path and not path.endswith("[]"):
            yield path, value
