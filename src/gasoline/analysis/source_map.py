"""A source map: from a position in generated code to the file, line and text it came from.

https://tc39.es/ecma426/; what breaks a rule of it is refused as a whole, with the rule.
"""

import re
import zlib
from collections.abc import Iterator
from typing import Annotated, Literal
from urllib.parse import unquote, urljoin, urlsplit

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from gasoline.analysis.mappings import Mappings, read_mappings
from gasoline.analysis.vlq import InvalidMapError

MAP_BYTES = 16 * 1024 * 1024
NESTED_SECTIONS = 4
_LINE_END = re.compile(r"\r\n?|\n")
# Servers may put this before JSON, so that it cannot be run as a script.
_NOT_A_SCRIPT = b")]}'"

Index = Annotated[int, Meta(ge=0, lt=2**31)]


class Original(Struct, frozen=True):
    """A place in a source as its author wrote it, counted from 1."""

    file: str
    line: int
    column: int
    # Zipped: most of it is never looked at.
    zipped_text: bytes | None = None
    name: str | None = None
    # Code of somebody else, as the map says.
    ignored: bool = False

    def lines(self) -> list[str] | None:
        """The lines of the whole file, where the map has them."""
        if self.zipped_text is None:
            return None
        return _LINE_END.split(zlib.decompress(self.zipped_text).decode("utf-8", "replace"))


class _Part(Struct, frozen=True):
    """A map, or one section of it, from a line and a column of the generated code on."""

    line: int
    column: int
    mappings: Mappings
    files: tuple[str | None, ...]
    zipped_texts: tuple[bytes | None, ...]
    names: tuple[str, ...]
    ignored: frozenset[int]

    @property
    def size_bytes(self) -> int:
        texts = sum(len(text) for text in self.zipped_texts if text)
        names = sum(len(name) + _TEXT_OVERHEAD for name in (*self.names, *filter(None, self.files)))
        return self.mappings.size_bytes + texts + names

    def find(self, line: int, column: int) -> Original | None:
        offset = self.column if line == self.line else 0
        segment = self.mappings.find(line - self.line, column - offset)
        if segment is None or segment.source is None:
            return None
        return Original(
            file=self.files[segment.source] or "",
            line=segment.original_line + 1,
            column=segment.original_column + 1,
            zipped_text=self.zipped_texts[segment.source],
            name=None if segment.name is None else self.names[segment.name],
            ignored=segment.source in self.ignored,
        )


_TEXT_OVERHEAD = 57


class SourceMap:
    """What a decoded map can answer; never changed, so any thread may ask it."""

    def __init__(self, parts: tuple[_Part, ...]) -> None:
        self._parts = parts
        self.size_bytes = sum(part.size_bytes for part in parts)

    def find(self, line: int, column: int) -> Original | None:
        """Where the code at a line and column comes from; both count from 1, in UTF-16 units."""
        at = (line - 1, column - 1)
        part = next((one for one in reversed(self._parts) if (one.line, one.column) <= at), None)
        return part.find(*at) if part else None


def read_source_map(body: bytes, url: str) -> SourceMap:
    """Decode a map that came from a URL, or say what is wrong with it."""
    if len(body) > MAP_BYTES:
        raise InvalidMapError(
            f"the map has {len(body) / 2**20:.1f} MB, over the limit of {MAP_BYTES // 2**20} MB"
        )
    if body.startswith(_NOT_A_SCRIPT):
        body = body.partition(b"\n")[2]
    try:
        return SourceMap(tuple(_read_parts(body, url, depth=NESTED_SECTIONS)))
    except InvalidMapError:
        raise
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidMapError(f"this is no source map: {error}") from error


class _Kind(Struct, frozen=True):
    version: Literal[3]
    sections: Raw | UnsetType = UNSET
    mappings: Raw | UnsetType = UNSET


class _Fields(Struct, frozen=True, rename="camel"):
    version: Literal[3]
    sources: list[str | None]
    mappings: str
    names: list[str] = []
    sources_content: list[Raw] | None = None
    source_root: str | None = None
    file: str | None = None
    ignore_list: list[Index] | UnsetType = UNSET
    # What the list was called before it had a specification.
    google_ignore_list: list[Index] = msgspec.field(default=[], name="x_google_ignoreList")


class _Offset(Struct, frozen=True):
    line: Index
    column: Index


class _Section(Struct, frozen=True):
    offset: _Offset
    map: Raw


class _Index(Struct, frozen=True):
    version: Literal[3]
    sections: list[_Section]
    file: str | None = None


def _read_parts(body: bytes | Raw, url: str, *, depth: int) -> Iterator[_Part]:
    kind = msgspec.json.decode(body, type=_Kind)
    if kind.sections is UNSET:
        yield _read_part(msgspec.json.decode(body, type=_Fields), url)
        return
    if kind.mappings is not UNSET:
        raise InvalidMapError("a map has both sections and mappings")
    if depth == 0:
        raise InvalidMapError("sections within sections within sections")
    end = (-1, 0)
    for section in msgspec.json.decode(body, type=_Index).sections:
        offset = section.offset
        if (offset.line, offset.column) <= end:
            raise InvalidMapError("the sections of a map overlap, or are out of order")
        for part in _read_parts(section.map, url, depth=depth - 1):
            placed = _place(part, offset)
            yield placed
            last_line, last_column = part.mappings.end or (0, 0)
            shift = placed.column if last_line == 0 else 0
            end = max(end, (placed.line + last_line, shift + last_column))
        end = max(end, (offset.line, offset.column))


def _place(part: _Part, offset: _Offset) -> _Part:
    column = part.column + (offset.column if part.line == 0 else 0)
    return msgspec.structs.replace(part, line=part.line + offset.line, column=column)


def _read_part(fields: _Fields, url: str) -> _Part:
    count = len(fields.sources)
    ignored = fields.google_ignore_list if fields.ignore_list is UNSET else fields.ignore_list
    if any(index >= count for index in ignored):
        raise InvalidMapError("the map ignores a source that it does not have")
    texts = [_zip(text) for text in fields.sources_content or []]
    return _Part(
        line=0,
        column=0,
        mappings=read_mappings(fields.mappings, sources=count, names=len(fields.names)),
        files=tuple(name_source(source, fields.source_root, url) for source in fields.sources),
        zipped_texts=tuple((texts + [None] * count)[:count]),
        names=tuple(fields.names),
        ignored=frozenset(ignored),
    )


def _zip(text: Raw) -> bytes | None:
    content = msgspec.json.decode(text, type=str | None)
    return None if content is None else zlib.compress(content.encode("utf-8", "replace"), level=1)


def name_source(source: str | None, root: str | None, map_url: str) -> str | None:
    """A source as its author would name it: the path within the project, not the address."""
    if source is None:
        return None
    if root:
        source = f"{root.rstrip('/')}/{source}"
    try:
        # A base that urljoin knows, so that `..` is resolved whatever the map's own address is.
        parts = urlsplit(urljoin(map_url, source))
    except ValueError:
        return source
    path = unquote(parts.path).replace("\0", "")
    if parts.scheme in {"file", ""}:
        return path
    # Vite serves files from outside the project's folder under this prefix.
    outside = path.removeprefix("/@fs")
    return outside if outside != path else re.sub(r"^(\.{0,2}/)+", "", path)
