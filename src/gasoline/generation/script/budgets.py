"""How much a page may take when its test runs: several times what was seen, never too little."""

import re
from collections.abc import Collection, Sequence

from gasoline.analysis.endpoint import path_of, path_template
from gasoline.generation.script.address import ANY_SEGMENT
from gasoline.generation.script.literal import pattern_of
from gasoline.generation.script.plan import Budgets
from gasoline.records import NetworkBody, PerformanceSnapshot, WebSocketEvent

# A test may run on a slower, busier machine than the one it was recorded on.
SLOWER = 5
LARGER = 3
# Below these nobody complains, however little it was before.
FINE_ANSWER_MS = 2_500
FINE_TASK_MS = 350
FINE_PAGE_BYTES = 2_000_000
FINE_MESSAGES_PER_S = 100
# As templates of paths write it.
ID = re.compile(r":id\b")


def allow(
    exchanges: Sequence[NetworkBody],
    loads: Sequence[PerformanceSnapshot],
    socket_events: Sequence[WebSocketEvent],
    *,
    pages: Collection[str],
) -> Budgets:
    """Budgets for what was measured; of what was not, nothing can be expected."""
    paths = {path_of(url) for url in pages}
    seen = [load.without_nonsense() for load in loads if path_of(load.url) in paths]
    tasks_ms = [load.long_tasks.longest for load in seen if load.long_tasks]
    sizes = [load.network.decoded_size for load in seen if load.network.decoded_size]
    received = [event for event in socket_events if _is_received(event)]
    return Budgets(
        answer_ms=FINE_ANSWER_MS if any(e.duration is not None for e in exchanges) else None,
        slow_answers=_slow_answers(exchanges),
        task_ms=_allow(tasks_ms, SLOWER, FINE_TASK_MS),
        page_bytes=_allow(sizes, LARGER, FINE_PAGE_BYTES),
        messages_per_s=_allow([_rate(received)] if received else [], SLOWER, FINE_MESSAGES_PER_S),
    )


def _slow_answers(exchanges: Sequence[NetworkBody]) -> tuple[tuple[str, int], ...]:
    slowest: dict[str, float] = {}
    for exchange in exchanges:
        path = path_template(exchange.url)
        slowest[path] = max(slowest.get(path, 0), (exchange.duration or 0) * SLOWER)
    return tuple(
        (f"^{ID.sub(ANY_SEGMENT, pattern_of(path))}$", round(allowed_ms))
        for path, allowed_ms in slowest.items()
        if allowed_ms > FINE_ANSWER_MS
    )


def _allow(seen: Sequence[float], factor: int, fine: int) -> int | None:
    return max(fine, round(max(seen) * factor)) if seen else None


def _is_received(event: WebSocketEvent) -> bool:
    return event.event == "message" and event.direction == "incoming"


def _rate(received: Sequence[WebSocketEvent]) -> float:
    """Messages a second, those counted that the capture skipped."""
    skipped = sum(event.sampled.skipped for event in received if event.sampled)
    times_ms = [event.at_ms for event in received]
    return (len(received) + skipped) / max(1.0, (max(times_ms) - min(times_ms)) / 1000)
