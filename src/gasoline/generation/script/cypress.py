"""A plan as a file for Cypress."""

from collections.abc import Iterator, Sequence

from gasoline.generation.script.css import css_attribute, css_id
from gasoline.generation.script.literal import (
    Secret,
    Value,
    js_regex,
    js_text,
    one_line,
    one_or_all,
    pattern_of,
)
from gasoline.generation.script.locator import USUAL_TEST_ID, Locator
from gasoline.generation.script.pages import SUBMIT_BUTTON, UNKNOWN_CONTENT, dialog_answers
from gasoline.generation.script.plan import (
    Back,
    Choose,
    Click,
    Deed,
    Drag,
    Fill,
    Goto,
    Plan,
    PlannedStep,
    PlannedTest,
    Press,
    Reload,
    Scroll,
    Submit,
    Upload,
)

# What carries its name as its text, in the selector of its role.
_NAMED_BY_TEXT = {
    "button": "button, [role=button], input[type=submit]",
    "link": "a, [role=link]",
    "tab": "[role=tab]",
    "menuitem": "[role=menuitem]",
    "option": "option, [role=option]",
    "heading": "h1, h2, h3, h4, h5, h6, [role=heading]",
}
_KEYS = {"Enter": "{enter}", "Escape": "{esc}"}


def write_cypress(plan: Plan) -> str:
    """The whole file."""
    lines = [f"// {line}" for line in plan.header]
    lines += ['/// <reference types="cypress" />']
    for test in plan.tests:
        lines += ["", *_write_test(test)]
    return "\n".join(lines) + "\n"


def can_locate(target: Locator) -> bool:
    """Whether Cypress finds an element this way: it knows no labels and no roles."""
    return target.by not in {"role", "ariaLabel"} or target.role in _NAMED_BY_TEXT


def locate(target: Locator) -> str:
    """A chain that finds an element."""
    chain, get = "cy", "get"
    for frame in target.frames:
        chain += (
            f".{get}({js_text(frame)}).its('0.contentDocument.body')"
            ".should('not.be.empty').then(cy.wrap)"
        )
        get = "find"
    if target.within:
        part = target.within
        said = js_regex(part.pattern) if part.pattern else js_text(part.text or "")
        chain += (
            f".contains({js_text(part.css)}, {said})"
            if part.text
            else f".{get}({js_text(part.css)})"
        )
        get = "find"
    return chain + _find(target, get) + (".first()" if target.first else "")


def _find(target: Locator, get: str) -> str:
    match target.by:
        case "testId":
            return (
                f".{get}({js_text(css_attribute(target.attribute or USUAL_TEST_ID, target.value))})"
            )
        case "role":
            name = pattern_of(target.value, counted=target.counted)
            wanted = js_regex(f"^\\s*{name}\\s*$" if target.exact or target.counted else name)
            return f".contains({js_text(_NAMED_BY_TEXT[target.role])}, {wanted})"
        case "ariaLabel":
            return f".{get}({js_text(css_attribute('aria-label', target.value))})"
        case "text":
            return f".contains({js_text(target.value)})"
        case "id":
            return f".{get}({js_text(css_id(target.value))})"
        case _:
            return f".{get}({js_text(target.value)})" if target.value else ""


def _write_test(test: PlannedTest) -> Iterator[str]:
    yield f"it({js_text(test.title)}, () => {{"
    body = "\n\n".join("\n".join(block) for block in _blocks(test))
    yield from (f"  {line}" if line else "" for line in body.split("\n"))
    yield "});"


def _blocks(test: PlannedTest) -> Iterator[list[str]]:
    answers = dialog_answers(test)
    if "dismiss" in answers:
        yield [
            "// How the dialogs were answered",
            f"const dialogAnswers = [{', '.join(map(js_text, answers))}];",
            "cy.on('window:confirm', () => dialogAnswers.shift() !== 'dismiss');",
        ]
    yield from _write_step(test.start)
    for step in test.steps:
        yield from _write_step(step)
    if test.closing:
        yield [f"// {line}" for line in test.closing]


def _write_step(step: PlannedStep) -> Iterator[list[str]]:
    doing = [f"// [{step.pause_s:.1f}s pause]"] if step.pause_s else []
    if step.comment:
        doing.append(f"// {step.comment}")
    if step.deed is not None:
        doing += _do(step.deed)
    if doing:
        yield doing
    if pattern := step.expects_url or step.waits_for_url:
        yield [f"cy.url().should('match', {js_regex(pattern)});"]
    if step.elements:
        yield [f"{locate(element.target)}.should('be.visible');" for element in step.elements]
    if step.picture:
        yield [f"cy.screenshot({js_text(step.picture.removesuffix('.png'))});"]
    if step.notes:
        yield [f"// {note}" for note in step.notes]


def _do(deed: Deed) -> list[str]:
    match deed:
        case Goto(url):
            return [f"cy.visit({js_text(url)});"]
        case Back():
            return ["cy.go('back');"]
        case Reload():
            return ["cy.reload();"]
        case Click(target, twice):
            return [f"{locate(target)}.{'dblclick' if twice else 'click'}();"]
        case Submit(form):
            return [f"{locate(form)}.find({js_text(SUBMIT_BUTTON)}).first().click();"]
        case Fill(target, value, leaves):
            blur = [f"{locate(target)}.blur();"] if leaves else []
            return [_fill(target, value), *blur]
        case Choose(target, options):
            return [f"{locate(target)}.select({_choices(options)});"]
        case Upload(target, names):
            return [f"{locate(target)}.selectFile([{', '.join(map(_file, names))}]);"]
        case Press(key, target):
            return [_press(key, target)]
        case Scroll(x, y, target):
            scrolled = locate(target) if target else "cy"
            return [f"{scrolled}.scrollTo({x}, {y}, {{ ensureScrollable: false }});"]
        case Drag(target, onto):
            return [
                "cy.window().then(({ DataTransfer }) => {",
                "  const dataTransfer = new DataTransfer();",
                f"  {locate(target)}.trigger('dragstart', {{ dataTransfer }});",
                f"  {locate(onto)}.trigger('dragover', {{ dataTransfer }});",
                f"  {locate(onto)}.trigger('drop', {{ dataTransfer }});",
                "});",
            ]


def _choices(options: Sequence[str | int]) -> str:
    return one_or_all(
        js_text(option) if isinstance(option, str) else str(option) for option in options
    )


def _file(name: str) -> str:
    content = f"Cypress.Buffer.from({js_text(UNKNOWN_CONTENT)})"
    return f"{{ contents: {content}, fileName: {js_text(name)} }}"


def _fill(target: Locator, value: Value) -> str:
    if value == "":
        return f"{locate(target)}.clear();"
    written = (
        f"Cypress.env({js_text(value.variable)}) ?? {js_text(value.fallback)}"
        if isinstance(value, Secret)
        else js_text(value)
    )
    return f"{locate(target)}.clear().type({written}, {{ parseSpecialCharSequences: false }});"


def _press(key: str, target: Locator | None) -> str:
    if key == "Tab":
        return "cy.press('Tab');"
    if key not in _KEYS:
        return f"// Press {one_line(key, 20)}: Cypress cannot repeat this"
    chain = locate(target) if target else "cy.focused()" if key == "Enter" else "cy.get('body')"
    return f"{chain}.type({js_text(_KEYS[key])});"
