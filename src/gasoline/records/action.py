"""What the user did: clicks, input, keys, navigation."""

from msgspec import Struct

from gasoline.records.base import Record


class Role(Struct, frozen=True):
    """How assistive technology knows an element."""

    role: str = ""
    name: str | None = None


class Scope(Struct, frozen=True, omit_defaults=True):
    """A part of the page in which an element stands alone among its likes."""

    css: str = ""
    # What this part says and no other part of its kind does.
    text: str | None = None
    # Numbers in it are whole ones: another part says 10 where this one says 1.
    whole: bool = False
    # The part is the element itself.
    own: bool = False


class Selectors(Struct, frozen=True, rename="camel", omit_defaults=True):
    """Every way found to point at the element again."""

    test_id: str | None = None
    # Unsaid for the usual one, data-testid.
    test_id_attribute: str | None = None
    aria_label: str | None = None
    role: Role | None = None
    id: str | None = None
    text: str | None = None
    css_path: str | None = None
    # Which of them pointed at nothing else when the action was recorded; unsaid where unknown.
    unique: dict[str, bool] = {}
    # Said where nothing above but the path points at the element alone.
    scope: Scope | None = None


class EnhancedAction(Record, frozen=True):
    """One user action, with what a script needs to repeat it."""

    type: str = ""
    selectors: Selectors = Selectors()
    value: str | None = None
    input_type: str | None = None
    key: str | None = None
    from_url: str | None = None
    to_url: str | None = None
    selected_value: str | None = None
    selected_text: str | None = None
    # All that is chosen, by values and labels or by places; unsaid where the one value tells it.
    choices: list[str | int] | None = None
    scroll_x: float | None = None
    scroll_y: float | None = None
    action: str | None = None
    method: str | None = None
    action_id: str | None = None
    target: str | None = None
    text: str | None = None
    position: dict[str, float] = {}
    scroll: dict[str, float] = {}
    # A selector of the frame it happened in; unsaid for the page itself.
    frame: str | None = None
    # Where something dragged was dropped.
    drop: Selectors | None = None
