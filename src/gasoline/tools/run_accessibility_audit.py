"""What keeps people from using the page."""

from itertools import groupby
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from gasoline.tools.context import Answer, Context, Excerpt
from gasoline.tools.listing import MaxTokens, fit, fit_excerpts
from gasoline.tools.live_page import (
    Selector,
    TabId,
    ask_page,
    choose_page,
    describe_capture,
    read_answer,
)
from gasoline.tools.registry import tool
from gasoline.tools.wording import count_of, short

WORST_FIRST = ("critical", "serious", "moderate", "minor")
RULES_NAMED = 5
# Every rule that is broken matters more than every place where it is.
NODES_SHOWN = (10, 5, 2, 1)

Tags = Annotated[list[str], Meta(max_length=50)]


class Params(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What to audit."""

    scope: Annotated[Selector | None, Meta(description="CSS selector")] = None
    tags: Annotated[Tags | None, Meta(description="Like wcag2a")] = None
    force_refresh: Annotated[bool, Meta(description="Not the audit of the last 30 s")] = False
    tab_id: TabId = None
    max_tokens: MaxTokens = 4000


class Violation(Struct, frozen=True, rename="camel", omit_defaults=True):
    """One rule that the page breaks."""

    id: str = ""
    impact: str | None = None
    description: str = ""
    help_url: str = ""
    wcag: list[str] = []
    nodes: list[Excerpt] = []
    node_count: int = 0

    @property
    def nodes_in_all(self) -> int:
        return max(self.node_count, len(self.nodes))


class AuditAnswer(Struct, frozen=True):
    """What the page says."""

    violations: list[Violation] = []
    summary: dict[str, int] = {}


class AccessibilityAudit(Answer, frozen=True, kw_only=True):
    """Violations, the worst first."""

    counts: dict[str, int]
    violations: list[Violation]


@tool()
async def run_accessibility_audit(context: Context, params: Params) -> AccessibilityAudit:
    """Check the open page with axe-core; worst violations first, with the elements concerned."""
    to = choose_page(context, params.tab_id)
    asked: dict[str, Any] = {
        **({"scope": params.scope} if params.scope else {}),
        **({"tags": params.tags} if params.tags else {}),
    }

    async def run() -> AuditAnswer:
        return read_answer(await ask_page(context, "a11y", asked, to=to), AuditAnswer)

    key = (params.scope, tuple(sorted(set(params.tags or ()))), to.browser, to.tab_id, to.url)
    audit = await context.audits.get(key, run, refresh=params.force_refresh)
    worst_first = sorted(audit.violations, key=_severity)
    shown = _fit(worst_first, max_tokens=params.max_tokens)
    omitted = len(worst_first) - len(shown)
    return AccessibilityAudit(
        summary=_summarise(worst_first),
        capture=describe_capture(to),
        omitted=omitted,
        next="Narrow the scope or tags, or raise max_tokens." if omitted else None,
        counts=audit.summary,
        violations=shown,
    )


def _severity(violation: Violation) -> int:
    impact = violation.impact or ""
    return WORST_FIRST.index(impact) if impact in WORST_FIRST else len(WORST_FIRST)


def _fit(violations: list[Violation], *, max_tokens: int) -> list[Violation]:
    """All rules with as many of their nodes as there is room for; then fewer rules."""
    shown: list[Violation] = []
    for nodes in NODES_SHOWN:
        shown = fit([_with_nodes(one, nodes) for one in violations], max_tokens=max_tokens)
        if len(shown) == len(violations):
            break
    return shown


def _with_nodes(violation: Violation, nodes: int) -> Violation:
    return msgspec.structs.replace(
        violation,
        description=short(violation.description, 300),
        nodes=fit_excerpts(violation.nodes[:nodes], max_tokens=1000),
        node_count=violation.nodes_in_all,
    )


def _summarise(worst_first: list[Violation]) -> str:
    if not worst_first:
        return "No accessibility violations found."
    groups = [
        _summarise_alike(impact or "other", list(alike))
        for impact, alike in groupby(worst_first, key=lambda violation: violation.impact)
    ]
    return "; ".join(groups) + "."


def _summarise_alike(impact: str, violations: list[Violation]) -> str:
    named = [
        f"{short(one.id, 60)} ({count_of(one.nodes_in_all, 'node')})"
        for one in violations[:RULES_NAMED]
    ]
    rest = len(violations) - len(named)
    return (
        f"{count_of(len(violations), f'{short(impact, 30)} violation')}: {', '.join(named)}"
        f"{f' and {rest} more' if rest else ''}"
    )
