"""Clients that poll for questions and post their answers, on a real server."""

import threading
from typing import Any

import pytest

from tests.extension import answer_of, call_tool
from tests.servers import RunningServer, wait_until


def poll(server: RunningServer) -> list[Any]:
    queries: list[Any] = server.request("GET", "/pending-queries").json["queries"]
    return queries


@pytest.mark.parametrize(
    ("tool", "arguments", "question", "route"),
    [
        ("query_dom", {"selector": "h1"}, ("dom", {"selector": "h1"}), "/dom-result"),
        ("get_page_info", {}, ("page_info", {}), "/dom-result"),
        ("run_accessibility_audit", {"scope": "#a"}, ("a11y", {"scope": "#a"}), "/a11y-result"),
    ],
)
def test_a_polled_question_is_answered_by_post(
    server: RunningServer, tool: str, arguments: Any, question: Any, route: str
) -> None:
    # Who polls is there to be asked.
    poll(server)
    results: list[Any] = []
    asking = threading.Thread(
        target=lambda: results.append(call_tool(server, tool, **arguments, tab_id=7))
    )
    asking.start()
    wait_until(lambda: bool(poll(server)), "the question")
    (asked,) = poll(server)

    taken = server.request("POST", route, {"id": asked["id"], "result": {"url": "http://app/"}})
    late = server.request("POST", route, {"id": asked["id"], "result": {}})
    asking.join()

    assert (asked["type"], asked["params"], asked["tab_id"]) == (*question, 7)
    assert (taken.status, late.status) == (200, 404)
    assert answer_of(results[0])["capture"]["why"] == "Answered live by tab 7."
    assert poll(server) == []
