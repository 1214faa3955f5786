"""Functions below the tests of a file: they look on while a test runs, for what no step shows."""

from msgspec import Struct

from gasoline.generation.script.literal import (
    js_literal,
    js_regex,
    py_literal,
    py_pattern,
    py_text,
)
from gasoline.generation.script.plan import Plan
from gasoline.generation.script.watching_budgets import (
    PYTHON_BUDGETS,
    TYPESCRIPT_BUDGETS,
    BudgetWords,
    write_budgets,
)
from gasoline.generation.script.watching_privacy import (
    PYTHON_PERSONAL,
    PYTHON_SECRETS,
    TYPESCRIPT_PERSONAL,
    TYPESCRIPT_SECRETS,
)


class _Words(Struct, frozen=True, kw_only=True):
    """The functions in one language."""

    budgets: BudgetWords
    secrets: str
    personal: str


_TYPESCRIPT = _Words(
    budgets=TYPESCRIPT_BUDGETS, secrets=TYPESCRIPT_SECRETS, personal=TYPESCRIPT_PERSONAL
)
_PYTHON = _Words(budgets=PYTHON_BUDGETS, secrets=PYTHON_SECRETS, personal=PYTHON_PERSONAL)


def write_typescript(plan: Plan) -> str:
    """Whatever the tests of a plan call, for Playwright Test."""
    slow = plan.budgets.slow_answers if plan.budgets else ()
    return _write(
        plan,
        _TYPESCRIPT,
        known=js_literal(list(plan.known_secrets or ())),
        slow="[" + ", ".join(f"[{js_regex(path)}, {ms}]" for path, ms in slow) + "]",
    )


def write_python(plan: Plan) -> str:
    """The same for pytest."""
    slow = plan.budgets.slow_answers if plan.budgets else ()
    return _write(
        plan,
        _PYTHON,
        known=py_literal(list(plan.known_secrets or ())),
        slow="[" + ", ".join(f"({py_text(py_pattern(path))}, {ms})" for path, ms in slow) + "]",
    )


def _write(plan: Plan, words: _Words, *, known: str, slow: str) -> str:
    written = (
        write_budgets(plan.budgets, words.budgets).replace("SLOW", slow) if plan.budgets else ""
    )
    if plan.known_secrets is not None:
        written += words.secrets.replace("KNOWN", known)
    if any(response.known_personal is not None for response in plan.responses):
        written += words.personal
    return written
