"""Say how much an answer can be trusted, from what was lost on the way."""

from gasoline.records.health import CaptureFacts, CaptureHealth

_CONNECT = (
    "Open the page with the Gasoline extension on, or with gasoline-ci.js in it, and reload it; "
    "`gasoline doctor` checks the way from there to here."
)
_REPEAT = (
    "Repeat the step in the browser and ask again, or raise the limits (gasoline serve --help)."
)


def judge_capture(facts: CaptureFacts) -> CaptureHealth:
    """An empty answer must never pass for a quiet page: say when nothing could be seen."""
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
