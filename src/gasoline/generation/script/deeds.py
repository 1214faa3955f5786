"""Actions as deeds of a script: what is done to which element with which value."""

import re

import msgspec

from gasoline.analysis.session import Step
from gasoline.generation.script.condensing import is_same_element
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

CAPTURED_CHARS = 100
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
    has_focus = before and (before.type == "keypress" or is_same_element(before, action))
    if key in KEYS_OF_THE_PAGE or has_focus:
        return Press(key)
    return Press(key, _locate(action, accepts))


def _locate(action: EnhancedAction, accepts: Accepts) -> Locator | None:
    selectors = action.selectors
    # What a field says is what was just typed into it.
    if action.type == "input" and selectors.scope and selectors.scope.own:
        selectors = msgspec.structs.replace(selectors, scope=None)
    return choose_locator(selectors, frame=action.frame, said=action.text, accepts=accepts)
