"""Steps as a person would tell them: browsers tell some things twice."""

import re
from collections.abc import Sequence

import msgspec

from gasoline.analysis.session import Step
from gasoline.records import EnhancedAction

# A form is sent by the click or key right before it; sent later, the page did it or another button.
SUBMIT_AFTER_MS = 1000
DOUBLE_CLICK_MS = 300
# A page scrolls by itself at once; later it was the user.
OWN_SCROLL_MS = 1000
# What is pressed once for each click, however fast they come.
PRESSED = re.compile(r"button|link|checkbox|radio|switch|tab|menuitem\w*|option|spinbutton")


def condense(steps: Sequence[Step]) -> list[Step]:
    """Steps without those that only tell of what the one before or after them did."""
    condensed: list[Step] = []
    for step in steps:
        before = condensed[-1] if condensed else None
        if before and not before.is_double and _completes(step, before):
            condensed[-1] = msgspec.structs.replace(_join(before, step), is_double=True)
        elif before and _repeats(step, before):
            condensed[-1] = _join(before, step)
        elif before and _only_opens(before, step):
            condensed[-1] = step
        else:
            condensed.append(step)
    return condensed


def is_same_element(one: EnhancedAction, other: EnhancedAction) -> bool:
    return bool(one.selectors.css_path) and (one.selectors.css_path, one.frame) == (
        other.selectors.css_path,
        other.frame,
    )


def _only_opens(step: Step, following: Step) -> bool:
    """Whether a click only opened what the next step chooses from: a list or a file dialog."""
    first, second = step.action, following.action
    if first is None or second is None or first.type != "click":
        return False
    is_choice = second.type == "select" or (second.type, second.input_type) == ("input", "file")
    return is_choice and is_same_element(first, second)


def _completes(step: Step, before: Step) -> bool:
    """Whether two clicks are a double one, on what is not there to be pressed."""
    action, first = step.action, before.action
    if action is None or first is None or (first.type, action.type) != ("click", "click"):
        return False
    role = action.selectors.role
    if role and PRESSED.fullmatch(role.role):
        return False
    return step.at_ms - before.at_ms <= DOUBLE_CLICK_MS and is_same_element(first, action)


def _repeats(step: Step, before: Step) -> bool:
    """Whether the step before sent a form, scrolled the page or chose what is told again."""
    action, cause = step.action, before.action
    since_ms = step.at_ms - before.at_ms
    match action.type if action else None:
        case "scroll":
            return since_ms <= OWN_SCROLL_MS
        case "click" if action and cause and cause.type == "select":
            path = action.selectors.css_path or ""
            return path.startswith(f"{cause.selectors.css_path} > option")
        case "submit" if cause:
            is_cause = cause.type == "click" or (cause.type, cause.key) == ("keypress", "Enter")
            return is_cause and since_ms <= SUBMIT_AFTER_MS
    return False


def _join(step: Step, echo: Step) -> Step:
    return msgspec.structs.replace(
        step,
        landed=echo.landed or step.landed,
        loaded=echo.loaded or step.loaded,
        dialogs=step.dialogs + echo.dialogs,
        exchanges=step.exchanges + echo.exchanges,
        logs=step.logs + echo.logs,
        snapshot=echo.snapshot or step.snapshot,
        pictures=step.pictures + echo.pictures,
    )
