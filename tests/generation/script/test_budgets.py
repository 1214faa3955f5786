"""How much a page may take: several times what was seen, and never too little."""

from typing import Any

import pytest

from gasoline.generation.script.budgets import allow
from gasoline.generation.script.plan import Budgets
from gasoline.records import NetworkBody, PerformanceSnapshot, WebSocketEvent
from gasoline.records.performance import LongTasks, NetworkTotals
from gasoline.records.websocket import Sampling

PAGE = "http://app/shop"


def answer(path: str, duration: float | None) -> NetworkBody:
    return NetworkBody(url=f"http://app{path}", duration=duration)


def load(*, longest: float = 0, size: float = 0, url: str = "/shop") -> PerformanceSnapshot:
    network = NetworkTotals(decoded_size=size)
    return PerformanceSnapshot(url=url, network=network, long_tasks=LongTasks(longest=longest))


def received(second: float, **fields: Any) -> WebSocketEvent:
    return WebSocketEvent(event="message", direction="incoming", at_ms=second * 1000, **fields)


def allowed(*seen: NetworkBody | PerformanceSnapshot | WebSocketEvent) -> Budgets:
    return allow(
        [record for record in seen if isinstance(record, NetworkBody)],
        [record for record in seen if isinstance(record, PerformanceSnapshot)],
        [record for record in seen if isinstance(record, WebSocketEvent)],
        pages={PAGE},
    )


def test_of_what_was_not_measured_nothing_is_expected() -> None:
    assert allowed(answer("/a", None)) == Budgets()


def test_what_was_quick_may_take_what_nobody_complains_of() -> None:
    assert allowed(answer("/a", 10), load(longest=20, size=900), received(0)) == Budgets(
        answer_ms=2500, task_ms=350, page_bytes=2_000_000, messages_per_s=100
    )


def test_what_was_slow_or_large_may_be_so_several_times() -> None:
    assert allowed(load(longest=200, size=5e6), load(longest=10)) == Budgets(
        task_ms=1000, page_bytes=15_000_000
    )


@pytest.mark.parametrize(("slowest", "slow"), [(500, ()), (501, ((r"^\/orders\/[^/?#]+$", 2505),))])
def test_an_answer_that_was_slow_already_has_a_budget_of_its_own(
    slowest: float, slow: tuple[tuple[str, int], ...]
) -> None:
    assert allowed(answer("/orders/17", 10), answer("/orders/18", slowest)).slow_answers == slow


def test_other_pages_do_not_count() -> None:
    assert allowed(load(longest=900, url="/admin")).task_ms is None


def test_messages_that_the_capture_skipped_count() -> None:
    skipped = Sampling(skipped=398)

    assert allowed(received(0), received(10, sampled=skipped)).messages_per_s == 200
