"""What a test can expect to happen again: answers, headings, test ids; and what it cannot."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import pairwise
from statistics import mean, pstdev
from typing import Any

import msgspec

from gasoline.analysis import graphql
from gasoline.analysis.endpoint import path_of
from gasoline.analysis.noise import noise_reason
from gasoline.analysis.page_address import is_same_page
from gasoline.analysis.session import Step
from gasoline.analysis.shape_notation import describe_response_shape
from gasoline.generation.script.address import is_minted, path_pattern
from gasoline.generation.script.locator import Locator
from gasoline.generation.script.plan import ExpectedElement, ExpectedResponse
from gasoline.generation.script.privacy import personal_fields
from gasoline.records import DomSnapshot, NetworkBody

MOST_ELEMENTS = 5
SNAPSHOT_TEXT_CHARS = 80
# The capture looks at no more of a page.
SNAPSHOT_ELEMENTS = 60
# A request this often, and this regularly, is made by a timer and not by the user.
POLLS = 4
POLL_UNEVENNESS = 0.3
MINTING = frozenset({"POST", "PUT"})
_VOLATILE = re.compile(
    r"\d{1,2}:\d\d|\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{5,}|[0-9a-f]{8}-[0-9a-f]{4}-"
    r"|\b(?:ago|today|yesterday|just now)\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
    r"[a-z]* \d|\d (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)",
    re.IGNORECASE,
)
_PASSING = re.compile(
    r"loading|please wait|connecting|searching|…$|\.\.\.$|spinner|skeleton|toast|progress",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*")


def operation_of(exchange: NetworkBody) -> str | None:
    """The name by which a request's body tells it from others to the same address."""
    named = graphql.operation_of(exchange)
    return named if named and named in (exchange.request_body or "") else None


def find_minted(exchanges: Sequence[NetworkBody]) -> frozenset[str]:
    """Ids in paths that the session itself brought into being: other ones tomorrow."""
    minted: set[str] = set()
    created = ""
    for exchange in exchanges:
        minted.update(s for s in _id_segments(exchange.url) if f'"{s}"' in created)
        if exchange.method in MINTING and not exchange.failed:
            created += exchange.response_body or ""
            created = created[-100_000:]
    return frozenset(minted)


def minted_by(exchanges: Sequence[NetworkBody], url: str) -> frozenset[str]:
    """The same for the address of a page."""
    created = "".join(
        exchange.response_body or ""
        for exchange in exchanges
        if exchange.method in MINTING and not exchange.failed
    )
    return frozenset(s for s in _id_segments(url) if f'"{s}"' in created)


def find_polled(exchanges: Sequence[NetworkBody]) -> frozenset[tuple[str, str]]:
    """Method and path of what the page asks for by the clock."""
    times: dict[tuple[str, str], list[float]] = {}
    for exchange in exchanges:
        if exchange.method == "GET":
            key = ("GET", path_of(exchange.url))
            times.setdefault(key, []).append(exchange.at_ms)
    return frozenset(key for key, at_ms in times.items() if _is_regular(at_ms))


def expect_responses(
    step: Step,
    names: Counter[str],
    *,
    minted: Collection[str],
    polled: Collection[tuple[str, str]],
    shapes: bool,
    privacy: bool,
) -> tuple[ExpectedResponse, ...]:
    """One expectation for each kind of request of a step, in the order of the last of each."""
    groups: dict[tuple[str, str, str | None], list[NetworkBody]] = {}
    for exchange in step.exchanges:
        key = (exchange.method, path_of(exchange.url))
        if is_expected(exchange) and key not in polled:
            groups.setdefault((*key, operation_of(exchange)), []).append(exchange)
    expected = []
    for exchanges in groups.values():
        is_left = _is_left(exchanges[-1], step)
        answer = _expect(exchanges, names, minted=minted, shapes=shapes and not is_left)
        known = personal_fields(exchanges) if privacy and not is_left else None
        expected.append(msgspec.structs.replace(answer, known_personal=known))
    return tuple(expected)


def is_expected(exchange: NetworkBody) -> bool:
    """Whether a request got an answer, and one that has to do with the application."""
    is_web = not exchange.url.startswith(("blob:", "data:", "about:"))
    return exchange.status > 0 and is_web and noise_reason(url=exchange.url) is None


def expect_elements(
    step: Step, *, moving: Collection[str], attribute: str | None
) -> tuple[ExpectedElement, ...]:
    """Headings and elements with test ids that the page showed when it had settled."""
    snapshot = step.snapshot
    if snapshot is None:
        return ()
    shown = [element for element in snapshot.elements if element.get("visible")]
    titles = Counter(element.get("text") for element in shown if element.get("role") == "heading")
    uncounted = Counter(_uncounted(title) for title in titles)
    test_ids = Counter(element.get("testId") for element in snapshot.elements)
    settled = _has_settled(step, snapshot)
    headings = [
        _expect_heading(element, counts=uncounted[_uncounted(element["text"])] == 1)
        for element in shown
        if _is_good_heading(element, settled=settled) and titles[element["text"]] == 1
    ]
    tagged = [
        _expect_tagged(element, moving, attribute, settled=settled)
        for element in shown
        if element.get("testId")
        and test_ids[element["testId"]] == 1
        and not _PASSING.search(str(element["testId"]))
    ]
    expected = (*headings[:2], *tagged[: MOST_ELEMENTS - len(headings[:2])])
    return _first_of_each(expected) if len(snapshot.elements) >= SNAPSHOT_ELEMENTS else expected


def find_moving(snapshots: Sequence[DomSnapshot]) -> frozenset[str]:
    """Test ids whose text was another one when the same page was seen again, or tells the time."""
    texts: dict[tuple[str, str], set[str]] = {}
    for snapshot in snapshots:
        for element in snapshot.elements:
            if test_id := element.get("testId"):
                place = (path_of(snapshot.url), str(test_id))
                texts.setdefault(place, set()).add(str(element.get("text") or ""))
    return frozenset(
        test_id
        for (_, test_id), said in texts.items()
        if len(said) > 1 or any(is_volatile(text) for text in said)
    )


def is_volatile(text: str) -> bool:
    """Whether a text is likely another one next time: a time, a date, an id."""
    return _VOLATILE.search(text) is not None


def _is_left(exchange: NetworkBody, step: Step) -> bool:
    """Whether the page that got an answer was left for another: nobody can read it then."""
    return step.loaded and not is_same_page(exchange.page_url, step.landed or "")


def _is_regular(at_ms: Sequence[float]) -> bool:
    if len(at_ms) < POLLS:
        return False
    gaps = [later - earlier for earlier, later in pairwise(at_ms)]
    typical = mean(gaps)
    return typical > 0 and pstdev(gaps) / typical < POLL_UNEVENNESS


def _id_segments(url: str) -> list[str]:
    return [s for s in path_of(url).split("/") if any(character.isdigit() for character in s)]


def _expect(
    exchanges: Sequence[NetworkBody],
    names: Counter[str],
    *,
    minted: Collection[str],
    shapes: bool,
) -> ExpectedResponse:
    last = exchanges[-1]
    path = path_of(last.url)
    is_dynamic = any(is_minted(segment, minted) for segment in path.split("/"))
    shape = describe_response_shape(last) if shapes and "json" in last.content_type else None
    return ExpectedResponse(
        name=_name(operation_of(last) or path, names),
        method=last.method,
        path=path,
        pattern=f"^{path_pattern(path, minted=minted)}$" if is_dynamic else None,
        operation=operation_of(last),
        status=last.status,
        among_others=len({exchange.status for exchange in exchanges}) > 1,
        shape=shape,
        has_shape=shape is not None,
        times=len(exchanges),
        is_stream="event-stream" in last.content_type,
    )


def _name(path: str, names: Counter[str]) -> str:
    """A variable's name from the end of a path, used once."""
    words = _WORD.findall(path.rpartition("/api/")[2] or path)[-2:] or ["page"]
    name = words[0][:1].lower() + words[0][1:] + "".join(w[:1].upper() + w[1:] for w in words[1:])
    name = name[:40]
    names[name] += 1
    return name if names[name] == 1 else f"{name}{names[name]}"


def _has_settled(step: Step, snapshot: DomSnapshot) -> bool:
    """Whether every answer was there when the page was looked at."""
    return all(
        exchange.at_ms + (exchange.duration or 0) < snapshot.at_ms for exchange in step.exchanges
    )


def _is_good_heading(element: dict[str, Any], *, settled: bool) -> bool:
    text = str(element.get("text") or "")
    return (
        element.get("role") == "heading"
        and 0 < len(text) < SNAPSHOT_TEXT_CHARS
        and (settled or element.get("level") == 1)
        and not is_volatile(text)
        and not _PASSING.search(text)
    )


def _uncounted(text: Any) -> str:
    return _NUMBER.sub("#", str(text))


def _first_of_each(elements: Sequence[ExpectedElement]) -> tuple[ExpectedElement, ...]:
    """The same on a page that may show more of each, further down than was looked."""
    return tuple(
        msgspec.structs.replace(element, target=msgspec.structs.replace(element.target, first=True))
        for element in elements
    )


def _expect_heading(element: dict[str, Any], *, counts: bool) -> ExpectedElement:
    """A heading; a number in it may be another one if it `counts`, and does not tell it apart."""
    text = str(element["text"])
    counted = counts and _NUMBER.search(text) is not None
    level = element.get("level")
    return ExpectedElement(
        target=Locator(by="role", role="heading", value=text, exact=not counted, counted=counted),
        level=level if isinstance(level, int) else None,
        confidence="medium" if counted else "high",
    )


def _expect_tagged(
    element: dict[str, Any], moving: Collection[str], attribute: str | None, *, settled: bool
) -> ExpectedElement:
    test_id, text = str(element["testId"]), str(element.get("text") or "")
    is_lasting = (
        settled
        and 0 < len(text) < SNAPSHOT_TEXT_CHARS
        and test_id not in moving
        and not _PASSING.search(text)
    )
    counts = any(character.isdigit() for character in text)
    return ExpectedElement(
        target=Locator(by="testId", value=test_id, attribute=attribute or ""),
        text=text if is_lasting else None,
        confidence="medium" if is_lasting and counts else "high" if is_lasting else "low",
    )
