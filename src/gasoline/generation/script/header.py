"""The first lines of a generated file: what it was made from, and how well that was seen."""

from collections.abc import Sequence

from gasoline.analysis.session import Session
from gasoline.generation.script.address import strip_secrets
from gasoline.generation.script.literal import one_line
from gasoline.records.health import CaptureHealth
from gasoline.records.time import format_time


def write_header(
    sessions: Sequence[Session], capture: CaptureHealth, *, missing_requests: int
) -> tuple[str, ...]:
    """When, how much, where; what was lost; whether several tabs were recorded."""
    actions = sum(len(session.actions) for session in sessions)
    requests = sum(len(session.exchanges) for session in sessions)
    began_ms = min(session.began_ms for session in sessions)
    duration_s = (max(session.ended_ms for session in sessions) - began_ms) / 1000
    counts = f"actions {actions}, requests {requests}, duration {duration_s:.1f} s"
    lines = [
        f"Recorded by Gasoline at {format_time(began_ms)}: {counts}",
        f"Page: {one_line(strip_secrets(sessions[0].start_url)[0], 200)}",
    ]
    why = f": {one_line(capture.why)}" if capture.why else ""
    lines.append(f"Capture: {capture.state}{why}")
    if missing_requests:
        lines.append(
            f"{missing_requests} older requests were no longer kept: nothing is expected of them"
        )
    if len(sessions) > 1:
        lines.append(f"Recorded in {len(sessions)} tabs at once: one test for each of them")
    return tuple(lines)
