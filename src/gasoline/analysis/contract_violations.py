"""What is wrong with the answers of an endpoint, in words and with the evidence."""

from typing import Any, Literal

from msgspec import Struct

from gasoline.analysis.abnormal import SERVER_FAILURE
from gasoline.analysis.breach import Breach
from gasoline.analysis.contract import MOST_BREACHES, Contract, Outcome
from gasoline.analysis.shape_differences import Difference
from gasoline.records.time import format_time

# A field that comes and goes so often is optional rather than lost.
EPISODES_OF_THE_OPTIONAL = 3

Severity = Literal["critical", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("critical", "warning", "info")


class Occurrences(Struct, frozen=True):
    """How often it was right, how often wrong, and since when."""

    expected_count: int
    violation_count: int
    first_seen: str
    last_violation: str


class Violation(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type"):
    """Something an endpoint no longer keeps to."""

    endpoint: str
    severity: Severity
    description: str
    occurrences: Occurrences | None = None


class ShapeChange(Violation, frozen=True, kw_only=True, tag="shape_change"):
    """Fields that every answer had are missing."""

    missing_fields: list[str]
    expected_shape: Any = None
    actual_shape: Any = None


class TypeChange(Violation, frozen=True, kw_only=True, tag="type_change"):
    """A field has another type."""

    field: str
    expected_type: str
    actual_type: str
    sample_value: Any = None


class ArrayShapeChange(Violation, frozen=True, kw_only=True, tag="array_shape_change"):
    """The elements of a list changed."""

    field: str
    expected_type: str
    actual_type: str
    sample_value: Any = None


class NullField(Violation, frozen=True, kw_only=True, tag="null_field"):
    """A field that was never null is."""

    field: str
    expected_type: str


class NewField(Violation, frozen=True, kw_only=True, tag="new_field"):
    """A field that no answer had before."""

    field: str
    actual_type: str


class ErrorSpike(Violation, frozen=True, kw_only=True, tag="error_spike"):
    """Success turned into errors."""

    status_history: list[int]
    last_error_body: Any = None


def find_violations(contract: Contract) -> list[Violation]:
    """Everything wrong with one endpoint, worst first."""
    spike = _find_error_spike(contract)
    broken = [_describe(contract, breach) for breach in contract.breaches]
    found = [*([spike] if spike else []), *broken]
    return sorted(found, key=lambda one: SEVERITIES.index(one.severity))[:MOST_BREACHES]


def _find_error_spike(contract: Contract) -> ErrorSpike | None:
    # Aborted and redirected calls say nothing about the endpoint.
    telling = [one for one in contract.history if one.failed or one.succeeded]
    failures = _run_at_end(telling, failed=True)
    successes = _run_at_end(telling[: len(telling) - len(failures)], failed=False)
    if not failures or not (successes or contract.matching):
        return None
    last = failures[-1].status
    return ErrorSpike(
        endpoint=str(contract.endpoint),
        severity="critical" if last >= SERVER_FAILURE else "warning",
        description=(
            f"Endpoint returned {_describe_successes(successes, contract)}, then "
            f"switched to error ({last}) for the last {_requests(failures)}"
        ),
        status_history=[outcome.status for outcome in contract.history],
        last_error_body=contract.last_error,
    )


def _describe_successes(latest: list[Outcome], contract: Contract) -> str:
    if latest:
        return f"success ({latest[-1].status}) {_times(len(latest))}"
    # So long ago that only the count is left.
    return f"success {_times(contract.matching)}"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _requests(outcomes: list[Outcome]) -> str:
    return "request" if len(outcomes) == 1 else f"{len(outcomes)} requests"


def _run_at_end(outcomes: list[Outcome], *, failed: bool) -> list[Outcome]:
    start = len(outcomes)
    while start and outcomes[start - 1].failed == failed:
        start -= 1
    return outcomes[start:]


def _describe(contract: Contract, breach: Breach) -> Violation:
    first = breach.differences[0]
    common: dict[str, Any] = {
        "endpoint": str(contract.endpoint),
        "occurrences": Occurrences(
            breach.after, breach.count, format_time(contract.first_ms), format_time(breach.last_ms)
        ),
    }
    if breach.type == "shape_change":
        return ShapeChange(
            **common,
            severity="info" if breach.episodes >= EPISODES_OF_THE_OPTIONAL else "warning",
            description=_describe_missing(breach),
            missing_fields=[difference.field for difference in breach.differences],
            expected_shape=breach.expected_shape,
            actual_shape=breach.actual_shape,
        )
    if breach.type == "new_field":
        words = f"Field '{first.field}' is new: none of {breach.after} responses before had it"
        return NewField(
            **common,
            severity="info",
            description=words,
            field=first.field,
            actual_type=first.actual,
        )
    words = _describe_change(first, breach)
    changed = {**common, "field": first.field, "expected_type": first.expected}
    if breach.type == "null_field":
        return NullField(**changed, severity="info", description=words)
    kind = TypeChange if breach.type == "type_change" else ArrayShapeChange
    return kind(
        **changed,
        severity="warning",
        description=words,
        actual_type=first.actual,
        sample_value=breach.sample,
    )


def _describe_missing(breach: Breach) -> str:
    names = ", ".join(f"'{difference.field}'" for difference in breach.differences)
    several = len(breach.differences) > 1
    words = (
        f"Response shape changed: field{'s' if several else ''} {names} "
        f"{'were' if several else 'was'} present in {_responses(breach.after)} "
        f"but missing in {_latest(breach)}"
    )
    if breach.episodes >= EPISODES_OF_THE_OPTIONAL:
        return f"{words}; absent now and then, so probably optional"
    return words


def _describe_change(difference: Difference, breach: Breach) -> str:
    where = f"'{difference.field}'"
    if difference.departure == "null":
        return (
            f"Field {where} is null in {_latest(breach)}, "
            f"after {_responses(breach.after)} in which it was {difference.expected}"
        )
    if difference.departure == "missing":
        return (
            f"List elements changed: {where} was in every element of "
            f"{_responses(breach.after)} but is missing in {_latest(breach)}"
        )
    subject = "List elements changed: " if difference.in_list else ""
    return (
        f"{subject}Field {where} changed type from '{difference.expected}' "
        f"to '{difference.actual}' in {_latest(breach)}"
    )


def _latest(breach: Breach) -> str:
    return "the latest response" if breach.count == 1 else f"{breach.count} responses since"


def _responses(count: int) -> str:
    return f"{count} response{'' if count == 1 else 's'}"
