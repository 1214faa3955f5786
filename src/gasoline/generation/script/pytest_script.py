"""A plan as a file for pytest with Playwright for Python."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from gasoline.generation.script.browsing import do, expect_page, take_picture
from gasoline.generation.script.literal import one_line, py_literal, py_regex, py_text
from gasoline.generation.script.pages import (
    FINISH,
    describe_response,
    dialog_answers,
    expects_no_errors,
    looks_back,
)
from gasoline.generation.script.plan import (
    Deed,
    ExpectedResponse,
    Plan,
    PlannedStep,
    PlannedTest,
    SetupCall,
)
from gasoline.generation.script.spelling import PYTHON
from gasoline.generation.script.watching import write_python

_TYPES = {"string": "str", "number": "(int, float)", "boolean": "bool"}
_SHAPE_CHECK = '''

def has_shape(value, shape):
    """Whether a value has these fields, of these types; None stands for anything."""
    if isinstance(shape, dict):
        return isinstance(value, dict) and all(
            name in value and has_shape(value[name], field) for name, field in shape.items()
        )
    if isinstance(shape, list):
        return isinstance(value, list) and all(has_shape(item, shape[0]) for item in value[:1])
    return shape is None or isinstance(value, shape)
'''


def write_pytest(plan: Plan) -> str:
    """The whole file."""
    body: list[str] = []
    if plan.setup:
        body += ["", "", *_write_setup(plan.setup, plan.origin)]
    names: dict[str, int] = {}
    for test in plan.tests:
        body += ["", "", *_write_test(test, plan, _function_name(test.title, names))]
    below = _SHAPE_CHECK if any(response.has_shape for response in plan.responses) else ""
    below += write_python(plan)
    imports = _imports("\n".join(body) + below, plan)
    lines = [*(f"# {line}" for line in plan.header), *imports, *body]
    return "\n".join(lines) + "\n" + below


def _imports(body: str, plan: Plan) -> list[str]:
    standard = [
        f"import {name}"
        for name in ("os", "re", "time")
        if re.search(rf"(?<![\w.\"]){name}\.", body)
    ]
    if parsing := [name for name in ("parse_qsl", "urlsplit") if f"{name}(" in body]:
        standard.append(f"from urllib.parse import {', '.join(parsing)}")
    third = ["import pytest"] if plan.setup else []
    third.append("from playwright.sync_api import Page, expect")
    own = [f"from {plan.mocks} import mock_api"] if plan.mocks else []
    blocks = [block for block in (standard, third, own) if block]
    return [line for place, block in enumerate(blocks) for line in ([""] if place else []) + block]


def _function_name(title: str, names: dict[str, int]) -> str:
    words = re.findall(r"[a-z0-9]+", title.lower())
    name = "test_" + ("_".join(words)[:60].strip("_") or "recorded_session")
    names[name] = names.get(name, 0) + 1
    return name if names[name] == 1 else f"{name}_{names[name]}"


def _write_test(test: PlannedTest, plan: Plan, name: str) -> Iterator[str]:
    yield f"def {name}(page: Page) -> None:"
    # Its docstring, and its body where every step is but a comment.
    yield f"    {py_text(one_line(test.title))}"
    for block in _blocks(test, plan):
        yield ""
        yield from (f"    {line}" for line in "\n".join(block).split("\n"))


def _blocks(test: PlannedTest, plan: Plan) -> Iterator[list[str]]:
    """The parts of a test between which there is an empty line."""
    if test.watches_errors:
        yield [
            "# Collect console errors",
            "console_errors = []",
            "page.on(",
            '    "console", lambda msg: msg.type == "error" and console_errors.append(msg.text)',
            ")",
            'page.on("pageerror", lambda error: console_errors.append(str(error)))',
        ]
    if answers := dialog_answers(test):
        yield [
            "# How the dialogs were answered",
            f"dialog_answers = iter({py_literal(answers)})",
            "page.on(",
            '    "dialog",',
            "    lambda dialog: dialog.dismiss()",
            '    if next(dialog_answers, "") == "dismiss"',
            "    else dialog.accept(),",
            ")",
        ]
    if watches := _begin_to_watch(plan):
        yield watches
    if plan.mocks:
        yield ["mock_api(page)"]
    yield from _write_step(test.start)
    for step in test.steps:
        yield from _write_step(step)
    if looks_back(test, plan):
        yield _look_back(test, plan)
    if test.watches_errors and test.known_errors:
        yield _list_errors(test)
    if test.closing:
        yield [f"# {line}" for line in test.closing]


def _write_step(step: PlannedStep) -> Iterator[list[str]]:
    doing = [f"# [{step.pause_s:.1f}s pause]"] if step.pause_s else []
    if step.settles:
        doing.append('page.wait_for_load_state("networkidle")')
    if step.comment:
        doing.append(f"# {step.comment}")
    if step.deed is not None:
        doing += _write_deed(step.deed, step.responses)
    if doing:
        yield doing
    for expected in step.responses:
        yield list(_write_response(expected))
    yield from expect_page(step, PYTHON)
    yield from _write_pictures(step)
    if step.notes:
        yield [f"# {note}" for note in step.notes]


def _write_deed(deed: Deed, responses: tuple[ExpectedResponse, ...]) -> list[str]:
    done = do(deed, PYTHON)
    if not responses:
        return done
    waits = [
        f"page.expect_response({_matcher(expected)}) as {_snake(expected.name)}_response"
        for expected in responses
    ]
    doing = [f"    {call}" for call in done]
    if len(waits) == 1:
        return [f"with {waits[0]}:", *doing]
    return ["with (", *(f"    {wait}," for wait in waits), "):", *doing]


def _matcher(expected: ExpectedResponse) -> str:
    path = "urlsplit(r.url).path"
    conditions = [
        f"{py_regex(expected.pattern)}.search({path})"
        if expected.pattern
        else f"{path} == {py_text(expected.path)}",
        f"r.request.method == {py_text(expected.method)}",
    ]
    if expected.operation:
        conditions.append(f'{py_text(expected.operation)} in (r.request.post_data or "")')
    if expected.among_others:
        conditions.append(f"r.status == {expected.status}")
    return f"lambda r: {' and '.join(conditions)}"


def _write_response(expected: ExpectedResponse) -> Iterator[str]:
    answer = f"{_snake(expected.name)}_response.value"
    yield f"# {one_line(describe_response(expected))}"
    yield f"assert {answer}.status == {expected.status}"
    if expected.has_shape:
        yield f"assert has_shape({answer}.json(), {_shape(expected.shape)})"
    if expected.known_personal is not None:
        known = "".join(f", {py_text(name)}" for name in expected.known_personal)
        yield f"assert new_personal_fields({answer}.json(){known}) == []"
    if not (expected.is_read or expected.is_stream):
        yield f"{answer}.finished()"


def _shape(shape: Any) -> str:
    if isinstance(shape, dict):
        return "{" + ", ".join(f"{py_text(key)}: {_shape(s)}" for key, s in shape.items()) + "}"
    if isinstance(shape, list):
        return f"[{_shape(shape[0])}]" if shape else "list"
    return _TYPES.get(shape, "None")


def _write_pictures(step: PlannedStep) -> Iterator[list[str]]:
    if step.look:
        yield [
            "# Playwright for Python compares no pictures: this one is for your eyes",
            take_picture(step.look.name, PYTHON),
        ]
    if step.picture:
        yield [take_picture(step.picture, PYTHON)]


def _begin_to_watch(plan: Plan) -> list[str]:
    watches = []
    if plan.budgets:
        watches.append("over_budget = watch_budgets(page)")
    if plan.known_secrets is not None:
        watches.append("secrets_in_urls = watch_secrets(page)")
    return watches


def _look_back(test: PlannedTest, plan: Plan) -> list[str]:
    """What must hold of the flow as a whole."""
    lines = [
        "# Let the page finish what it began",
        "page.wait_for_load_state()",
        f"page.evaluate({py_text(FINISH)})",
    ]
    if expects_no_errors(test):
        lines += [
            "# Assert: no console errors during the flow (confidence: high)",
            "assert console_errors == []",
        ]
    if plan.known_secrets is not None:
        lines += [
            "# Assert: no new secrets in addresses (confidence: high)",
            "assert secrets_in_urls == []",
        ]
    if plan.budgets:
        lines += [
            "# Assert: nothing took far more than before (confidence: medium)",
            "assert over_budget() == []",
        ]
    return lines


def _list_errors(test: PlannedTest) -> list[str]:
    return [
        "# Known errors during captured session:",
        *(f'# - "{error}"' for error in test.known_errors),
        "# assert console_errors == []  # DISABLED: errors present in captured session",
    ]


def _write_setup(calls: Iterable[SetupCall], origin: str) -> Iterator[str]:
    yield '@pytest.fixture(scope="module", autouse=True)'
    yield "def recorded_data(playwright):"
    yield "    request = playwright.request.new_context()"
    for call in calls:
        yield f"    # {call.comment}"
        options = [f"data={py_literal(call.body, 4)}"] if call.body is not None else []
        if call.authorised:
            options.append('headers={"Authorization": f"Bearer {token}"}')
        given = "".join(f", {option}" for option in options)
        sent = f"request.{call.method.lower()}({py_text(origin + call.path)}{given})"
        if call.is_login and call.token:
            yield f"    token = {sent}.json()[{py_text(call.token)}]"
        else:
            yield f"    {sent}"
    yield "    request.dispose()"


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
