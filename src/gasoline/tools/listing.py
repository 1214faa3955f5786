"""Choosing which records an answer shows: filters, paging by sequence number, a token budget."""

from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Any, Generic, TypeVar

import msgspec
from msgspec import Meta, Struct

from gasoline.records import Record
from gasoline.store import Kept
from gasoline.tools.context import Context, Excerpt

R = TypeVar("R", bound=Record)
T = TypeVar("T")

BYTES_PER_TOKEN = 4
# Room for the summary, the capture note and the list's own syntax.
FRAME_TOKENS = 300
NESTED_ITEMS = 50
FEWEST_ITEMS = 3
NESTED_DEPTH = 8
SHORTEST_FIELD_CHARS = 50

MaxTokens = Annotated[int, Meta(ge=500, le=100_000, description="Answer size limit")]
Limit = Annotated[int, Meta(ge=1, le=1000)]


class Selection(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What every listing tool lets a caller choose."""

    url: Annotated[str | None, Meta(description="Only if the URL contains this")] = None
    tab_id: int | None = None
    test_id: Annotated[str | None, Meta(description="Only this test")] = None
    after_seq: Annotated[int | None, Meta(description="Only newer than this seq")] = None
    before_seq: Annotated[int | None, Meta(description="Only older than this seq")] = None
    max_tokens: MaxTokens = 4000


class Listing(Struct, Generic[R], frozen=True):
    """The records that matched, newest first, and how many of them are shown."""

    examined: int
    matched: list[R]
    shown: list[Excerpt]

    @property
    def omitted(self) -> int:
        return len(self.matched) - len(self.shown)

    @property
    def next(self) -> str | None:
        """How to see the rest."""
        if not self.omitted:
            return None
        oldest_shown = min((item["seq"] for item in self.shown), default=None)
        if oldest_shown is None:
            return "Raise max_tokens: not even one record fits."
        return f"before_seq={oldest_shown} pages back; a higher limit or max_tokens shows more."


def list_records(
    context: Context,
    kind: type[R],
    selection: Selection,
    *,
    limit: int,
    label: Callable[[str], bool] = lambda _label: True,
    matches: Callable[[R], bool] = lambda _record: True,
) -> Listing[R]:
    """Select records, newest first, and cut what is shown to the caller's limits."""
    examined, kept_matches, matched = 0, [], []
    for kept in context.store.newest(kind, test_id=selection.test_id):
        examined += 1
        if not _in_page(kept, selection) or not label(kept.label):
            continue
        record = kept.read(kind)
        if _is_selected(record, selection) and matches(record):
            kept_matches.append(kept)
            matched.append(record)
    shown = _fit_records(kept_matches[:limit], max_tokens=selection.max_tokens)
    return Listing(examined, matched, shown)


def _in_page(kept: Kept, selection: Selection) -> bool:
    after, before = selection.after_seq, selection.before_seq
    return (after is None or kept.seq > after) and (before is None or kept.seq < before)


def _is_selected(record: Record, selection: Selection) -> bool:
    if selection.tab_id is not None and record.tab_id != selection.tab_id:
        return False
    if selection.url is None:
        return True
    return selection.url in record.url or selection.url in getattr(record, "page_url", "")


def fit(items: Sequence[T], *, max_tokens: int) -> list[T]:
    """As many of the first items as the budget holds."""
    room = (max_tokens - FRAME_TOKENS) * BYTES_PER_TOKEN
    shown: list[T] = []
    for item in items:
        room -= len(msgspec.json.encode(item)) + 1
        if room < 0:
            break
        shown.append(item)
    return shown


def _fit_records(records: Iterable[Kept], *, max_tokens: int) -> list[Excerpt]:
    return fit_excerpts(
        ({"seq": kept.seq, **msgspec.json.decode(kept.written())} for kept in records),
        max_tokens=max_tokens,
    )


def fit_excerpts(values: Iterable[Any], *, max_tokens: int) -> list[Any]:
    """As many as the budget holds; one that is long on its own is shortened first."""
    room = (max_tokens - FRAME_TOKENS) * BYTES_PER_TOKEN
    chars, items = max(200, room // 8), NESTED_ITEMS
    shown: list[Any] = []
    for value in values:
        excerpt = _shorten(value, chars, items, NESTED_DEPTH)
        size = len(msgspec.json.encode(excerpt)) + 1
        while size > room and not shown and items > FEWEST_ITEMS:
            # Long texts tell least, then long lists.
            if chars > SHORTEST_FIELD_CHARS:
                chars //= 2
            else:
                items //= 2
            excerpt = _shorten(value, chars, items, NESTED_DEPTH)
            size = len(msgspec.json.encode(excerpt)) + 1
        if size > room:
            break
        room -= size
        shown.append(excerpt)
    return shown


def _shorten(value: Any, chars: int, items: int, depth: int) -> Any:
    if isinstance(value, str):
        return value if len(value) <= chars else f"{value[:chars]}... [{len(value) - chars} more]"
    if depth == 0 and isinstance(value, dict | list):
        return "[deeper]"
    if isinstance(value, dict):
        first = list(value.items())[:items]
        short = {key: _shorten(item, chars, items, depth - 1) for key, item in first}
        return short if len(value) <= items else {**short, "...": len(value) - items}
    if isinstance(value, list):
        short_list = [_shorten(item, chars, items, depth - 1) for item in value[:items]]
        rest = len(value) - items
        return short_list if rest <= 0 else [*short_list, f"[{rest} more]"]
    return value
