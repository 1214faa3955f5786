"""A session: what the user did, step by step, each with what followed from it."""

from collections.abc import Sequence
from typing import TypeVar

import msgspec
from msgspec import Struct

from gasoline.analysis.page_address import is_same_page, resolve
from gasoline.analysis.recording import Recording
from gasoline.records import (
    DomSnapshot,
    EnhancedAction,
    LogEntry,
    NetworkBody,
    Record,
    Screenshot,
)

R = TypeVar("R", bound=Record)

# No page takes this long to appear after the click that asked for it: somebody typed an address.
PAGE_PATIENCE_MS = 10_000
# A change of address back to where one came from, this long after anything else: the back button.
BACK_AFTER_MS = 1_000


class Step(Struct, frozen=True, kw_only=True):
    """One action and its consequences until the next; the first step is the page being opened."""

    action: EnhancedAction | None = None
    at_ms: float = 0.0
    # The address typed in before the action, when nothing the user did on the page leads there.
    opened: str | None = None
    # Where the page went.
    landed: str | None = None
    # It is another document: the one before, and what it was answered, is gone.
    loaded: bool = False
    went_back: bool = False
    # The user had the same page loaded again: no action, and what the page did at its start anew.
    reloaded: bool = False
    # Two clicks in one.
    is_double: bool = False
    dialogs: tuple[EnhancedAction, ...] = ()
    exchanges: tuple[NetworkBody, ...] = ()
    logs: tuple[LogEntry, ...] = ()
    snapshot: DomSnapshot | None = None
    pictures: tuple[Screenshot, ...] = ()


class Session(Struct, frozen=True, kw_only=True):
    """The steps of one tab."""

    start_url: str
    steps: tuple[Step, ...]
    tab_id: int | None = None
    began_ms: float = 0.0
    ended_ms: float = 0.0

    @property
    def actions(self) -> list[EnhancedAction]:
        return [step.action for step in self.steps if step.action]

    @property
    def errors(self) -> list[LogEntry]:
        return [entry for step in self.steps for entry in step.logs if entry.is_error]

    @property
    def exchanges(self) -> list[NetworkBody]:
        return [exchange for step in self.steps for exchange in step.exchanges]


def build_sessions(recording: Recording) -> list[Session]:
    """One session for each tab in which the user did something, in the order of their beginning."""
    tabs = list(dict.fromkeys(action.tab_id for action in recording.actions))
    if len(tabs) <= 1:
        return [_build_session(recording, tabs[0])] if tabs else []
    return [
        _build_session(recording.keep(lambda record, tab=tab: _is_in(record, tab, tabs)), tab)  # type: ignore[misc]  # mypy reads no default of a lambda
        for tab in tabs
    ]


def _is_in(record: Record, tab: int | None, tabs: Sequence[int | None]) -> bool:
    """Whether a record is of a tab; what names none is taken for the first one's."""
    return record.tab_id == tab or (record.tab_id not in tabs and tab == tabs[0])


def _build_session(recording: Recording, tab_id: int | None) -> Session:
    start_url = _find_start(recording)
    steps = _follow(recording.actions, start_url)
    steps = [_fill(recording, steps, place) for place in range(len(steps))]
    steps[0] = _only_of_page(steps[0], start_url)
    steps = _find_reloads(steps)
    return Session(
        start_url=start_url,
        steps=tuple(_find_landings(steps, start_url)),
        tab_id=tab_id,
        began_ms=recording.actions[0].at_ms,
        ended_ms=recording.actions[-1].at_ms,
    )


def _find_start(recording: Recording) -> str:
    """The page on which the first action was done; of a frame, the page that holds it."""
    first = recording.actions[0]
    if first.frame is not None:
        shown = [snapshot.url for snapshot in recording.snapshots if snapshot.at_ms <= first.at_ms]
        later = [action.url for action in recording.actions if action.frame is None]
        return [first.url, *later[:1], *shown[-1:]][-1]
    return resolve(first.from_url, first.url) if first.type == "navigate" else first.url


def _follow(actions: Sequence[EnhancedAction], start_url: str) -> list[Step]:
    """Steps with the changes of address and the dialogs that the page told of itself."""
    steps = [Step()]
    visited = [start_url]
    last_ms = actions[0].at_ms
    for action in actions:
        if action.type == "navigate":
            if action.frame is None:
                target = resolve(action.to_url, action.url)
                if _is_way_back(target, visited, action.at_ms - last_ms, steps):
                    steps.append(Step(action=action, at_ms=action.at_ms, went_back=True))
                steps[-1] = msgspec.structs.replace(steps[-1], landed=target)
                visited.append(target)
        elif action.type == "dialog":
            dialogs = (*steps[-1].dialogs, action)
            steps[-1] = msgspec.structs.replace(steps[-1], dialogs=dialogs)
        else:
            steps.append(Step(action=action, at_ms=action.at_ms))
        if action.type != "scroll":
            last_ms = action.at_ms
    return steps


def _is_way_back(
    target: str, visited: Sequence[str], quiet_ms: float, steps: Sequence[Step]
) -> bool:
    # Pages scroll by themselves when they change.
    acted = [step for step in steps if step.action is None or step.action.type != "scroll"]
    return (
        acted[-1].landed is not None
        and quiet_ms >= BACK_AFTER_MS
        and len(visited) > 1
        and is_same_page(target, visited[-2])
    )


def _fill(recording: Recording, steps: Sequence[Step], place: int) -> Step:
    """A step with everything captured between it and the next."""
    step = steps[place]
    from_ms = step.at_ms if place else float("-inf")
    until_ms = steps[place + 1].at_ms if place + 1 < len(steps) else float("inf")
    snapshots = _within(recording.snapshots, from_ms, until_ms)
    action_id = step.action.action_id if step.action else None
    return msgspec.structs.replace(
        step,
        exchanges=_within(recording.exchanges, from_ms, until_ms),
        logs=_within(recording.logs, from_ms, until_ms),
        snapshot=snapshots[-1] if snapshots else None,
        pictures=tuple(
            picture
            for picture in recording.pictures
            if (picture.action_id == action_id if picture.action_id and action_id else False)
            or (not picture.action_id and from_ms <= picture.at_ms < until_ms)
        ),
    )


def _within(records: Sequence[R], from_ms: float, until_ms: float) -> tuple[R, ...]:
    return tuple(record for record in records if from_ms <= record.at_ms < until_ms)


def _only_of_page(opening: Step, start_url: str) -> Step:
    """The opening without what other pages did before this one was opened."""
    return msgspec.structs.replace(
        opening,
        exchanges=tuple(
            exchange
            for exchange in opening.exchanges
            if not exchange.page_url or is_same_page(exchange.page_url, start_url)
        ),
        snapshot=opening.snapshot
        if opening.snapshot and is_same_page(opening.snapshot.url, start_url)
        else None,
    )


def _find_reloads(steps: Sequence[Step]) -> list[Step]:
    """Steps with the reloads, of which no page tells: it asks again for what it asked at first."""
    opening = {(exchange.method, exchange.url) for exchange in steps[0].exchanges}
    found: list[Step] = []
    for place, step in enumerate(steps):
        again = [
            exchange.at_ms
            for exchange in step.exchanges
            if (exchange.method, exchange.url) in opening
            and exchange.at_ms - step.at_ms >= BACK_AFTER_MS
        ]
        following = steps[place + 1] if place + 1 < len(steps) else None
        is_reload = again and following and _is_other_document(step, following)
        found += _split(step, again[0]) if is_reload else [step]
    return found


def _is_other_document(step: Step, following: Step) -> bool:
    """Whether the same page counts its actions anew."""
    before, after = step.action, following.action
    if before is None or after is None or step.landed or not is_same_page(before.url, after.url):
        return False
    counts = [(action.action_id or "").rpartition("_")[2] for action in (before, after)]
    return all(count.isdecimal() for count in counts) and int(counts[1]) <= int(counts[0])


def _split(step: Step, at_ms: float) -> list[Step]:
    """A step until a time, and the reload then."""
    snapshot = step.snapshot
    is_of_reload = snapshot is not None and snapshot.at_ms >= at_ms
    inf = float("inf")
    return [
        msgspec.structs.replace(
            step,
            exchanges=_within(step.exchanges, step.at_ms, at_ms),
            logs=_within(step.logs, step.at_ms, at_ms),
            snapshot=None if is_of_reload else snapshot,
        ),
        Step(
            at_ms=at_ms,
            reloaded=True,
            exchanges=_within(step.exchanges, at_ms, inf),
            logs=_within(step.logs, at_ms, inf),
            snapshot=snapshot if is_of_reload else None,
        ),
    ]


def _find_landings(steps: Sequence[Step], start_url: str) -> list[Step]:
    """Steps with the page loads, of which no page tells: the next thing seen was on another."""
    found: list[Step] = []
    here = start_url
    for place, step in enumerate(steps):
        action = step.action
        opened = None
        if action and action.frame is None and not step.went_back:
            opened = None if is_same_page(action.url, here) else action.url
        here = step.landed or opened or here
        landed = _page_load(step, steps[place + 1 :], here)
        here = landed or here
        found.append(
            msgspec.structs.replace(
                step, opened=opened, landed=landed or step.landed, loaded=landed is not None
            )
        )
    return found


def _page_load(step: Step, later: Sequence[Step], here: str) -> str | None:
    """The other page on which the next thing was seen, soon enough to come from this step."""
    seen = _next_seen(step, later)
    if step.action is None or seen is None:
        return None
    at_ms, url = seen
    came_of_it = at_ms - step.at_ms <= PAGE_PATIENCE_MS
    return url if came_of_it and not is_same_page(url, here) else None


def _next_seen(step: Step, later: Sequence[Step]) -> tuple[float, str] | None:
    """When and where the page showed itself after a step."""
    shown = [(step.snapshot.at_ms, step.snapshot.url)] if step.snapshot else []
    acted = next((s.action for s in later if s.action and s.action.frame is None), None)
    if acted is None or acted.type == "navigate":
        return shown[-1] if shown else None
    asked = [(exchange.at_ms, exchange.page_url) for exchange in step.exchanges]
    signs = [sign for sign in (*shown, *asked) if is_same_page(sign[1], acted.url)]
    return min([*signs, (acted.at_ms, acted.url)])
