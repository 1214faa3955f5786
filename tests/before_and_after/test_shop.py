"""The journey of a fix: something is broken, something is changed, the same steps again."""

import http.client
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tests.servers import LOOPBACK, PATIENCE_S, wait_until
from tests.visits.visit import Visit

PRODUCT = "/products/101"


def look_at_product(visit: Visit) -> None:
    """Open the product's page and stay until everything about it has been captured."""
    visit.page.goto(f"{visit.shop.url}{PRODUCT}")
    visit.page.wait_for_load_state("networkidle")
    visit.page.evaluate("__gasoline.flush()")


def start(visit: Visit) -> str:
    session_id: str = visit.ask("verify_fix", action="start")["session_id"]
    return session_id


def watch(visit: Visit, session_id: str) -> None:
    visit.ask("verify_fix", action="watch", session_id=session_id)


def compare(visit: Visit, session_id: str) -> dict[str, Any]:
    return visit.ask("verify_fix", action="compare", session_id=session_id)


def test_a_fault_that_is_gone_is_fixed_and_why(visit: Visit) -> None:
    visit.shop.switch(on=["null-field"])
    look_at_product(visit)
    session_id = start(visit)

    visit.shop.switch(off=["null-field"])
    watch(visit, session_id)
    look_at_product(visit)
    answer = compare(visit, session_id)

    assert answer["result"]["verdict"] == "fixed"
    assert answer["summary"].startswith("Fixed: ")
    assert "reading 'amount'" in answer["summary"]
    assert answer["capture"]["state"] == "complete"


def test_another_fault_instead_is_a_different_issue(visit: Visit) -> None:
    visit.shop.switch(on=["null-field"])
    look_at_product(visit)
    session_id = start(visit)

    visit.shop.switch(off=["null-field"], on=["unhandled-rejection"])
    watch(visit, session_id)
    look_at_product(visit)
    answer = compare(visit, session_id)

    assert answer["result"]["verdict"] == "different_issue"
    assert answer["result"]["new_issues"]


def test_a_visit_elsewhere_exercises_nothing(visit: Visit) -> None:
    visit.shop.switch(on=["null-field"])
    look_at_product(visit)
    session_id = start(visit)

    visit.shop.switch(off=["null-field"])
    watch(visit, session_id)
    visit.page.goto(f"{visit.shop.url}/wishlist")
    visit.page.wait_for_load_state("networkidle")
    visit.page.evaluate("__gasoline.flush()")
    answer = compare(visit, session_id)

    assert answer["result"]["verdict"] == "not_exercised"
    assert answer["result"]["not_observed"]


def test_a_page_that_is_fixed_but_slower_says_both(visit: Visit) -> None:
    visit.shop.switch(on=["null-field"])
    look_at_product(visit)
    wait_for_loads(visit, PRODUCT, 1)
    session_id = start(visit)

    visit.shop.switch(off=["null-field"])
    slow_down(visit)
    watch(visit, session_id)
    look_at_product(visit)
    wait_for_loads(visit, PRODUCT, 2)
    answer = compare(visit, session_id)

    assert answer["result"]["verdict"] == "fixed"
    assert answer["result"]["performance_diff"]["change"].startswith("+")
    assert "The page loads in" in answer["summary"]


def test_sessions_are_told_apart_by_what_they_asked_and_got(visit: Visit) -> None:
    look_at_product(visit)
    visit.ask("diff_sessions", action="capture", name="well")
    visit.server.request("POST", "/clear", {})

    visit.shop.switch(on=["null-field", "missing-field"])
    look_at_product(visit)
    answer = visit.ask("diff_sessions", action="compare", compare_a="well", compare_b="current")

    assert answer["summary"]["verdict"] == "regressed"
    changed = {change["url"]: change for change in answer["diff"]["network"]["shape_changes"]}
    assert PRODUCT in " ".join(changed)
    assert any("reading 'amount'" in error["message"] for error in answer["diff"]["errors"]["new"])


def test_a_fault_is_told_while_the_page_is_used(visit: Visit) -> None:
    visit.shop.switch(on=["null-field"])

    with listening(visit) as next_events:
        look_at_product(visit)
        told = next_events()

    assert any(one["category"] == "errors" and "reading 'amount'" in one["message"] for one in told)


def test_clicking_a_dead_button_again_and_again_is_told(visit: Visit) -> None:
    visit.shop.switch(on=["dead-button"])
    look_at_product(visit)

    with listening(visit, "?events=user_frustration") as next_events:
        for _ in range(3):
            visit.page.get_by_role("button", name="Add to cart").click()
        visit.page.evaluate("__gasoline.flush()")
        told = next_events()

    assert {one["category"] for one in told} == {"user_frustration"}
    assert any(one["message"].startswith("Repeated clicks on add-to-cart") for one in told)


@contextmanager
def listening(visit: Visit, query: str = "") -> Iterator[Callable[[], list[dict[str, Any]]]]:
    """What gives the events of the next notification."""
    connection = http.client.HTTPConnection(LOOPBACK, visit.server.port, timeout=PATIENCE_S)
    connection.request("GET", f"/events/stream{query}")
    stream = connection.getresponse()

    def next_events() -> list[dict[str, Any]]:
        event = next(json.loads(line[6:]) for line in stream if line.startswith(b"data: "))
        return [event, *event.get("events", [])]

    yield next_events
    connection.close()


def slow_down(visit: Visit) -> None:
    """Every answer takes longer, whatever else the machine does."""
    line = visit.page.context.new_cdp_session(visit.page)
    conditions = {"latency": 400, "downloadThroughput": -1, "uploadThroughput": -1}
    line.send("Network.enable")
    line.send("Network.emulateNetworkConditions", {"offline": False, **conditions})


def wait_for_loads(visit: Visit, path: str, count: int) -> None:
    def seen() -> bool:
        told = visit.server.request("GET", f"/performance-snapshot?url={path}").json
        return bool(told["baseline"]) and told["baseline"]["sampleCount"] >= count

    wait_until(seen, f"{count} loads of {path}")
