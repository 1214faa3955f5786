"""What a test can expect the page to show again: headings and test ids; and what it cannot."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

import msgspec

from gasoline.analysis.endpoint import path_of
from gasoline.analysis.session import Step
from gasoline.generation.script.locator import Locator
from gasoline.generation.script.plan import ExpectedElement
from gasoline.records import DomSnapshot

MOST_ELEMENTS = 5
SNAPSHOT_TEXT_CHARS = 80
# The capture looks at no more of a page.
SNAPSHOT_ELEMENTS = 60
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
