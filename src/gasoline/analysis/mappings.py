"""The mappings of a source map, kept as the text they came in: six bytes a segment, not sixteen.

Every so many segments a checkpoint keeps what the relative numbers have added up to, so that a
lookup decodes a handful of segments, and a map of megabytes is a table of megabytes.
"""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from msgspec import Struct

from gasoline.analysis.vlq import LARGEST, MAPPED, NAMED, InvalidMapError, decode_segment

SEGMENTS_IN_CHUNK = 64
# Segments repeat, so that decoding each kind once is enough; but a hostile map has a million kinds.
SEGMENTS_REMEMBERED = 8192
_COLUMN_BITS = 32
_CHUNK = re.compile(f"(?:[^,;]+[,;]*){{1,{SEGMENTS_IN_CHUNK}}}")
_EMPTY_SEGMENT = re.compile("^,|,,|,;|;,|,$")

# Column, source, original line, original column, name: all relative; has it a source, a name?
_Fields = tuple[int, ...]


class Segment(Struct, frozen=True):
    """One mapping, its positions counted from 0; without a source it is nobody's code."""

    line: int
    column: int
    source: int | None = None
    original_line: int = 0
    original_column: int = 0
    name: int | None = None


class Mappings:
    """Where each piece of generated code comes from."""

    def __init__(self, text: str, checkpoints: "_Checkpoints", unsorted: frozenset[int]) -> None:
        self._text = text
        self._checkpoints = checkpoints
        self._unsorted = unsorted
        self.size_bytes = len(text) + checkpoints.size_bytes

    @property
    def end(self) -> tuple[int, int]:
        """The line and column of the last segment."""
        last = [
            (0, 0),
            *((one.line, one.column) for one in self._chunk(len(self._checkpoints) - 1)),
        ]
        return last[-1]

    def find(self, line: int, column: int) -> Segment | None:
        """The last segment of the line that starts at or before the column."""
        before = [
            segment
            for chunk in self._chunks_of(line, min(column, LARGEST))
            for segment in self._chunk(chunk)
            if segment.line == line and segment.column <= column
        ]
        return max(before, key=lambda segment: segment.column, default=None)

    def _chunks_of(self, line: int, column: int) -> range:
        """The one chunk that a position is in; of a line whose columns go back and forth, all."""
        positions = self._checkpoints.positions
        start = line << _COLUMN_BITS
        if line in self._unsorted:
            first = bisect_left(positions, start) - 1
            return range(max(0, first), bisect_right(positions, start | LARGEST))
        last = bisect_right(positions, start | column)
        return range(max(0, last - 1), last)

    def _chunk(self, index: int) -> Iterator[Segment]:
        if index < 0:
            return
        line, column, source, original_line, original_column, name = self._checkpoints.state(index)
        found = _CHUNK.match(self._text, self._checkpoints.offsets[index])
        for token in re.finditer("[^,;]+|;+", found[0] if found else ""):
            if token[0][0] == ";":
                line, column = line + len(token[0]), 0
                continue
            fields = decode_segment(token[0])
            column += fields[0]
            if len(fields) < MAPPED:
                yield Segment(line, column)
                continue
            source += fields[1]
            original_line += fields[2]
            original_column += fields[3]
            name += fields[4] if len(fields) == NAMED else 0
            named = name if len(fields) == NAMED else None
            yield Segment(line, column, source, original_line, original_column, named)


def read_mappings(text: str, *, sources: int, names: int) -> Mappings:
    """Check every segment, and remember enough of the way to find any of them again."""
    if _EMPTY_SEGMENT.search(text):
        raise InvalidMapError("a mapping has no fields")
    checkpoints, segments, unsorted = _Checkpoints(), _Remembered(), set[int]()
    line = len(text) - len(text.lstrip(";"))
    column = source = original_line = original_column = name = 0
    for chunk in _CHUNK.finditer(text, line):
        letters = chunk[0]
        # Whole chunks at a time, by what runs in C: there are a hundred thousand segments.
        decoded = list(map(segments.__getitem__, letters.replace(";", ",").split(",")))
        columns, of_sources, of_lines, of_columns, of_names, mapped, named = zip(
            *decoded, strict=True
        )
        checkpoints.add(
            line, column, columns[0], chunk.start(), source, original_line, original_column, name
        )
        if min(columns) < 0:
            unsorted.update(_check_columns(letters, line, column, segments))
        if any(mapped):
            source = _add_up(source, of_sources, sources, "sources")
            original_line = _add_up(original_line, of_lines, LARGEST + 1, "lines")
            original_column = _add_up(original_column, of_columns, LARGEST + 1, "columns")
        if any(named):
            name = _add_up(name, of_names, names, "names")
        line += letters.count(";")
        _, new_line, last = letters.rpartition(";")
        column = 0 if new_line else column
        column += sum(segments[one][0] for one in last.split(",")) if new_line else sum(columns)
        if column > LARGEST:
            raise InvalidMapError("a mapping is at a column that no line has")
    return Mappings(text, checkpoints, frozenset(unsorted))


def _add_up(start: int, relative: Sequence[int], count: int, what: str) -> int:
    """The running total after a chunk, all of which must be one of so many things."""
    totals = list(accumulate(relative, initial=start))
    if min(totals) < 0 or max(totals) >= count:
        raise InvalidMapError(f"a mapping points outside of the map's {what}")
    return totals[-1]


def _check_columns(letters: str, line: int, column: int, segments: "_Remembered") -> Iterator[int]:
    """Columns that go back: allowed, but not below 0. Yields the lines where they do."""
    for number, of_line in enumerate(letters.split(";"), start=line):
        start = column if number == line else 0
        relative = [segments[one][0] for one in of_line.split(",")]
        _add_up(start, relative, LARGEST + 1, "columns")
        if min(relative) < 0:
            yield number


class _Remembered(dict[str, _Fields]):
    """Segments that were decoded before."""

    def __missing__(self, letters: str) -> _Fields:
        if len(self) >= SEGMENTS_REMEMBERED:
            self.clear()
        fields = decode_segment(letters) if letters else (0,)
        padded = (*fields, 0, 0, 0, 0)[:NAMED]
        self[letters] = known = (*padded, len(fields) >= MAPPED, len(fields) == NAMED)
        return known


class _Checkpoints:
    """What has added up before each chunk, in parallel arrays of plain numbers."""

    def __init__(self) -> None:
        # Where the first segment of the chunk is: its line, then its column.
        self.positions = array("Q")
        self.offsets = array("I")
        self._columns = array("I")
        self._originals = tuple(array("I") for _ in range(4))

    def __len__(self) -> int:
        return len(self.positions)

    def add(self, line: int, column: int, step: int, offset: int, *originals: int) -> None:
        self.positions.append(line << _COLUMN_BITS | max(0, column + step))
        self.offsets.append(offset)
        self._columns.append(column)
        for numbers, number in zip(self._originals, originals, strict=True):
            numbers.append(number)

    def state(self, index: int) -> tuple[int, int, int, int, int, int]:
        source, line, column, name = (numbers[index] for numbers in self._originals)
        of_chunk = self.positions[index] >> _COLUMN_BITS
        return of_chunk, self._columns[index], source, line, column, name

    @property
    def size_bytes(self) -> int:
        arrays = (self.positions, self.offsets, self._columns, *self._originals)
        return sum(len(numbers) * numbers.itemsize for numbers in arrays)
