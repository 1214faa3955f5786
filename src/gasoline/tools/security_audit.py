"""What the captured traffic gives away."""

from typing import Annotated

from msgspec import Meta, Struct

from gasoline.analysis.capture_health import judge_capture
from gasoline.analysis.security.audit import audit
from gasoline.analysis.security.finding import CATEGORIES, Category, Finding, Severity
from gasoline.analysis.security.summary import AuditSummary, summarise
from gasoline.analysis.security.traffic import Traffic
from gasoline.records import LogEntry, NetworkBody, Record, WebSocketEvent
from gasoline.records.health import CaptureHealth
from gasoline.tools.context import Context
from gasoline.tools.listing import MaxTokens, fit
from gasoline.tools.registry import tool

# Whatever a caller allows, an answer of this tool stays below.
LARGEST_ANSWER_TOKENS = 12_500


class Params(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What to look for, and where."""

    checks: Annotated[list[Category] | None, Meta(description="Default: all")] = None
    url_filter: Annotated[str | None, Meta(description="Only URLs containing this")] = None
    severity_min: Severity = "warning"
    test_id: str | None = None
    tab_id: int | None = None
    max_tokens: MaxTokens = 4000


class SecurityAudit(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Findings, worst first."""

    summary: AuditSummary
    capture: CaptureHealth
    omitted: int = 0
    truncated: bool = False
    next: str | None = None
    findings: list[Finding]


@tool()
def security_audit(context: Context, params: Params) -> SecurityAudit:
    """Find leaked credentials, open endpoints, exposed personal data and insecure transport."""
    found = audit(
        _traffic(context, params),
        checks=params.checks or CATEGORIES,
        url_filter=params.url_filter or "",
        severity_min=params.severity_min,
    )
    shown = fit(found.findings, max_tokens=min(params.max_tokens, LARGEST_ANSWER_TOKENS))
    omitted = len(found.findings) - len(shown)
    return SecurityAudit(
        summary=summarise(found.findings, found.scanned),
        capture=judge_capture(context.store.capture_facts(test_id=params.test_id)),
        omitted=omitted,
        truncated=bool(omitted or found.cut),
        next=_how_to_see_more(omitted, found.cut),
        findings=shown,
    )


def _traffic(context: Context, params: Params) -> Traffic:
    def read(kind: type[Record]) -> list[Record]:
        kept = context.store.oldest(kind, test_id=params.test_id)
        records = (one.read(kind) for one in kept)
        return [one for one in records if params.tab_id in {None, one.tab_id}]

    return Traffic(
        exchanges=tuple(one for one in read(NetworkBody) if isinstance(one, NetworkBody)),
        logs=tuple(one for one in read(LogEntry) if isinstance(one, LogEntry)),
        websocket_events=tuple(
            one for one in read(WebSocketEvent) if isinstance(one, WebSocketEvent)
        ),
    )


def _how_to_see_more(omitted: int, cut: int) -> str | None:
    if omitted:
        return "A higher max_tokens shows more; url_filter, checks or severity_min narrow it."
    if cut:
        return f"{cut} more beyond 20 of a category: narrow with url_filter or severity_min."
    return None
