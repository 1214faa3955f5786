"""Finding elements, doing things to them, looking at the page: the same in every language."""

from collections.abc import Iterator, Sequence

from gasoline.generation.script.css import css_attribute, css_id
from gasoline.generation.script.literal import one_or_all, pattern_of
from gasoline.generation.script.locator import Locator, Within
from gasoline.generation.script.pages import SUBMIT_BUTTON, UNKNOWN_CONTENT, media_type
from gasoline.generation.script.plan import (
    Back,
    Choose,
    Click,
    Deed,
    Drag,
    ExpectedElement,
    Fill,
    Goto,
    PlannedStep,
    Press,
    Reload,
    Scroll,
    Submit,
    Upload,
)
from gasoline.generation.script.spelling import Spelling


def locate(target: Locator, spelling: Spelling, level: int | None = None) -> str:
    """An expression that finds an element."""
    call, text = spelling.call, spelling.text
    root = "page"
    for frame in target.frames:
        root = call(root, "frame_locator", text(frame))
    if target.within:
        root = call(root, "locator", text(target.within.css))
        if target.within.text:
            root = call(root, "filter", has_text=_part_text(target.within, spelling))
    return _find(root, target, spelling, level) + (spelling.first if target.first else "")


def do(deed: Deed, spelling: Spelling) -> list[str]:
    """The calls that repeat what was done."""
    call, text = spelling.call, spelling.text
    match deed:
        case Goto(url):
            return [call("page", "goto", text(url))]
        case Back():
            return [call("page", "go_back")]
        case Reload():
            return [call("page", "reload")]
        case Click(target, twice):
            return [call(locate(target, spelling), "dblclick" if twice else "click")]
        case Submit(form):
            button = call(locate(form, spelling), "locator", text(SUBMIT_BUTTON))
            return [call(button + spelling.first, "click")]
        case Fill(target, value, leaves):
            field = locate(target, spelling)
            filled = call(field, "fill", spelling.value(value))
            return [filled, call(field, "blur")] if leaves else [filled]
        case Choose(target, options):
            return [call(locate(target, spelling), "select_option", _choices(options, spelling))]
        case Upload(target, names):
            files = ", ".join(_file(name, spelling) for name in names)
            return [call(locate(target, spelling), "set_input_files", f"[{files}]")]
        case Press(key, target):
            place = locate(target, spelling) if target else "page.keyboard"
            return [call(place, "press", text(key))]
        case Scroll(x, y, target):
            part = locate(target, spelling) if target else "page"
            scroll = (
                f"element => element.scrollTo({x}, {y})" if target else f"() => scrollTo({x}, {y})"
            )
            return [call(part, "evaluate", spelling.script(scroll))]
        case Drag(target, onto):
            return [call(locate(target, spelling), "drag_to", locate(onto, spelling))]


def expect_page(step: PlannedStep, spelling: Spelling) -> Iterator[list[str]]:
    """Where the page is after a step, and what it shows."""
    call = spelling.call
    url = []
    if step.waits_for_url:
        url.append(call("page", "wait_for_url", spelling.regex(step.waits_for_url)))
    if step.expects_url:
        url.append(call("expect(page)", "to_have_url", spelling.regex(step.expects_url)))
    if url:
        yield [spelling.state(expectation) for expectation in url]
    if step.elements:
        shown = [_expect_element(element, spelling) for element in step.elements]
        yield [spelling.remark("Assert: the page shows"), *shown]


def take_picture(name: str, spelling: Spelling) -> str:
    return spelling.state(spelling.call("page", "screenshot", path=spelling.text(name)))


def _choices(options: Sequence[str | int], spelling: Spelling) -> str:
    places = [option for option in options if isinstance(option, int)]
    if places:
        return spelling.places(places)
    return one_or_all(spelling.text(str(option)) for option in options)


def _part_text(part: Within, spelling: Spelling) -> str:
    return (
        spelling.regex_in_selector(part.pattern) if part.pattern else spelling.text(part.text or "")
    )


def _find(root: str, target: Locator, spelling: Spelling, level: int | None) -> str:
    call, text = spelling.call, spelling.text
    exact = {"exact": spelling.true} if target.exact else {}
    match target.by:
        case "testId" if target.attribute:
            return call(root, "locator", text(css_attribute(target.attribute, target.value)))
        case "testId":
            return call(root, "get_by_test_id", text(target.value))
        case "role":
            at_level = {"level": str(level)} if level else {}
            name = {"name": _role_name(target, spelling)}
            return call(root, "get_by_role", text(target.role), **name, **exact, **at_level)
        case "ariaLabel":
            return call(root, "get_by_label", text(target.value), **exact)
        case "text":
            return call(root, "get_by_text", text(target.value), **exact)
        case "id":
            return call(root, "locator", text(css_id(target.value)))
        case _:
            return call(root, "locator", text(target.value)) if target.value else root


def _role_name(target: Locator, spelling: Spelling) -> str:
    if target.counted:
        return spelling.regex_in_selector(f"^{pattern_of(target.value, counted=True)}$")
    return spelling.text(target.value)


def _file(name: str, spelling: Spelling) -> str:
    return spelling.record(
        {
            "name": spelling.text(name),
            "mime_type": spelling.text(media_type(name)),
            "buffer": spelling.content(UNKNOWN_CONTENT),
        }
    )


def _expect_element(expected: ExpectedElement, spelling: Spelling) -> str:
    found = f"expect({locate(expected.target, spelling, expected.level)})"
    claim = (
        spelling.call(found, "to_have_text", spelling.text(expected.text))
        if expected.text
        else spelling.call(found, "to_be_visible")
    )
    return f"{spelling.state(claim)}{spelling.aside}confidence: {expected.confidence}"
