"""How long an agent waits for a judgement of what was captured: API answers and page loads."""

import json
from typing import Any

import msgspec
from mcp_messages import request
from reading import Http
from samples import network_body
from servers import gasoline_server
from table import Row, report
from timing import median_ms

TIMES = 20
BODIES, BODIES_A_BATCH = 100, 20
PAGES, LOADS = 20, 5


def measure(*, times: int = TIMES) -> list[Row]:
    """Each tool over full buffers; validate_api with every body new to it, and with none."""
    with gasoline_server() as server:
        http_client = Http(server.port)
        http_client.fill([("/performance-snapshots", _page_loads())])
        new_ms = median_ms(
            lambda: _ask(http_client, "validate_api", action="analyze"),
            times=times,
            before=lambda: http_client.fill(_bodies()),
        )
        known_ms = median_ms(
            lambda: _ask(http_client, "validate_api", action="analyze"), times=times
        )
        openapi_ms = median_ms(
            lambda: _ask(http_client, "validate_api", action="openapi"), times=times
        )
        load_ms = median_ms(lambda: _ask(http_client, "check_performance"), times=times)
    return [
        _row(f"validate_api, {BODIES} new bodies, p50", new_ms, 50),
        _row("validate_api, nothing new, p50", known_ms, 50),
        _row("validate_api, OpenAPI, p50", openapi_ms, 50),
        _row(f"check_performance, {PAGES} pages, p50", load_ms, 20),
    ]


def _row(what: str, measured: float, budget: float) -> Row:
    return Row(what=what, measured=measured, unit="ms", budget=budget)


def _ask(http_client: Http, tool: str, **arguments: Any) -> None:
    question = request("tools/call", {"name": tool, "arguments": arguments})
    answer, _ = http_client.ask("POST", "/mcp", question)
    assert not json.loads(answer)["result"].get("isError"), answer[:500]


def _bodies() -> list[tuple[str, bytes]]:
    bodies = [network_body(number) for number in range(BODIES)]
    return [
        ("/network-bodies", msgspec.json.encode({"bodies": bodies[first : first + BODIES_A_BATCH]}))
        for first in range(0, BODIES, BODIES_A_BATCH)
    ]


def _page_loads() -> bytes:
    loads = [page_load(number, page) for number in range(LOADS) for page in range(PAGES)]
    return msgspec.json.encode({"snapshots": loads})


def page_load(number: int, page: int) -> dict[str, Any]:
    """A load with every number told, each time a little slower."""
    types = ("script", "css", "img", "font", "fetch", "xmlhttprequest", "link", "other")
    return {
        "url": f"/page-{page}",
        "timing": {
            "load": 500 * (number + 1),
            "domContentLoaded": 300,
            "firstContentfulPaint": 200 * (number + 1),
            "largestContentfulPaint": 400 * (number + 1),
            "timeToFirstByte": 40,
        },
        "network": {
            "requestCount": 40 * (number + 1),
            "transferSize": 900_000 * (number + 1),
            "decodedSize": 2_000_000,
            "byType": {kind: {"count": 5, "size": 100_000 * (number + 1)} for kind in types},
            "slowestRequests": [
                {"url": f"https://shop.example.com/{kind}", "duration": 300, "size": 90_000}
                for kind in types[:3]
            ],
        },
        "longTasks": {"count": number, "totalBlockingTime": 90 * number, "longest": 120},
        "cumulativeLayoutShift": 0.02 * number,
    }


if __name__ == "__main__":
    report(measure())
