"""A script that does again what the user did before an error."""

from collections.abc import Callable, Sequence

import msgspec
from msgspec import Struct

from gasoline.analysis.session import Session
from gasoline.generation.script.cypress import can_locate, write_cypress
from gasoline.generation.script.error_context import ErrorContext
from gasoline.generation.script.literal import one_line
from gasoline.generation.script.locator import accept_any
from gasoline.generation.script.plan import Plan, SetupCall
from gasoline.generation.script.planning import Options, plan_test
from gasoline.generation.script.playwright import write_playwright
from gasoline.generation.script.pytest_script import write_pytest

TITLE_CHARS = 80
UNTITLED = "reproduction: captured user actions"
WRITERS: dict[str, Callable[[Plan], str]] = {
    "playwright": write_playwright,
    "cypress": write_cypress,
    "pytest": write_pytest,
}
SUFFIXES = {"playwright": ".spec.ts", "cypress": ".cy.ts", "pytest": ".py"}


class Reproduction(Struct, frozen=True, kw_only=True):
    """The script, and what to know about it."""

    script: str
    actions_used: int
    selectors_used: tuple[str, ...]
    warnings: tuple[str, ...]


def write_reproduction(
    sessions: Sequence[Session],
    options: Options,
    *,
    language: str,
    header: tuple[str, ...],
    error: ErrorContext | None,
    setup: tuple[SetupCall, ...] = (),
    origin: str = "",
) -> Reproduction:
    """One test for each tab in which something was done."""
    accepts = can_locate if language == "cypress" else accept_any
    options = msgspec.structs.replace(options, accepts=accepts)
    title = f"reproduction: {one_line(error.message, TITLE_CHARS)}" if error else UNTITLED
    closing = [f"Error occurred here: {one_line(error.message)}"] if error else []
    titles = [title] + [f"{title} (tab {number})" for number in range(2, len(sessions) + 1)]
    drafts = [
        plan_test(session, name, options, closing=closing)
        for session, name in zip(sessions, titles, strict=True)
    ]
    plan = Plan(
        header=header, tests=tuple(draft.test for draft in drafts), setup=setup, origin=origin
    )
    warnings = [warning for draft in drafts for warning in draft.warnings]
    if len(sessions) > 1:
        warnings.append(f"Actions in {len(sessions)} tabs: the script has one test for each")
    if setup and language == "cypress":
        warnings.append("Set-up calls are written for Playwright and pytest only")
    return Reproduction(
        script=WRITERS[language](plan),
        actions_used=sum(draft.actions for draft in drafts),
        selectors_used=tuple(dict.fromkeys(target.by for target in plan.locators)),
        warnings=tuple(dict.fromkeys(warnings)),
    )
