"""From a session to a plan: what to do, what to wait for, what to expect."""

from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct

from gasoline.analysis.abnormal import said_by
from gasoline.analysis.page_address import can_be_opened, is_same_page
from gasoline.analysis.session import Session, Step
from gasoline.generation.script.address import on_origin, strip_secrets, url_pattern
from gasoline.generation.script.condensing import condense
from gasoline.generation.script.deeds import plan_deed
from gasoline.generation.script.expectations import (
    expect_responses,
    find_minted,
    find_polled,
    is_expected,
    minted_by,
)
from gasoline.generation.script.expected_elements import expect_elements, find_moving
from gasoline.generation.script.literal import one_line
from gasoline.generation.script.locator import Accepts, Locator, accept_any
from gasoline.generation.script.plan import (
    Back,
    Click,
    Fill,
    Goto,
    Look,
    PlannedStep,
    PlannedTest,
    Submit,
)
from gasoline.generation.script.wording import describe_step

PAUSE_MS = 2000
KNOWN_ERRORS = 20
# From pressing a button elsewhere, which leaves a field, to letting it go, which is the click.
LEAVING_MS = 300


class Options(Struct, frozen=True, kw_only=True):
    """What a script holds beside the actions."""

    base_url: str | None = None
    waits_for_url: bool = True
    expects_url: bool = True
    network: bool = False
    shapes: bool = False
    no_errors: bool = False
    privacy: bool = False
    dom_state: bool = False
    # Of what the page showed, the headings only.
    headings: bool = False
    visual: bool = False
    mask_dynamic: bool = True
    pictures: bool = False
    settles: bool = False
    # Which locators the language knows.
    accepts: Accepts = accept_any


class Draft(Struct, frozen=True, kw_only=True):
    """A planned test, and what whoever runs it must know."""

    test: PlannedTest
    warnings: tuple[str, ...]
    actions: int


def plan_test(
    session: Session, title: str, options: Options, *, closing: Sequence[str] = ()
) -> Draft:
    """Plan the script of one tab."""
    planner = _Planner(session, options)
    start = planner.plan_start()
    steps = tuple(planner.plan_steps())
    errors = [one_line(said_by(entry)) for entry in session.errors]
    refused = [
        f"{exchange.method} {one_line(exchange.url, 200)} → {exchange.status}"
        for exchange in session.exchanges
        # The browser itself writes these into the console.
        if exchange.failed and not any(one_line(exchange.url, 200) in error for error in errors)
    ]
    return Draft(
        test=PlannedTest(
            title=title,
            start=start,
            steps=steps,
            watches_errors=options.no_errors,
            known_errors=_few(list(dict.fromkeys([*errors, *refused]))),
            closing=tuple(closing),
        ),
        warnings=tuple(dict.fromkeys(planner.warnings)),
        actions=len(session.actions),
    )


def _few(errors: list[str]) -> tuple[str, ...]:
    more = len(errors) - KNOWN_ERRORS
    return (*errors[:KNOWN_ERRORS], *([f"and {more} more"] if more > 0 else []))


class _Planner:
    """Plans step after step; what it must remember from one to the next is here."""

    def __init__(self, session: Session, options: Options) -> None:
        self.session, self.options = session, options
        self.warnings: list[str] = []
        exchanges = session.exchanges
        snapshots = [step.snapshot for step in session.steps if step.snapshot]
        self._minted = find_minted(exchanges)
        self._polled = find_polled(exchanges)
        self._moving = find_moving(snapshots)
        self._attribute = next(
            (
                action.selectors.test_id_attribute
                for action in session.actions
                if action.selectors.test_id_attribute
            ),
            None,
        )
        self._names: Counter[str] = Counter()
        self._looks: Counter[str] = Counter()
        self._here = session.start_url
        self._pictures = 0

    def plan_start(self) -> PlannedStep:
        opening = self.session.steps[0]
        planned = self._complete(opening, PlannedStep(comment="", deed=self._goto(self._here)))
        if planned.deed is None:
            return msgspec.structs.replace(
                planned,
                responses=(),
                notes=(f"Open {one_line(self._here, 80)} here: a script cannot.",),
            )
        return planned

    def plan_steps(self) -> Iterator[PlannedStep]:
        steps = condense(self.session.steps[1:])
        before_ms = self.session.steps[0].at_ms
        previous: Step | None = None
        for place, step in enumerate(steps):
            following = steps[place + 1] if place + 1 < len(steps) else None
            yield from self._plan_opening(step)
            pause_ms = step.at_ms - before_ms if before_ms else 0
            planned = self._plan_step(step, previous, pause_ms, is_last=following is None)
            yield _leave_field(planned, step, following)
            before_ms, previous = step.at_ms, step

    def _plan_opening(self, step: Step) -> Iterator[PlannedStep]:
        """The address that somebody typed before this step."""
        if step.opened is None or is_same_page(step.opened, self._here):
            return
        self._here = step.opened
        deed = self._goto(step.opened)
        if deed is not None:
            yield PlannedStep(comment="Open another page", deed=deed)

    def _plan_step(
        self, step: Step, previous: Step | None, pause_ms: float, *, is_last: bool
    ) -> PlannedStep:
        deed, warnings = plan_deed(step, previous, accepts=self.options.accepts)
        self.warnings += warnings
        planned = PlannedStep(
            comment=describe_step(step),
            deed=deed,
            pause_s=pause_ms / 1000 if pause_ms > PAUSE_MS else None,
            settles=self.options.settles and pause_ms > PAUSE_MS and not self._polled,
            dialogs=tuple("dismiss" if d.value == "dismiss" else "accept" for d in step.dialogs),
            notes=() if self.options.no_errors or is_last else _note_errors(step),
        )
        if deed is None:
            return self._note_what_is_not_repeated(step, planned)
        return self._complete(step, planned)

    def _complete(self, step: Step, planned: PlannedStep) -> PlannedStep:
        """A step with everything that is expected after it."""
        options = self.options
        landing = self._landing(step)
        changes: dict[str, object] = {}
        if options.network and planned.deed is not None:
            changes["responses"] = expect_responses(
                step,
                self._names,
                minted=self._minted,
                polled=self._polled,
                shapes=options.shapes,
                privacy=options.privacy,
            )
        if landing and options.waits_for_url:
            changes["waits_for_url"] = landing
        if landing and options.expects_url:
            changes["expects_url"] = landing
        if options.dom_state or options.headings:
            elements = expect_elements(step, moving=self._moving, attribute=self._attribute)
            changes["elements"] = tuple(
                element for element in elements if options.dom_state or element.level
            )
        if options.visual and _is_worth_a_look(step, planned):
            changes["look"] = self._look(step)
        if options.pictures:
            self._pictures += 1
            changes["picture"] = f"step-{self._pictures}.png"
        return msgspec.structs.replace(planned, **changes)

    def _landing(self, step: Step) -> str | None:
        if step.landed is None:
            return None
        self._here = step.landed
        minted = self._minted | minted_by(self.session.exchanges, step.landed)
        return url_pattern(step.landed, minted=minted)

    def _goto(self, url: str) -> Goto | None:
        if not can_be_opened(url):
            self.warnings.append(
                f"{one_line(url, 80)} cannot be opened by a script: open that page first"
            )
            return None
        clean, was_secret = strip_secrets(url)
        if was_secret:
            self.warnings.append(
                f"Secrets removed from the address {one_line(clean, 120)}: sign in another way"
            )
        return Goto(on_origin(clean, self.options.base_url))

    def _look(self, step: Step) -> Look:
        words = describe_step(step) if step.action else f"{_page_word(self._here)} loaded"
        if step.landed:
            words = f"{_page_word(step.landed)} loaded"
        slug = "-".join("".join(c if c.isalnum() else " " for c in words.lower()).split())[:40]
        self._looks[slug] += 1
        name = slug if self._looks[slug] == 1 else f"{slug}-{self._looks[slug]}"
        masks = sorted(self._moving) if self.options.mask_dynamic else []
        return Look(
            f"{name}.png",
            tuple(Locator(by="testId", value=m, attribute=self._attribute or "") for m in masks),
        )

    def _note_what_is_not_repeated(self, step: Step, planned: PlannedStep) -> PlannedStep:
        lost = [exchange for exchange in step.exchanges if is_expected(exchange)]
        if not lost or not self.options.network:
            return planned
        note = f"{len(lost)} requests followed, which are not expected again"
        return msgspec.structs.replace(planned, notes=(*planned.notes, note))


def _leave_field(planned: PlannedStep, step: Step, following: Step | None) -> PlannedStep:
    """Leave a field where the page asked for something only when the user did."""
    deed = planned.deed
    if not isinstance(deed, Fill) or following is None or not step.exchanges:
        return planned
    was_left = all(following.at_ms - e.at_ms <= LEAVING_MS for e in step.exchanges)
    return msgspec.structs.replace(planned, deed=msgspec.structs.replace(deed, leaves=was_left))


def _note_errors(step: Step) -> tuple[str, ...]:
    return tuple(
        f"Error seen here: {one_line(said_by(entry))}" for entry in step.logs if entry.is_error
    )


def _is_worth_a_look(step: Step, planned: PlannedStep) -> bool:
    """A page was opened, or a click changed something."""
    if step.landed or step.action is None:
        return planned.deed is not None
    return isinstance(planned.deed, Click | Submit | Back) and bool(step.exchanges)


def _page_word(url: str) -> str:
    words = [word for word in url.partition("://")[2].partition("/")[2].split("/") if word]
    return " ".join(words[:2]).partition("?")[0] or "home"
