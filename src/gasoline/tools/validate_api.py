"""Whether the answers of an API still look as they did."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from gasoline.analysis.contract import Contract
from gasoline.analysis.contract_violations import SEVERITIES, Violation, find_violations
from gasoline.analysis.contracts import learn_all
from gasoline.analysis.shape_notation import write_shape
from gasoline.generation.openapi import write_openapi
from gasoline.records import NetworkBody
from gasoline.records.time import format_time
from gasoline.tools.context import Answer, Context, Excerpt
from gasoline.tools.generated_file import GeneratedFile, hand_over
from gasoline.tools.listing import BYTES_PER_TOKEN, MaxTokens, fit_excerpts
from gasoline.tools.registry import tool
from gasoline.tools.wording import count_of

MOST_BYTES = 50 * 1024
MORE = "Narrow url_filter, use ignore_endpoints, or raise max_tokens."
NOTHING_YET = "No requests captured yet. Use the page, then ask again."

Action = Literal["analyze", "report", "clear", "openapi"]
UrlParts = Annotated[list[str], Meta(max_length=100)]


class Params(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What to do, and for which endpoints."""

    action: Annotated[
        Action,
        Meta(description="List violations or learned shapes, forget them, or write OpenAPI 3.1"),
    ]
    url_filter: Annotated[str | None, Meta(description="Only if the URL contains this")] = None
    ignore_endpoints: Annotated[UrlParts, Meta(description="Not if the URL contains one")] = []
    inline: Annotated[bool, Meta(description="A long OpenAPI file in the answer")] = False
    max_tokens: MaxTokens = 4000


class Analyzed(Answer, frozen=True, kw_only=True):
    """What broke, worst first, among how much."""

    action: str
    violations: list[Excerpt]
    tracked_endpoints: int
    total_requests_analyzed: int
    clean_endpoints: int


class Tracked(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is known of one endpoint; until it is established, no change is a violation."""

    endpoint: str
    method: str
    origin: str = ""
    call_count: int
    status_codes: dict[str, int]
    established_shape: Any = None
    established: bool
    consistency: str
    last_called: str


class Report(Answer, frozen=True, kw_only=True):
    """Every endpoint, the least consistent first."""

    action: str
    endpoints: list[Excerpt]


class Cleared(Answer, frozen=True, kw_only=True):
    """What is forgotten."""

    action: str
    endpoints_cleared: int


class OpenApi(Answer, frozen=True, kw_only=True):
    """The document, or where it lies."""

    action: str
    file: GeneratedFile


@tool(read_only=False)
def validate_api(context: Context, params: Params) -> Analyzed | Report | Cleared | OpenApi:
    """Find API answers that changed: fields missing, types changed, errors after successes."""
    _learn_new(context)
    wanted = [one for one in context.store.contracts.findings.values() if _matches(one, params)]
    match params.action:
        case "analyze":
            return _analyze(context, params, wanted)
        case "report":
            return _report(context, params, wanted)
        case "openapi":
            return _write(context, params, wanted)
        case "clear":
            return _clear(context, wanted)


def _learn_new(context: Context) -> None:
    """Learn each body once, by its number: those learned before may have been evicted since."""
    store = context.store
    table = store.contracts
    new = [
        kept.read(NetworkBody) for kept in store.oldest(NetworkBody) if kept.seq > table.up_to_seq
    ]
    table.learn(learn_all(table.findings, new, most=table.limit), up_to_seq=store.last_seq)


def _matches(contract: Contract, params: Params) -> bool:
    endpoint = contract.endpoint
    addresses = (f"{endpoint.origin}{endpoint.path}", str(endpoint), contract.url)
    is_wanted = not params.url_filter or any(params.url_filter in one for one in addresses)
    return is_wanted and not any(
        part in address for part in params.ignore_endpoints for address in addresses if part
    )


def _analyze(context: Context, params: Params, contracts: list[Contract]) -> Analyzed:
    found = [find_violations(contract) for contract in contracts]
    worst_first = sorted(
        (violation for violations in found for violation in violations),
        key=lambda violation: SEVERITIES.index(violation.severity),
    )
    shown = _fit(worst_first, params)
    omitted = (
        len(worst_first) - len(shown) + sum(contract.breaches_left_out for contract in contracts)
    )
    return Analyzed(
        summary=_summarise(contracts, worst_first, sum(map(bool, found))),
        capture=context.health(NetworkBody),
        omitted=omitted,
        next=MORE if omitted else None,
        action="analyzed",
        violations=shown,
        tracked_endpoints=len(contracts),
        total_requests_analyzed=sum(contract.calls for contract in contracts),
        clean_endpoints=sum(not violations for violations in found),
    )


def _summarise(contracts: list[Contract], violations: list[Violation], broken: int) -> str:
    if not contracts:
        return NOTHING_YET
    requests = count_of(sum(contract.calls for contract in contracts), "request")
    if violations:
        worst = violations[0]
        return (
            f"{count_of(len(violations), 'violation')} at {broken} of "
            f"{count_of(len(contracts), 'endpoint')} in {requests}. Worst: {worst.endpoint}: "
            f"{worst.description}."
        )
    learning = sum(
        contract.shape is not None and not contract.is_established for contract in contracts
    )
    return (
        f"No violation at {count_of(len(contracts), 'endpoint')} in {requests}; "
        f"{learning} of them answered too seldom alike to judge."
    )


def _report(context: Context, params: Params, contracts: list[Contract]) -> Report:
    tracked = sorted(contracts, key=_consistency)
    shown = _fit([_describe(contract) for contract in tracked], params)
    omitted = len(tracked) - len(shown)
    calls = sum(contract.calls for contract in contracts)
    established = sum(contract.is_established for contract in contracts)
    return Report(
        summary=(
            f"{count_of(len(contracts), 'endpoint')} seen in {count_of(calls, 'request')}, "
            f"the shape of {established} established."
            if contracts
            else NOTHING_YET
        ),
        capture=context.health(NetworkBody),
        omitted=omitted,
        next=MORE if omitted else None,
        action="report",
        endpoints=shown,
    )


def _describe(contract: Contract) -> Tracked:
    return Tracked(
        endpoint=str(contract.endpoint),
        method=contract.endpoint.method,
        origin=contract.endpoint.origin,
        call_count=contract.calls,
        status_codes={str(status): count for status, count in contract.statuses.items()},
        established_shape=write_shape(contract.shape) if contract.shape else None,
        established=contract.is_established,
        consistency=f"{round(100 * _consistency(contract))}%",
        last_called=format_time(contract.last_ms),
    )


def _consistency(contract: Contract) -> float:
    return contract.matching / contract.calls


def _write(context: Context, params: Params, contracts: list[Contract]) -> OpenApi:
    file = hand_over(
        write_openapi(contracts),
        name="openapi.json",
        folder=context.generated,
        inline_bytes=MOST_BYTES if params.inline else None,
    )
    return OpenApi(
        summary=f"OpenAPI 3.1 of {count_of(len(contracts), 'endpoint')}, as far as they were seen.",
        capture=context.health(NetworkBody),
        action="openapi",
        file=file,
    )


def _clear(context: Context, contracts: list[Contract]) -> Cleared:
    table = context.store.contracts
    forgotten = {contract.endpoint for contract in contracts}
    table.learn(
        {name: known for name, known in table.findings.items() if name not in forgotten},
        up_to_seq=context.store.last_seq,
    )
    return Cleared(
        summary=f"Forgot {count_of(len(forgotten), 'endpoint')}; new requests are learned anew.",
        capture=context.health(NetworkBody),
        action="cleared",
        endpoints_cleared=len(forgotten),
    )


def _fit(items: Sequence[Struct], params: Params) -> list[Excerpt]:
    tokens = min(params.max_tokens, MOST_BYTES // BYTES_PER_TOKEN)
    return fit_excerpts(map(msgspec.to_builtins, items), max_tokens=tokens)
