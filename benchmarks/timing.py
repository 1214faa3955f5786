"""How long one thing takes, asked often enough to answer for half of all times."""

import time
from collections.abc import Callable
from statistics import median


def median_ms(
    act: Callable[[], object], *, times: int, before: Callable[[], object] | None = None
) -> float:
    """The median duration, `before` each time getting things ready outside the measurement."""
    durations = []
    for _ in range(times):
        if before:
            before()
        started = time.perf_counter()
        act()
        durations.append(time.perf_counter() - started)
    return median(durations) * 1000
