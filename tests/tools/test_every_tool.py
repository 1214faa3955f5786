"""Rules that hold for every tool, found by itself."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from gasoline.ingest import Ingest
from gasoline.store import Store
from gasoline.surfaces.mcp.answering import answer_call
from gasoline.surfaces.mcp.protocol import describe
from gasoline.tools.registry import Tool, all_tools
from tests.builders import (
    action,
    exchange,
    ingest,
    log,
    message,
    send_actions,
    send_events,
    send_exchanges,
    send_logs,
    store,
)
from tests.tools.asking import ask, call, context_of

TOOLS = list(all_tools().values())
LISTINGS = {
    "get_browser_errors": "errors",
    "get_browser_logs": "logs",
    "get_network_bodies": "network_bodies",
    "get_websocket_events": "websocket_events",
    "get_enhanced_actions": "enhanced_actions",
}
# They ask the page that is open now, so they need what no store has; each has its own tests.
LIVE = {"query_dom", "get_page_info", "run_accessibility_audit", "capture_screenshot"}
REQUIRED = {
    "query_dom": {"selector": "h1"},
    "verify_fix": {"action": "start"},
    "diff_sessions": {"action": "list"},
    "validate_api": {"action": "analyze"},
}
BYTES_PER_TOKEN = 4

every_tool = pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
every_stored_tool = pytest.mark.parametrize(
    "tool", [tool for tool in TOOLS if tool.name not in LIVE], ids=lambda tool: tool.name
)
every_listing = pytest.mark.parametrize("name", LISTINGS)


def full_store() -> Store:
    """Every ring full of records as large as real ones get."""
    into = ingest()
    hostile = "\u202eevil\u200b\x1b[31m"
    for number in range(1100):
        send_logs(
            into,
            # In letters: messages that differ in numbers only are one error.
            log(
                message=f"{chr(0x4E00 + number)} {hostile} {'x' * 300}",
                stack="at a\n" * 50,
                tabId=number % 2,
            ),
        )
    for number in range(120):
        body = json.dumps({"rows": ["y" * 50] * 200})
        send_exchanges(
            into, exchange(url=f"http://app/api/{number}", responseBody=body, tabId=number % 2)
        )
    for number in range(25):
        send_events(into, message(event="open", id=f"ws-{number}", url="ws://app/" + "f" * 100))
    for number in range(600):
        data = json.dumps({"n": number, "text": "z" * 300})
        send_events(into, message(id=f"ws-{number % 25}", data=data, tabId=number % 2))
    for number in range(60):
        selectors = {"cssPath": "div > " * 30, "text": "Pay"}
        send_actions(into, action(selectors=selectors, value="v" * 90, tabId=number % 2))
    return into.store


@pytest.fixture(scope="module")
def full() -> Store:
    return full_store()


def fill_one_of_each(into: Ingest, **fields: Any) -> None:
    send_logs(into, log(**fields))
    send_exchanges(into, exchange(**fields))
    send_events(into, message(**fields))
    send_actions(into, action(**fields))


@every_tool
def test_module_function_and_tool_share_one_name(tool: Tool) -> None:
    assert tool.function.__module__ == f"gasoline.tools.{tool.name}"


@every_tool
def test_the_description_is_a_sentence_for_the_caller(tool: Tool) -> None:
    assert tool.description.endswith(".")
    assert len(tool.description) < 300


@every_tool
def test_every_parameter_has_a_type_and_nothing_else_is_taken(tool: Tool) -> None:
    schema = tool.input_schema()

    assert schema["additionalProperties"] is False
    for name, parameter in schema["properties"].items():
        assert "type" in parameter or "enum" in parameter, name
        assert "null" not in json.dumps(parameter), name


def test_the_whole_list_leaves_room_for_the_tools_to_come() -> None:
    listed = [describe(tool).model_dump(by_alias=True, exclude_none=True) for tool in TOOLS]

    tokens = len(json.dumps(listed)) / BYTES_PER_TOKEN

    # 21 tools share 5,000 tokens.
    assert tokens < 5000 * len(TOOLS) / 21


@every_tool
def test_an_unknown_parameter_is_named_with_the_known_ones(tool: Tool) -> None:
    answer = call(store(), tool.name, nonsense=1)

    assert answer.is_error
    assert answer.text.startswith("nonsense: ")


@every_tool
@pytest.mark.parametrize("wrong", [[], {}, "many", -5, 10**12])
def test_a_wrong_argument_gets_an_error_that_names_the_parameter(tool: Tool, wrong: Any) -> None:
    bounded = [
        name
        for name in ("limit", "last_n", "max_tokens")
        if name in tool.input_schema()["properties"]
    ]

    for name in bounded:
        answer = call(store(), tool.name, **{name: wrong})

        assert answer.is_error
        assert answer.text.startswith(f"{name}: "), answer.text


@every_stored_tool
def test_null_means_left_out(tool: Tool) -> None:
    arguments = dict.fromkeys(tool.input_schema()["properties"])

    assert not call(store(), tool.name, **arguments | REQUIRED.get(tool.name, {})).is_error


@every_tool
def test_an_answer_from_full_rings_stays_within_four_thousand_tokens(
    full: Store, tool: Tool, tmp_path: Path
) -> None:
    if not tool.read_only:
        return

    context = context_of(full, generated=tmp_path)
    text = asyncio.run(answer_call(context, tool.name, REQUIRED.get(tool.name, {}))).text

    assert len(text.encode()) / BYTES_PER_TOKEN < 4000


@every_tool
def test_no_answer_carries_hidden_or_steering_characters(full: Store, tool: Tool) -> None:
    if not tool.read_only:
        return

    text = call(full, tool.name).text

    assert not set(text) & set("\u202e\u200b\x1b\x00")
    assert "\\u001b" not in text


@every_stored_tool
def test_a_server_that_saw_nothing_says_blind_and_what_to_do(tool: Tool) -> None:
    if not tool.read_only:
        return

    answer = ask(store(), tool.name)

    assert answer["capture"]["state"] == "blind"
    assert answer["capture"]["next"]


@pytest.mark.parametrize("name", sorted(LIVE))
def test_a_live_tool_says_at_once_that_no_page_is_connected_and_what_to_do(name: str) -> None:
    nulls = dict.fromkeys(all_tools()[name].input_schema()["properties"])

    answer = call(store(), name, **nulls | REQUIRED.get(name, {}))

    assert answer.is_error
    assert answer.text.startswith("No page is connected")
    assert "`gasoline doctor`" in answer.text


@every_listing
def test_conclusion_then_capture_then_evidence(name: str) -> None:
    into = ingest()
    fill_one_of_each(into)

    answer = ask(into.store, name)

    assert list(answer) == ["summary", "capture", LISTINGS[name]]
    assert answer["capture"] == {"state": "complete", "unverified": True}
    assert len(answer[LISTINGS[name]]) == 1


@every_listing
def test_what_was_evicted_makes_an_answer_partial(full: Store, name: str) -> None:
    capture = ask(full, name)["capture"]

    assert capture["state"] == "partial"
    assert "older records" in capture["why"]


@every_listing
def test_paging_back_by_sequence_number_shows_everything_exactly_once(
    full: Store, name: str
) -> None:
    first = ask(full, name)
    matched = len(first[LISTINGS[name]]) + first["omitted"]
    seen: list[int] = []
    answer = first
    while page := [item["seq"] for item in answer[LISTINGS[name]]]:
        seen += page
        answer = ask(full, name, before_seq=min(page))

    assert f"before_seq={min(item['seq'] for item in first[LISTINGS[name]])}" in first["next"]
    assert len(seen) == len(set(seen)) == matched


@every_listing
def test_after_seq_shows_only_what_is_new(name: str) -> None:
    into = ingest()
    fill_one_of_each(into)
    watermark = into.store.last_seq
    fill_one_of_each(into)

    answer = ask(into.store, name, after_seq=watermark)

    assert len(answer[LISTINGS[name]]) == 1
    assert answer[LISTINGS[name]][0]["seq"] > watermark


@every_listing
@pytest.mark.parametrize(
    ("fields", "arguments"),
    [
        ({"url": "http://app/wanted"}, {"url": "wanted"}),
        ({"tabId": 7}, {"tab_id": 7}),
        ({"test_id": "t"}, {"test_id": "t"}),
    ],
)
def test_records_are_filtered(name: str, fields: dict[str, Any], arguments: dict[str, Any]) -> None:
    into = ingest()
    fill_one_of_each(into)
    fill_one_of_each(into, **fields)

    answer = ask(into.store, name, **arguments)

    assert [item.get(next(iter(fields))) for item in answer[LISTINGS[name]]] == list(
        fields.values()
    )


@every_listing
def test_a_larger_budget_shows_more(full: Store, name: str) -> None:
    usual, larger = call(full, name), call(full, name, max_tokens=20_000)

    assert len(usual.text) < len(larger.text)


def test_a_single_huge_record_is_shortened_to_fit() -> None:
    into = ingest()
    send_exchanges(into, exchange(responseBody="b" * 16_384, requestBody="r" * 8192))

    answer = ask(into.store, "get_network_bodies", max_tokens=500)

    (shown,) = answer["network_bodies"]
    assert shown["responseBody"].endswith(" more]")
    assert len(json.dumps(answer)) / BYTES_PER_TOKEN < 500
