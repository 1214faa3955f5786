"""An error as a reader wants it: the code, the component, the state, and what came before."""

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import msgspec
from msgspec import Struct

from gasoline.analysis.abnormal import said_by, words_of_server
from gasoline.analysis.endpoint import path_of
from gasoline.analysis.error_groups import ErrorGroup
from gasoline.analysis.error_summary import component_path, is_hidden, summarise_error
from gasoline.analysis.root_cause import RECENT_MS, find_root_cause
from gasoline.analysis.stack import frames_of
from gasoline.records import EnhancedAction, LogEntry, NetworkBody
from gasoline.records.ai_context import AiContext, SourceSnippet

# One error with everything stays under 800 tokens; the rest of them is the answer around it.
ERROR_BYTES = 2400
ACTIONS_SHOWN = 3
ACTIONS_MS = 60_000
REQUESTS_SHOWN = 3
CALLS_SHOWN = 3
# What is given up, step by step, when an error does not fit: characters of a text, of a line of
# code, and lines around the one that threw.
SHRINKING = (
    (400, 120, 5),
    (300, 100, 5),
    (200, 90, 4),
    (140, 80, 3),
    (100, 60, 2),
    (60, 50, 1),
    (40, 40, 0),
)

View = dict[str, Any]


class Past(Struct, frozen=True):
    """What the page did before its errors, oldest first."""

    exchanges: Sequence[NetworkBody] = ()
    actions: Sequence[EnhancedAction] = ()
    # Of the errors looked at so far: several lines of an answer ask for the same.
    causes: dict[int, str | None] = {}


def show_briefly(group: ErrorGroup) -> View:
    """What and where, in a line or two."""
    entry = group.entry
    return _head(group, 200) | _said({"at": _cut(_place(entry), 120)})


def show_fully(group: ErrorGroup, past: Past) -> View:
    """Everything that is known about an error, within its share of the answer."""
    for chars, line_chars, around in SHRINKING:
        view = _show(group, past, chars, line_chars, around)
        if len(msgspec.json.encode(view)) <= ERROR_BYTES:
            break
    return view


def conclude(group: ErrorGroup, past: Past) -> str:
    """The error in a sentence, and in a second one what led to it, if the evidence says so."""
    entry = group.entry
    sentence = entry.ai_context.summary or summarise_error(entry, entry.ai_context)
    cause = _cause(group, past)
    return f"{sentence} Likely because {cause}." if cause else sentence


def _cause(group: ErrorGroup, past: Past) -> str | None:
    entry = group.entry
    if group.noise or is_hidden(entry):
        return None
    if entry.seq not in past.causes:
        past.causes[entry.seq] = find_root_cause(group.event, _of_tab(past.exchanges, entry), ())
    return past.causes[entry.seq]


def _show(group: ErrorGroup, past: Past, chars: int, line_chars: int, around: int) -> View:
    entry, context = group.entry, group.entry.ai_context
    return _head(group, chars) | _said(
        {
            "explained": _cut(conclude(group, past), 2 * chars),
            "at": _cut(_place(entry), chars),
            "code": _number_lines(context.place, line_chars, around),
            "called_by": [_cut(call, chars) for call in _callers(entry)],
            "components": _cut(component_path(context.component_ancestry), 2 * chars),
            "state": _state(context, chars),
            "actions": [_cut(one, chars) for one in _actions_before(entry, past.actions)],
            "requests": list(_requests_before(group, past, chars)),
            "source": "" if context.place else _cut(context.source_note, chars),
        }
    )


def _head(group: ErrorGroup, chars: int) -> View:
    entry = group.entry
    return _said(
        {
            "seq": entry.seq,
            "ts": entry.ts or entry.timestamp,
            "level": entry.level,
            "type": entry.type,
            "message": _cut(said_by(entry), chars),
            "url": _cut(entry.url, chars),
            "tabId": entry.tab_id,
            "test_id": entry.test_id,
            "_errorId": entry.error_id,
            "times": group.count if group.count > 1 else 0,
            "noise": group.noise,
        }
    )


def _place(entry: LogEntry) -> str:
    if snippet := entry.ai_context.place:
        return f"{snippet.file}:{snippet.line}:{snippet.column}"
    frames = frames_of(entry)
    return f"{path_of(frames[0].url)}:{frames[0].line}:{frames[0].column}" if frames else ""


def _number_lines(snippet: SourceSnippet | None, chars: int, around: int) -> str:
    """`> 12 | return total.amount`: the line that threw is marked."""
    if snippet is None:
        return ""
    near = [one for one in snippet.snippet if abs(one.line - snippet.line) <= around]
    texts = textwrap.dedent("\n".join(line.text for line in near)).split("\n")
    width = len(str(near[-1].line))
    return "\n".join(
        f"{'>' if line.is_error else ' '} {line.line:>{width}} | {text[:chars]}".rstrip()
        for line, text in zip(near, texts, strict=True)
    )


def _callers(entry: LogEntry) -> list[str]:
    """The other calls of the stack that are known."""
    snippets = entry.ai_context.source_snippets
    if snippets:
        others = [one for one in snippets if one is not entry.ai_context.place]
        return [f"{one.file}:{one.line}" for one in others]
    return [f"{path_of(one.url)}:{one.line}" for one in frames_of(entry)[1:CALLS_SHOWN]]


def _state(context: AiContext, chars: int) -> View:
    relevant = context.state_snapshot.relevant_slice if context.state_snapshot else {}
    return {
        _cut(key, chars): _short_value(value, chars // 4)
        for key, value in islice(relevant.items(), max(3, chars // 20))
    }


def _short_value(value: Any, chars: int) -> Any:
    if isinstance(value, dict | list):
        value = msgspec.json.encode(value).decode()
    return _cut(value, chars) if isinstance(value, str) else value


def _actions_before(entry: LogEntry, actions: Sequence[EnhancedAction]) -> Iterator[str]:
    """The last things the user did, oldest first."""
    before = [
        action
        for action in _of_tab(actions, entry)
        if 0 <= entry.at_ms - action.at_ms <= ACTIONS_MS and action.type != "scroll"
    ]
    for action in before[-ACTIONS_SHOWN:]:
        yield f"{_describe(action)}, {_ago(entry.at_ms - action.at_ms)}"
    if not before:
        for sent in entry.recent_actions[:ACTIONS_SHOWN]:
            what = sent.get("text") or sent.get("target") or ""
            yield _cut(f"{sent.get('type', 'action')} {what}".strip(), 100)


def _describe(action: EnhancedAction) -> str:
    selectors = action.selectors
    role = f"{selectors.role.role} {selectors.role.name or ''}".strip() if selectors.role else None
    on = selectors.text or action.text or role or selectors.test_id or selectors.css_path
    if action.type == "navigate":
        return f"navigate to {path_of(action.to_url or action.url)}"
    value = action.value or action.selected_text or action.key
    told = f"{action.type} {_cut(on or action.target or 'an element', 60)!r}"
    return f"{told} with {_cut(value, 40)!r}" if value else told


def _requests_before(group: ErrorGroup, past: Past, chars: int) -> Iterator[str]:
    """Requests that failed shortly before the error, and the one whose answer lacked something."""
    entry = group.entry
    failed = [
        (exchange, entry.at_ms - exchange.at_ms - (exchange.duration or 0))
        for exchange in _of_tab(past.exchanges, entry)
        if exchange.failed or exchange.error
    ]
    cause = _cause(group, past)
    if cause and not any(path_of(exchange.url) in cause for exchange, _ in failed):
        yield _cut(cause, chars)
    recent = [(exchange, ago) for exchange, ago in failed if 0 <= ago <= RECENT_MS]
    for exchange, ago in recent[-REQUESTS_SHOWN:]:
        said = words_of_server(exchange) or exchange.error
        told = f"{exchange.method} {path_of(exchange.url)} → {exchange.status}, {_ago(ago)}"
        yield _cut(f'{told}: "{said}"' if said else told, chars)


def _of_tab(records: Iterable[Any], entry: LogEntry) -> list[Any]:
    """What may belong to the same tab."""
    return [
        one for one in records if None in {one.tab_id, entry.tab_id} or one.tab_id == entry.tab_id
    ]


def _ago(ms: float) -> str:
    return f"{ms:.0f} ms before" if ms < 1000 else f"{ms / 1000:.1f} s before"  # noqa: PLR2004  # a second


def _cut(text: str, chars: int) -> str:
    flat = text.strip()
    return flat if len(flat) <= chars else flat[: chars - 1] + "…"


def _said(fields: View) -> View:
    return {name: value for name, value in fields.items() if value not in (None, "", [], {}, 0)}
