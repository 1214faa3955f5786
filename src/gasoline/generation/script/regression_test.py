"""A test that passes while the application does what it did, and fails when it no longer does."""

from collections.abc import Sequence

from msgspec import Struct

from gasoline.analysis.endpoint import path_of
from gasoline.analysis.session import Session
from gasoline.generation.script.literal import one_line
from gasoline.generation.script.pages import count_assertions
from gasoline.generation.script.plan import Budgets, Plan, SetupCall
from gasoline.generation.script.planning import Options, plan_test
from gasoline.generation.script.reproduction import WRITERS

UNTITLED = "recorded session"


class RegressionTest(Struct, frozen=True, kw_only=True):
    """The script, and what to know about it."""

    script: str
    test_name: str
    action_count: int
    assertion_count: int
    warnings: tuple[str, ...]


def write_regression_test(
    sessions: Sequence[Session],
    options: Options,
    *,
    name: str | None,
    language: str,
    header: tuple[str, ...],
    setup: tuple[SetupCall, ...] = (),
    mocks: str | None = None,
    origin: str = "",
    deep_shapes: bool = False,
    budgets: Budgets | None = None,
    known_secrets: tuple[str, ...] | None = None,
) -> RegressionTest:
    """One test for each tab in which something was done."""
    title = name or default_name(sessions[0])
    titles = [title] + [f"{title} (tab {number})" for number in range(2, len(sessions) + 1)]
    drafts = [
        plan_test(session, of_tab, options)
        for session, of_tab in zip(sessions, titles, strict=True)
    ]
    warnings = list(dict.fromkeys(warning for draft in drafts for warning in draft.warnings))
    notes = [f"Note: {one_line(warning)}" for warning in warnings]
    plan = Plan(
        header=(*header, *notes),
        tests=tuple(draft.test for draft in drafts),
        setup=setup,
        mocks=mocks,
        origin=origin,
        deep_shapes=deep_shapes,
        budgets=budgets,
        known_secrets=known_secrets,
    )
    return RegressionTest(
        script=WRITERS[language](plan),
        test_name=title,
        action_count=sum(draft.actions for draft in drafts),
        assertion_count=count_assertions(plan),
        warnings=tuple(warnings),
    )


def default_name(session: Session) -> str:
    """From the page on which the session began."""
    path = path_of(session.start_url)
    return f"{one_line(path, 80)} flow" if path.strip("/") else UNTITLED
