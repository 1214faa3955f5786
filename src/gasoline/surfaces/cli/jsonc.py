"""Editing JSON with comments in place.

Writing a parsed file anew would lose comments and layout, so the text is cut and joined at
positions found in a copy of equal length with blanks for comments.
"""

import json
import re
from typing import Any, NamedTuple


class ConfigError(ValueError):
    """A configuration file that cannot be edited safely."""


BYTE_ORDER_MARK = "\ufeff"
SPACE = " \t\r\n"
_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_COMMENT = re.compile(rf"{_STRING}|(?P<blank>\A\ufeff|//[^\r\n]*|/\*.*?\*/)", re.DOTALL)
# A comma right after an opening bracket trails nothing: it stays, and is refused as not JSON.
_TRAILING_COMMA = re.compile(rf"{_STRING}|[\[{{]\s*,|(?P<blank>,(?=\s*[}}\]]))", re.DOTALL)
_EMPTY_REST_OF_LINE = re.compile(r"[ \t]*\r?\n")
_START_OF_LINE = re.compile(r"\r?\n[ \t]*\Z")


class _Member(NamedTuple):
    key: str
    start: int
    value_start: int
    end: int
    comma: int | None


class _Object(NamedTuple):
    opening: int
    closing: int
    members: list[_Member]

    def position(self, key: str) -> int | None:
        # Of a repeated key the last one counts, as it does for the clients' own parsers.
        found = [at for at, member in enumerate(self.members) if member.key == key]
        return found[-1] if found else None


class Document:
    """The text of a configuration file, and where things are in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.uncommented = _COMMENT.sub(_blank, text)
        self.strict = _TRAILING_COMMA.sub(_blank, self.uncommented)
        self.is_blank = not self.strict.strip(SPACE)
        self.newline = "\r\n" if "\r\n" in text else "\n"

    @property
    def has_comments_only(self) -> bool:
        return self.is_blank and bool(self.text.strip(SPACE + BYTE_ORDER_MARK))

    def parse(self) -> dict[str, Any]:
        try:
            content = {} if self.is_blank else json.loads(self.strict)
        except json.JSONDecodeError as error:
            raise ConfigError(f"not valid JSON (line {error.lineno}: {error.msg})") from error
        except (ValueError, RecursionError) as error:
            raise ConfigError(f"not JSON that we can read ({error})") from error
        if not isinstance(content, dict):
            raise ConfigError("not a JSON object")
        return content

    def put(self, path: list[str], value: object, *, inside: _Object | None = None) -> str:
        """Set the value at a path of keys; objects missing on the way are added."""
        target = inside or self._root()
        key, *rest = path
        position = target.position(key)
        if position is None:
            for missing in reversed(rest):
                value = {missing: value}
            return self._append(target, key, value)
        member = target.members[position]
        if rest:
            return self.put(rest, value, inside=self._object_at(member.value_start))
        rendered = self._render(value, self._indent(member.start))
        return self.text[: member.value_start] + rendered + self.text[member.end :]

    def take_out(self, path: list[str], *, inside: _Object | None = None) -> str:
        """Remove the member at a path of keys, with its comma and its line."""
        target = inside or self._root()
        key, *rest = path
        position = target.position(key)
        if position is None:
            return self.text
        member = target.members[position]
        if rest:
            return self.take_out(rest, inside=self._object_at(member.value_start))
        before, end = self.text[: member.start], member.end
        if member.comma is not None:
            end = member.comma + 1
        elif position > 0:
            comma = self.uncommented.rindex(",", 0, member.start)
            before = before[:comma] + before[comma + 1 :]
        # Else a comment that ends the line above would swallow what follows us on ours.
        if _EMPTY_REST_OF_LINE.match(self.text, end):
            before = _START_OF_LINE.sub("", before)
        return before + self.text[end:]

    def _append(self, target: _Object, key: str, value: object) -> str:
        end = len(self.text[: target.closing].rstrip(SPACE))
        before, comma = self.text[:end], ""
        if target.members:
            last = target.members[-1]
            if last.comma is None:
                before = self.text[: last.end] + "," + self.text[last.end : end]
            else:
                comma = ","
        indent = self._member_indent(target)
        member = f"{json.dumps(key)}: {self._render(value, indent)}{comma}"
        is_one_line = "\n" not in self.text[end : target.closing]
        close = self.newline + self._indent(target.opening) if is_one_line else ""
        return before + self.newline + indent + member + close + self.text[end:]

    def _root(self) -> _Object:
        return self._object_at(_skip_space(self.strict, 0))

    def _object_at(self, opening: int) -> _Object:
        members: list[_Member] = []
        decode = json.JSONDecoder().raw_decode
        at = _skip_space(self.strict, opening + 1)
        while self.strict[at] != "}":
            key, key_end = decode(self.strict, at)
            value_start = _skip_space(self.strict, _skip_space(self.strict, key_end) + 1)
            _, end = decode(self.strict, value_start)
            after = _skip_space(self.uncommented, end)
            comma = after if self.uncommented[after] == "," else None
            members.append(_Member(key, at, value_start, end, comma))
            at = _skip_space(self.strict, end if comma is None else comma + 1)
        return _Object(opening, at, members)

    def _member_indent(self, target: _Object) -> str:
        """Indent like the neighbours, or one step deeper than the line that opens the object."""
        if target.members and self._starts_line(target.members[-1].start):
            return self._indent(target.members[-1].start)
        return self._indent(target.opening) + self._step()

    def _step(self) -> str:
        first = next(iter(self._root().members), None)
        step = self._indent(first.start) if first and self._starts_line(first.start) else ""
        return step or "  "

    def _starts_line(self, at: int) -> bool:
        return self.text[:at].endswith("\n" + self._indent(at))

    def _indent(self, at: int) -> str:
        line = self.text[self.text.rfind("\n", 0, at) + 1 : at]
        return line[: len(line) - len(line.lstrip(" \t"))]

    def _render(self, value: object, indent: str) -> str:
        lines = json.dumps(value, indent=self._step(), ensure_ascii=False)
        return lines.replace("\n", self.newline + indent)


def _blank(found: re.Match[str]) -> str:
    return re.sub(r"[^\r\n]", " ", found[0]) if found["blank"] else found[0]


def _skip_space(text: str, at: int) -> int:
    while text[at] in SPACE:
        at += 1
    return at
