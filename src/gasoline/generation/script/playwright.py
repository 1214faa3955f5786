"""A plan as a file for Playwright Test."""

from collections.abc import Iterable, Iterator
from typing import Any

from gasoline.generation.script.browsing import do, expect_page, locate, take_picture
from gasoline.generation.script.literal import js_literal, js_regex, js_text, one_line
from gasoline.generation.script.pages import (
    FINISH,
    MAX_DIFF_PIXELS,
    describe_response,
    dialog_answers,
    expects_no_errors,
    looks_back,
)
from gasoline.generation.script.plan import (
    ExpectedResponse,
    Look,
    Plan,
    PlannedStep,
    PlannedTest,
    SetupCall,
)
from gasoline.generation.script.spelling import TYPESCRIPT
from gasoline.generation.script.watching import write_typescript

_TYPES = {"string": "String", "number": "Number", "boolean": "Boolean"}


def write_playwright(plan: Plan) -> str:
    """The whole file."""
    lines = [f"// {line}" for line in plan.header]
    lines += ["import { test, expect } from '@playwright/test';"]
    if plan.mocks:
        lines.append(f"import {{ mockApi }} from {js_text('./' + plan.mocks)};")
    if plan.setup:
        lines += ["", *_write_setup(plan.setup, plan.origin)]
    for test in plan.tests:
        lines += ["", *_write_test(test, plan)]
    return "\n".join(lines) + "\n" + write_typescript(plan)


def _write_test(test: PlannedTest, plan: Plan) -> Iterator[str]:
    yield f"test({js_text(test.title)}, async ({{ page }}) => {{"
    body = "\n\n".join("\n".join(block) for block in _blocks(test, plan))
    yield from (f"  {line}" if line else "" for line in body.split("\n"))
    yield "});"


def _blocks(test: PlannedTest, plan: Plan) -> Iterator[list[str]]:
    """The parts of a test between which there is an empty line."""
    if test.watches_errors:
        yield [
            "// Collect console errors",
            "const consoleErrors = [];",
            "page.on('console', msg => {",
            "  if (msg.type() === 'error') consoleErrors.push(msg.text());",
            "});",
            "page.on('pageerror', error => consoleErrors.push(error.message));",
        ]
    if answers := dialog_answers(test):
        yield [
            "// How the dialogs were answered",
            f"const dialogAnswers = {js_literal(answers)};",
            "page.on('dialog', dialog =>",
            "  dialogAnswers.shift() === 'dismiss' ? dialog.dismiss() : dialog.accept(),",
            ");",
        ]
    if watches := _begin_to_watch(plan):
        yield watches
    if plan.mocks:
        yield ["await mockApi(page);"]
    yield from _write_step(test.start, plan)
    for step in test.steps:
        yield from _write_step(step, plan)
    if looks_back(test, plan):
        yield _look_back(test, plan)
    if test.watches_errors and test.known_errors:
        yield _list_errors(test)
    if test.closing:
        yield [f"// {line}" for line in test.closing]


def _write_step(step: PlannedStep, plan: Plan) -> Iterator[list[str]]:
    doing = [f"// [{step.pause_s:.1f}s pause]"] if step.pause_s else []
    if step.settles:
        doing.append("await page.waitForLoadState('networkidle');")
    if step.comment:
        doing.append(f"// {step.comment}")
    doing += [
        f"const {expected.name}Response = page.waitForResponse({_matcher(expected)});"
        for expected in step.responses
    ]
    if step.deed is not None:
        doing += map(TYPESCRIPT.state, do(step.deed, TYPESCRIPT))
    if doing:
        yield doing
    for expected in step.responses:
        yield list(_write_response(expected, deep=plan.deep_shapes))
    yield from expect_page(step, TYPESCRIPT)
    yield from _write_pictures(step)
    if step.notes:
        yield [f"// {note}" for note in step.notes]


def _matcher(expected: ExpectedResponse) -> str:
    path = "new URL(r.url()).pathname"
    conditions = [
        f"{js_regex(expected.pattern)}.test({path})"
        if expected.pattern
        else f"{path} === {js_text(expected.path)}",
        f"r.request().method() === {js_text(expected.method)}",
    ]
    if expected.operation:
        conditions.append(f"(r.request().postData() ?? '').includes({js_text(expected.operation)})")
    if expected.among_others:
        conditions.append(f"r.status() === {expected.status}")
    return f"r => {' && '.join(conditions)}"


def _write_response(expected: ExpectedResponse, *, deep: bool) -> Iterator[str]:
    answer = f"{expected.name}Resp"
    yield f"// {one_line(describe_response(expected))}"
    yield f"const {answer} = await {expected.name}Response;"
    yield f"expect({answer}.status()).toBe({expected.status});"
    if not expected.is_read:
        if not expected.is_stream:
            yield f"await {answer}.finished();"
        return
    body = f"{expected.name}Body"
    yield f"const {body} = await {answer}.json();"
    if expected.has_shape and deep:
        yield f"expect({body}).toEqual({_contract(expected.shape, 0)});"
    elif expected.has_shape:
        yield from _write_properties(body, expected.shape, levels=2)
    if expected.known_personal is not None:
        known = "".join(f", {js_text(name)}" for name in expected.known_personal)
        yield f"expect(newPersonalFields({body}{known})).toEqual([]);"


def _contract(shape: Any, indent: int) -> str:
    """What a value must look like, types and all; what was null may be anything."""
    if isinstance(shape, dict):
        fields = [
            f"{_property(key)}: {_contract(field, indent + 2)}"
            for key, field in shape.items()
            if field not in ("null", "...")
        ]
        inside = "".join(f"{' ' * (indent + 2)}{field},\n" for field in fields)
        return (
            f"expect.objectContaining({{\n{inside}{' ' * indent}}})"
            if fields
            else "expect.any(Object)"
        )
    if isinstance(shape, list):
        if not shape or shape[0] in ("null", "..."):
            return "expect.any(Array)"
        return f"expect.arrayContaining([{_contract(shape[0], indent)}])"
    return f"expect.any({_TYPES[shape]})" if shape in _TYPES else "null"


def _property(key: str) -> str:
    return js_literal({key: None})[2:].rsplit(":", 1)[0]


def _write_properties(place: str, shape: Any, *, levels: int) -> Iterator[str]:
    if isinstance(shape, list):
        yield f"expect(Array.isArray({place})).toBe(true);"
        if shape and isinstance(shape[0], dict):
            yield from _write_properties(f"{place}[0]", shape[0], levels=1)
    elif isinstance(shape, dict) and levels:
        for key in shape:
            yield f"expect({place}).toHaveProperty({_property_path(key)});"
        for key, field in shape.items():
            yield from _write_properties(place + _member(key), field, levels=levels - 1)


def _property_path(key: str) -> str:
    """A key that is no path into what lies deeper."""
    return js_text(key) if key.isidentifier() else js_literal([key])


def _member(key: str) -> str:
    return f".{key}" if key.isidentifier() and key.isascii() else f"[{js_text(key)}]"


def _write_pictures(step: PlannedStep) -> Iterator[list[str]]:
    if step.look:
        yield [f"await expect(page).toHaveScreenshot({_look(step.look)});"]
    if step.picture:
        yield [take_picture(step.picture, TYPESCRIPT)]


def _look(look: Look) -> str:
    found = ", ".join(locate(mask, TYPESCRIPT) for mask in look.masks)
    masks = f", mask: [{found}]" if look.masks else ""
    return f"{js_text(look.name)}, {{ maxDiffPixels: {MAX_DIFF_PIXELS}{masks} }}"


def _begin_to_watch(plan: Plan) -> list[str]:
    watches = []
    if plan.budgets:
        watches.append("const overBudget = await watchBudgets(page);")
    if plan.known_secrets is not None:
        watches.append("const secretsInUrls = watchSecrets(page);")
    return watches


def _look_back(test: PlannedTest, plan: Plan) -> list[str]:
    """What must hold of the flow as a whole."""
    lines = [
        "// Let the page finish what it began",
        "await page.waitForLoadState();",
        f"await page.evaluate({FINISH});",
    ]
    if expects_no_errors(test):
        lines += [
            "// Assert: no console errors during the flow (confidence: high)",
            "expect(consoleErrors).toHaveLength(0);",
        ]
    if plan.known_secrets is not None:
        lines += [
            "// Assert: no new secrets in addresses (confidence: high)",
            "expect(secretsInUrls).toEqual([]);",
        ]
    if plan.budgets:
        lines += [
            "// Assert: nothing took far more than before (confidence: medium)",
            "expect(await overBudget()).toEqual([]);",
        ]
    return lines


def _list_errors(test: PlannedTest) -> list[str]:
    return [
        "// Known errors during captured session:",
        *(f'// - "{error}"' for error in test.known_errors),
        "// expect(consoleErrors).toHaveLength(0); // DISABLED: errors present in captured session",
    ]


def _write_setup(calls: Iterable[SetupCall], origin: str) -> Iterator[str]:
    yield "test.beforeAll(async ({ request }) => {"
    for place, call in enumerate(calls):
        if place:
            yield ""
        yield f"  // {call.comment}"
        options = [f"data: {js_literal(call.body, 4)}"] if call.body is not None else []
        if call.authorised:
            options.append("headers: { Authorization: `Bearer ${token}` }")
        given = f", {{ {', '.join(options)} }}" if options else ""
        method = call.method.lower()
        sent = f"await request.{method}({js_text(origin + call.path)}{given});"
        if call.is_login and call.token:
            yield f"  const login = {sent}"
            yield f"  const token = (await login.json()){_member(call.token)};"
        else:
            yield f"  {sent}"
    yield "});"
