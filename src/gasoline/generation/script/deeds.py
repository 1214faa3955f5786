"""Actions as deeds of a script: what is done to which element with which value."""

import re

import msgspec

from gasoline.analysis.session import Step
from gasoline.generation.script.expectations import is_expected
from gasoline.generation.script.literal import Secret, one_line
from gasoline.generation.script.locator import Accepts, Locator, accept_any, choose_locator
from gasoline.generation.script.plan import (
    Back,
    Choose,
    Click,
    Deed,
    Drag,
    Fill,
    Press,
    Reload,
    Scroll,
    Submit,
    Upload,
)
from gasoline.generation.script.wording import name_of
from gasoline.records import EnhancedAction
from gasoline.records.action import Selectors
from gasoline.redaction.marks import INPUT_MARK, find_marks

# A form is sent by the click or key right before it; sent later, the page did it or another button.
SUBMIT_AFTER_MS = 1000
CAPTURED_CHARS = 100
DOUBLE_CLICK_MS = 300
# What is pressed once for each click, however fast they come.
PRESSED = re.compile(r"button|link|checkbox|radio|switch|tab|menuitem\w*|option|spinbutton")
KEYS_OF_THE_PAGE = frozenset({"Escape", "Tab"})

_OTHER_SECRET = re.compile(r"CODE|PIN|CVC|CVV|TOKEN|KEY|SECRET|ANSWER")

Planned = tuple[Deed | None, list[str]]


def plan_deed(step: Step, previous: Step | None, *, accepts: Accepts = accept_any) -> Planned:
    """What repeats a step, and what whoever runs the script must know about it."""
    action = step.action
    if step.reloaded:
        return Reload(), []
    if action is None:
        return None, []
    if step.went_back:
        return Back(), []
    if action.type == "scroll":
        return _plan_scroll(step, action, accepts), []
    if action.type == "keypress":
        return _plan_key(action, previous, accepts), []
    target = _locate(action, accepts)
    if target is None:
        return None, [f"No selector was captured for: {action.type} on {name_of(action)}"]
    warnings = [f"Several elements may match: {name_of(action)}"] if target.first else []
    deed, more = _plan_on(action, target, accepts)
    if isinstance(deed, Click) and step.is_double:
        deed = Click(target, twice=True)
    return deed, warnings + more


def repeats_the_next(step: Step, following: Step) -> bool:
    """Whether a click only opened what the next step chooses from: a list or a file dialog."""
    first, second = step.action, following.action
    if first is None or second is None or first.type != "click" or not _is_same(first, second):
        return False
    return second.type == "select" or (second.type == "input" and second.input_type == "file")


def completes_the_previous(step: Step, before: Step) -> bool:
    """Whether two clicks are a double one, on what is not there to be pressed."""
    action, first = step.action, before.action
    if action is None or first is None or (first.type, action.type) != ("click", "click"):
        return False
    role = action.selectors.role
    if role and PRESSED.fullmatch(role.role):
        return False
    return step.at_ms - before.at_ms <= DOUBLE_CLICK_MS and _is_same(first, action)


def repeats_the_previous(step: Step, before: Step) -> bool:
    """Whether a form was sent by the click or key before it, or a choice is told again."""
    action, cause = step.action, before.action
    if action is None or cause is None:
        return False
    if action.type == "click" and cause.type == "select":
        return (action.selectors.css_path or "").startswith(f"{cause.selectors.css_path} > option")
    if action.type != "submit":
        return False
    is_cause = cause.type == "click" or (cause.type == "keypress" and cause.key == "Enter")
    return is_cause and step.at_ms - before.at_ms <= SUBMIT_AFTER_MS


def variable_of(name: str) -> str:
    """The environment variable that stands for a value of this name."""
    words = re.findall(r"[A-Za-z0-9]+", name)[:4]
    return "GASOLINE_" + ("_".join(words).upper()[:40] or "VALUE")


def _plan_scroll(step: Step, action: EnhancedAction, accepts: Accepts) -> Scroll | None:
    """Scrolling is repeated where the page asked for more because of it."""
    if not any(is_expected(exchange) for exchange in step.exchanges):
        return None
    return Scroll(int(action.scroll_x or 0), int(action.scroll_y or 0), _locate(action, accepts))


def _plan_on(action: EnhancedAction, target: Locator, accepts: Accepts) -> Planned:
    match action.type:
        case "input" if action.input_type == "file":
            names = [name.strip() for name in (action.value or "").split(",")]
            return Upload(target, tuple(name for name in names if name)), []
        case "input":
            return _plan_fill(action, target)
        case "select":
            return Choose(target, _chosen(action)), []
        case "submit":
            return Submit(target), []
        case "drag":
            drop = action.drop or Selectors()
            onto = choose_locator(drop, frame=action.frame, accepts=accepts)
            return (Drag(target, onto), []) if onto else (None, ["A drag without its end"])
        case "click":
            return Click(target), []
        case _:
            return None, [f"No script can repeat this: {one_line(action.type, 20)}"]


def _chosen(action: EnhancedAction) -> tuple[str, ...] | tuple[int, ...]:
    """What was chosen; earlier captures told the first of it only."""
    if action.choices is None:
        return (action.selected_value or "",)
    names = tuple(choice for choice in action.choices if isinstance(choice, str))
    places = tuple(choice for choice in action.choices if isinstance(choice, int))
    return places or names


def _plan_fill(action: EnhancedAction, target: Locator) -> Planned:
    value = action.value or ""
    if not _is_secret(action):
        is_cut = len(value) >= CAPTURED_CHARS
        warning = f"Only the first {CAPTURED_CHARS} characters of {name_of(action)} were captured"
        return Fill(target, value), [warning] if is_cut else []
    secret = _secret_for(action)
    kind = "Password field" if action.input_type == "password" else f"Field {name_of(action)}"
    warning = (
        f"{kind} value redacted — replace '[user-provided]' with test credentials, "
        f"or set {secret.variable}"
    )
    return Fill(target, secret), [warning]


def _secret_for(action: EnhancedAction) -> Secret:
    variable = variable_of(name_of(action))
    # A code of a card is hidden as a password is, and is another secret.
    is_password = action.input_type == "password" and not _OTHER_SECRET.search(variable)
    return Secret("GASOLINE_PASSWORD" if is_password else variable)


def _is_secret(action: EnhancedAction) -> bool:
    value = action.value or ""
    return action.input_type == "password" or value == INPUT_MARK or bool(find_marks(value))


def _plan_key(action: EnhancedAction, previous: Step | None, accepts: Accepts) -> Press:
    key = action.key or "Enter"
    before = previous.action if previous else None
    has_focus = before is not None and (before.type == "keypress" or _is_same(before, action))
    if key in KEYS_OF_THE_PAGE or has_focus:
        return Press(key)
    return Press(key, _locate(action, accepts))


def _locate(action: EnhancedAction, accepts: Accepts) -> Locator | None:
    selectors = action.selectors
    # What a field says is what was just typed into it.
    if action.type == "input" and selectors.scope and selectors.scope.own:
        selectors = msgspec.structs.replace(selectors, scope=None)
    return choose_locator(selectors, frame=action.frame, said=action.text, accepts=accepts)


def _is_same(one: EnhancedAction, other: EnhancedAction) -> bool:
    return bool(one.selectors.css_path) and (one.selectors.css_path, one.frame) == (
        other.selectors.css_path,
        other.frame,
    )
