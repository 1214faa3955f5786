"""What a step does, in the words of somebody who watches."""

from gasoline.analysis.endpoint import path_of
from gasoline.analysis.session import Step
from gasoline.generation.script.literal import one_line
from gasoline.records import EnhancedAction
from gasoline.records.action import Selectors

NAME_CHARS = 80


def describe_step(step: Step) -> str:
    """One step as a sentence without its end."""
    action = step.action
    if step.reloaded:
        return "Reload the page"
    if action is None:
        return "Open the page"
    if step.went_back:
        return f"Go back to {path_of(step.landed or action.url)}"
    described = describe_action(action)
    return described.replace("Click", "Double-click", 1) if step.is_double else described


def describe_action(action: EnhancedAction) -> str:
    name = name_of(action)
    match action.type:
        case "click":
            return f"Click {name}"
        case "input" if action.input_type == "file":
            return f"Choose a file for {name}"
        case "input":
            return f"Fill {name}"
        case "select":
            return f"Select {_chosen(action)} in {name}"
        case "keypress":
            return f"Press {one_line(action.key or '', 20)}"
        case "submit":
            return f"Submit {name}"
        case "drag":
            return f"Drag {name} onto {_name(action.drop or Selectors(), None)}"
        case "scroll":
            return f"User scrolled to y={int(action.scroll_y or 0)}"
        case _:
            return f"{one_line(action.type.capitalize(), 20)} {name}"


def _chosen(action: EnhancedAction) -> str:
    """What was chosen, as the page calls it where that is known."""
    names = [choice for choice in action.choices or () if isinstance(choice, str)]
    if action.choices is not None and len(action.choices) != 1:
        return ", ".join(map(_quote, names)) or f"{len(action.choices)} options"
    return _quote(action.selected_text or action.selected_value or "")


def name_of(action: EnhancedAction) -> str:
    return _name(action.selectors, action.text or action.target)


def _name(selectors: Selectors, said: str | None) -> str:
    role = selectors.role
    called = (
        (role.name if role else None)
        or selectors.aria_label
        or selectors.text
        or (selectors.scope.text if selectors.scope and selectors.scope.own else None)
        or selectors.test_id
        or selectors.id
        or said
        or selectors.css_path
    )
    if not called:
        return "an element"
    kind = f" {role.role}" if role and role.role in {"button", "link", "checkbox", "radio"} else ""
    return _quote(called) + kind


def _quote(text: str) -> str:
    return f'"{one_line(text, NAME_CHARS)}"'
