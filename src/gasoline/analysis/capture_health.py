"""Say how much an answer can be trusted, from what was lost on the way."""

from collections.abc import Iterable

from gasoline.records import LogEntry
from gasoline.records.console import CAPTURE_NOTE
from gasoline.records.health import CaptureFacts, CaptureHealth

_WORST_FIRST = ("blind", "partial", "complete")

_CONNECT = (
    "Open the page with the Gasoline extension on, or with gasoline-ci.js in it, and reload it; "
    "`gasoline doctor` checks the way from there to here."
)
_REPEAT = (
    "Repeat the step in the browser and ask again, or raise the limits (gasoline serve --help)."
)


def judge_capture(facts: CaptureFacts) -> CaptureHealth:
    """An empty answer must never pass for a quiet page: say when nothing could be seen."""
    return add_admissions(_judge_losses(facts), facts.admitted)


def _judge_losses(facts: CaptureFacts) -> CaptureHealth:
    if not facts.anything_received:
        return CaptureHealth(
            state="blind", why="No browser has sent anything to this server yet.", next=_CONNECT
        )
    losses = _describe_losses(facts)
    unverified = facts.senders == 0
    if losses:
        return CaptureHealth(
            state="partial", why="; ".join(losses) + ".", next=_REPEAT, unverified=unverified
        )
    return CaptureHealth(state="complete", unverified=unverified)


def add_admissions(health: CaptureHealth, logs: Iterable[LogEntry]) -> CaptureHealth:
    """What drivers admitted about their browsers counts beside what the server noticed itself."""
    admitted = [
        entry for entry in logs if entry.type == CAPTURE_NOTE and entry.capture in _WORST_FIRST[:2]
    ]
    if not admitted:
        return health
    state = min(health.state, *(entry.capture for entry in admitted), key=_WORST_FIRST.index)
    reasons = [_reason_of(entry) for entry in admitted] + [health.why]
    advice = [entry.metadata.get("next") for entry in admitted] + [health.next]
    return CaptureHealth(
        state=state,
        why="; ".join(_each_once(reasons)),
        next=" ".join(_each_once(advice)) or (_CONNECT if state == "blind" else _REPEAT),
        unverified=health.unverified,
    )


def _reason_of(entry: LogEntry) -> str:
    return entry.message.removeprefix(f"[gasoline] Capture is {entry.capture}: ")


def _each_once(texts: Iterable[object]) -> list[str]:
    return list(dict.fromkeys(text for text in texts if isinstance(text, str) and text))


def _describe_losses(facts: CaptureFacts) -> list[str]:
    counted = [
        (facts.missing_batches, "{} sent by a page never arrived", "batch", "batches"),
        (facts.dropped_by_senders, "{} dropped in the page before sending", "event", "events"),
        (facts.evicted, "{} pushed out by newer ones", "older record", "older records"),
        (facts.rejected, "{} refused as unusable", "entry", "entries"),
    ]
    return [
        text.format(f"{count} {one if count == 1 else many}")
        for count, text, one, many in counted
        if count
    ]
