"""What an audit says: one weakness, how bad it is, what shows it, and what to do about it."""

from collections.abc import Callable, Iterable
from typing import Any, Final, Literal, TypeAlias
from urllib.parse import urlsplit

from msgspec import Struct

Severity: TypeAlias = Literal["info", "warning", "critical"]
Category: TypeAlias = Literal["credentials", "auth_patterns", "pii_exposure", "transport"]

SEVERITIES: Final[tuple[Severity, ...]] = ("info", "warning", "critical")
CATEGORIES: Final[tuple[Category, ...]] = (
    "credentials",
    "auth_patterns",
    "pii_exposure",
    "transport",
)

_STAGING = frozenset({"staging", "stage", "dev", "development"})
_NOTE = " This was seen in a development or staging environment; check production as well."


class Finding(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One weakness of one endpoint."""

    severity: Severity
    category: Category
    title: str
    description: str
    evidence: dict[str, Any]
    recommendation: str
    cwe: str | None = None


class Scanned(Struct, frozen=True):
    """What was looked at."""

    network_requests: int
    console_entries: int
    unique_endpoints: int


class Audit(Struct, frozen=True):
    """What was found; `cut` findings beyond the limit of their category are not in the list."""

    findings: tuple[Finding, ...]
    scanned: Scanned
    cut: int


class Occurrence(Struct, frozen=True, kw_only=True):
    """A finding as seen once; occurrences with one `key` are one finding.

    It is put into words only when it is the one of its key that is shown.
    """

    key: tuple[str, ...]
    seq: int
    url: str
    severity: Severity
    write: Callable[[], Finding]


def merge(occurrences: Iterable[Occurrence]) -> list[Finding]:
    """One finding per key, shown by its worst and newest occurrence; worst first, then newest."""
    groups: dict[tuple[str, ...], list[Occurrence]] = {}
    for occurrence in occurrences:
        groups.setdefault(occurrence.key, []).append(occurrence)
    telling = [(max(group, key=_weight), len(group)) for group in groups.values()]
    telling.sort(key=lambda item: _weight(item[0]), reverse=True)
    return [_sum_up(occurrence, count) for occurrence, count in telling]


def _weight(occurrence: Occurrence) -> tuple[int, int]:
    return SEVERITIES.index(occurrence.severity), occurrence.seq


def is_staging(url: str) -> bool:
    """Tell by a label of the host or a segment of the path: `device` is no `dev`."""
    try:
        parts = urlsplit(url)
        words = [*(parts.hostname or "").split("."), *parts.path.split("/")]
    except ValueError:
        return False
    return any(part in _STAGING for word in words for part in word.lower().split("-"))


def _sum_up(occurrence: Occurrence, count: int) -> Finding:
    finding = occurrence.write()
    evidence = {**finding.evidence, "seq": occurrence.seq}
    if count > 1:
        evidence["occurrences"] = count
    note = _NOTE if is_staging(occurrence.url) else ""
    return Finding(
        severity=finding.severity,
        category=finding.category,
        title=finding.title,
        description=finding.description,
        evidence=evidence,
        recommendation=finding.recommendation + note,
        cwe=finding.cwe,
    )
