"""An error in one sentence, put together from what is known and silent about the rest."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from gasoline.analysis.abnormal import said_by
from gasoline.analysis.read_of_nothing import find_read_of_nothing
from gasoline.records import LogEntry
from gasoline.records.ai_context import AiContext, ComponentAncestry, SourceSnippet, StateSnapshot

DESCRIPTION_CHARS = 200
VALUE_CHARS = 80
_THROWN = re.compile(
    r"(?:Uncaught (?:\(in promise\) )?|Unhandled Promise Rejection: )*"
    r"(?:(?P<type>[A-Z]\w*(?:Error|Exception|Warning|Rejection)|Error): )?(?P<text>.*)",
    re.DOTALL,
)
_HIDDEN = re.compile(r"(?:Uncaught )?Script error\.?")
HIDDEN = (
    "Script error: a script from another origin failed, and the browser hides how. To see it, load "
    'the script with <script crossorigin="anonymous"> and let its server send '
    "Access-Control-Allow-Origin, then reload."
)
_NAMED_IN_STACK = re.compile(r"(?P<type>[A-Z]\w*(?:Error|Exception)|Error)(?::|\n|$)")


def summarise_error(entry: LogEntry, context: AiContext) -> str:
    """What, where and why; then the state, then the components."""
    if is_hidden(entry):
        return HIDDEN
    parts = [
        _error_part(entry, context.place),
        *_state_parts(context.state_snapshot),
        _component_part(context.component_ancestry),
    ]
    return " ".join(f"{part.rstrip('. ')}." for part in parts if part)


def is_hidden(entry: LogEntry) -> bool:
    """Whether the browser keeps the error to itself, as it does for scripts of other origins."""
    return bool(_HIDDEN.fullmatch(entry.message)) and not entry.stack


def error_type(entry: LogEntry) -> str | None:
    """`TypeError`, where the message or the stack says so."""
    thrown = _THROWN.fullmatch(said_by(entry))
    named = _NAMED_IN_STACK.match(entry.stack)
    return (thrown and thrown["type"]) or (named and named["type"]) or None


def error_text(entry: LogEntry) -> str:
    """The message without `Uncaught` and without its type."""
    thrown = _THROWN.fullmatch(said_by(entry))
    text = thrown["text"] if thrown else said_by(entry)
    return text.strip().split("\n", 1)[0][:DESCRIPTION_CHARS]


def _error_part(entry: LogEntry, place: SourceSnippet | None) -> str:
    head = error_type(entry) or ("Error" if place else "")
    if place:
        head = f"{head} in {place.file}:{place.line}"
    what = _describe(entry, place)
    return f"{head} — {what}" if head and what else head or what


def _describe(entry: LogEntry, place: SourceSnippet | None) -> str:
    text = error_text(entry)
    if place is None and _is_no_error(entry):
        return f"code threw {text}, which is no Error and so has no stack"
    read = find_read_of_nothing(text, place)
    if not read or not read.expression:
        return text
    reading = f" when reading `{read.name}`" if read.name else ""
    return f"`{read.expression}` is {read.nothing}{reading}"


def _is_no_error(entry: LogEntry) -> bool:
    """Whether a text, null or anything else was thrown: browsers then know no stack and no type."""
    is_thrown = entry.type == "exception" and entry.message.startswith("Uncaught ")
    return is_thrown and not entry.stack and error_type(entry) is None


def _state_parts(state: StateSnapshot | None) -> Iterator[str]:
    """One part for each top-level key of the store: `Auth state: loading=false, user=null`."""
    grouped: dict[str, list[str]] = {}
    for path, value in (state.relevant_slice if state else {}).items():
        key, _, rest = path.partition(".")
        grouped.setdefault(key, []).append(f"{rest or key}={_value(value)}")
    for key, values in grouped.items():
        yield f"{key[:1].upper()}{key[1:]} state: {', '.join(values)}"


def _value(value: Any) -> str:
    text = f"'{value}'" if isinstance(value, str) else msgspec.json.encode(value).decode()
    return text if len(text) <= VALUE_CHARS else text[: VALUE_CHARS - 1] + "…"


def _component_part(ancestry: ComponentAncestry | None) -> str:
    path = component_path(ancestry)
    return f"Component tree: {path}" if path else ""


def component_path(ancestry: ComponentAncestry | None) -> str:
    """`App > Cart > CartRow`, outermost first."""
    names = [component.name for component in ancestry.components] if ancestry else []
    return " > ".join(name for name in names if name)
