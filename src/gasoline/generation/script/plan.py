"""What a script does and expects, in the words of no language yet."""

from typing import Any

from msgspec import Struct

from gasoline.generation.script.literal import Secret, Value
from gasoline.generation.script.locator import Locator


class Goto(Struct, frozen=True):
    url: str


class Back(Struct, frozen=True):
    """The browser's own way back."""


class Reload(Struct, frozen=True):
    """The same page from its start."""


class Click(Struct, frozen=True):
    target: Locator
    twice: bool = False


class Submit(Struct, frozen=True):
    """A click on whatever button sends a form."""

    form: Locator


class Fill(Struct, frozen=True):
    target: Locator
    value: Value
    # Then go elsewhere: some pages only listen to a field that is left.
    leaves: bool = False


class Choose(Struct, frozen=True):
    """All that is chosen of a list in the end, by values and labels or by places."""

    target: Locator
    options: tuple[str, ...] | tuple[int, ...]


class Upload(Struct, frozen=True):
    target: Locator
    names: tuple[str, ...]


class Press(Struct, frozen=True):
    """A key, where the focus is or on an element that has it not yet."""

    key: str
    target: Locator | None = None


class Drag(Struct, frozen=True):
    target: Locator
    onto: Locator


class Scroll(Struct, frozen=True):
    """The page, or a part of it, to a place."""

    x: int
    y: int
    target: Locator | None = None


Deed = Goto | Back | Reload | Click | Submit | Fill | Choose | Upload | Press | Drag | Scroll


class ExpectedResponse(Struct, frozen=True, kw_only=True):
    """A request that must be answered as it was."""

    name: str
    method: str
    path: str
    # The path as a pattern, where a part of it is another one every time.
    pattern: str | None = None
    # What the request's body mentions, where the path alone does not tell requests apart.
    operation: str | None = None
    status: int
    # Answers with other statuses come too: wait for this one.
    among_others: bool = False
    shape: Any = None
    has_shape: bool = False
    # Fields about persons that it may hold, where new ones are looked for.
    known_personal: tuple[str, ...] | None = None
    times: int = 1
    # It goes on and on: nobody waits for its end.
    is_stream: bool = False

    @property
    def is_read(self) -> bool:
        return self.has_shape or self.known_personal is not None


class ExpectedElement(Struct, frozen=True, kw_only=True):
    """Something the page showed: a heading, or an element with a test id."""

    target: Locator
    level: int | None = None
    text: str | None = None
    confidence: str = "high"


class Look(Struct, frozen=True):
    """A picture to compare with, and what in it changes by itself."""

    name: str
    masks: tuple[Locator, ...] = ()


class PlannedStep(Struct, frozen=True, kw_only=True):
    """One deed, what must be ready before it, and what must hold after it."""

    comment: str
    deed: Deed | None = None
    pause_s: float | None = None
    # Nothing went on after the step before it: wait for that.
    settles: bool = False
    # How the dialogs were answered that the deed opened: `accept` or `dismiss`.
    dialogs: tuple[str, ...] = ()
    responses: tuple[ExpectedResponse, ...] = ()
    # Where the page goes, as a pattern.
    waits_for_url: str | None = None
    expects_url: str | None = None
    elements: tuple[ExpectedElement, ...] = ()
    look: Look | None = None
    picture: str | None = None
    notes: tuple[str, ...] = ()


class Budgets(Struct, frozen=True, kw_only=True):
    """The most that a page may take; of what is None, anything."""

    answer_ms: int | None = None
    # Patterns of paths that were slow already, and how slow they may be.
    slow_answers: tuple[tuple[str, int], ...] = ()
    task_ms: int | None = None
    page_bytes: int | None = None
    messages_per_s: int | None = None


class SetupCall(Struct, frozen=True, kw_only=True):
    """A request that brings the data into being on which the steps depend."""

    comment: str
    method: str
    path: str
    body: Any = None
    is_login: bool = False
    # The field of the login's answer that later calls carry.
    token: str | None = None
    authorised: bool = False


class PlannedTest(Struct, frozen=True, kw_only=True):
    """The script of one tab."""

    title: str
    start: PlannedStep
    steps: tuple[PlannedStep, ...]
    watches_errors: bool = False
    known_errors: tuple[str, ...] = ()
    closing: tuple[str, ...] = ()


class Plan(Struct, frozen=True, kw_only=True):
    """A whole file."""

    header: tuple[str, ...]
    tests: tuple[PlannedTest, ...]
    setup: tuple[SetupCall, ...] = ()
    # The module of route mocks beside it.
    mocks: str | None = None
    origin: str = ""
    # Types too, not only names, of what answers hold.
    deep_shapes: bool = False
    budgets: Budgets | None = None
    # Parameters of addresses that may hold secrets, where new ones are looked for.
    known_secrets: tuple[str, ...] | None = None

    @property
    def steps(self) -> list[PlannedStep]:
        return [step for test in self.tests for step in (test.start, *test.steps)]

    @property
    def responses(self) -> list[ExpectedResponse]:
        return [response for step in self.steps for response in step.responses]

    @property
    def secrets(self) -> list[Secret]:
        values = [step.deed.value for step in self.steps if isinstance(step.deed, Fill)]
        return [value for value in values if isinstance(value, Secret)]

    @property
    def locators(self) -> list[Locator]:
        """Those that the steps use, in order."""
        found: list[Locator] = []
        for step in self.steps:
            match step.deed:
                case Click(target) | Fill(target) | Choose(target) | Upload(target):
                    found.append(target)
                case Drag(target, onto):
                    found += [target, onto]
                case Submit(form):
                    found.append(form)
                case Press(_, target) | Scroll(_, _, target) if target:
                    found.append(target)
                case _:
                    pass
        return found
