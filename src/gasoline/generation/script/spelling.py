"""Calls of Playwright, as each of its languages spells them."""

import re
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from gasoline.generation.script.literal import (
    Value,
    js_regex,
    js_text,
    js_value,
    one_or_all,
    py_regex,
    py_text,
    py_value,
)


class Spelling(Struct, frozen=True, kw_only=True):
    """What tells one language from another where both call the same things."""

    text: Callable[[str], str]
    regex: Callable[[str], str]
    # Within a selector, where Playwright for Python lets a slash end it.
    regex_in_selector: Callable[[str], str]
    value: Callable[[Value], str]
    # The content of a file.
    content: Callable[[str], str]
    # A function's or an option's name, from the way Python writes it.
    name: Callable[[str], str]
    options: Callable[[Mapping[str, str]], str]
    record: Callable[[Mapping[str, str]], str]
    # A function for the page itself.
    script: Callable[[str], str]
    # Options of a list by their places, as an argument.
    places: Callable[[Sequence[int]], str]
    true: str
    first: str
    statement: str
    comment: str
    aside: str

    def call(self, on: str, name: str, /, *given: str, **options: str) -> str:
        """A call on an expression; arguments are expressions already."""
        arguments = [*given, *([self.options(options)] if options else [])]
        return f"{on}.{self.name(name)}({', '.join(arguments)})"

    def remark(self, text: str) -> str:
        return f"{self.comment} {text}"

    def state(self, expression: str) -> str:
        return self.statement.format(expression)


def _camel(name: str) -> str:
    joined = re.sub(r"_([a-z])", lambda found: found[1].upper(), name)
    return re.sub(r"Url$", "URL", joined)


def _js_record(pairs: Mapping[str, str]) -> str:
    return "{ " + ", ".join(f"{_camel(name)}: {given}" for name, given in pairs.items()) + " }"


def _py_options(pairs: Mapping[str, str]) -> str:
    return ", ".join(f"{name}={given}" for name, given in pairs.items())


def _py_record(pairs: Mapping[str, str]) -> str:
    inside = ", ".join(f"{py_text(_camel(name))}: {given}" for name, given in pairs.items())
    return f"{{{inside}}}"


TYPESCRIPT = Spelling(
    text=js_text,
    regex=js_regex,
    regex_in_selector=js_regex,
    value=js_value,
    content=lambda text: f"Buffer.from({js_text(text)})",
    name=_camel,
    options=_js_record,
    record=_js_record,
    script=str,
    places=lambda places: one_or_all(f"{{ index: {place} }}" for place in places),
    true="true",
    first=".first()",
    statement="await {};",
    comment="//",
    aside=" // ",
)
PYTHON = Spelling(
    text=py_text,
    regex=py_regex,
    regex_in_selector=lambda pattern: f"re.compile({py_text(pattern)})",
    value=py_value,
    content=lambda text: f"b{py_text(text)}",
    name=str,
    options=_py_options,
    record=_py_record,
    script=py_text,
    places=lambda places: f"index={one_or_all(map(str, places))}",
    true="True",
    first=".first",
    statement="{}",
    comment="#",
    aside="  # ",
)
