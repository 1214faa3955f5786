"""Two spellings of every field."""

import json

import pytest

from gasoline.records import EnhancedAction, NetworkBody, PerformanceSnapshot, WebSocketEvent
from gasoline.records.base import Record
from gasoline.records.names import may_hold_snake_case, to_camel_case


@pytest.mark.parametrize(
    ("kind", "sent", "kept"),
    [
        (NetworkBody, {"request_body": "a", "status": 200}, {"requestBody": "a", "status": 200}),
        (NetworkBody, {"has_auth_header": True}, {"hasAuthHeader": True}),
        (WebSocketEvent, {"binary_format": "x", "tab_id": 3}, {"binaryFormat": "x", "tabId": 3}),
        (EnhancedAction, {"selectors": {"test_id": "go"}}, {"selectors": {"testId": "go"}}),
        (
            PerformanceSnapshot,
            {"long_tasks": {"total_blocking_time": 3}, "timing": {"dom_interactive": 1}},
            {"longTasks": {"totalBlockingTime": 3}, "timing": {"domInteractive": 1}},
        ),
    ],
)
def test_snake_case_becomes_camel_case(
    kind: type[Record], sent: dict[str, object], kept: dict[str, object]
) -> None:
    assert to_camel_case(kind, sent) == kept


def test_unknown_fields_keep_their_spelling() -> None:
    sent = {"my_own_field": {"a_b": 1}, "request_headers": {"x_y": "z"}}

    assert to_camel_case(NetworkBody, sent) == {
        "my_own_field": {"a_b": 1},
        "requestHeaders": {"x_y": "z"},
    }


def test_a_record_says_which_test_it_belongs_to_in_the_spelling_of_the_ci_envelope() -> None:
    assert to_camel_case(NetworkBody, {"test_id": "t"}) == {"test_id": "t"}


def test_the_canonical_spelling_wins_when_both_are_sent() -> None:
    sent = {"request_body": "old", "requestBody": "new"}

    assert to_camel_case(NetworkBody, sent) == {"requestBody": "new"}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"bodies": [{"request_body": "x"}]}, True),
        ({"bodies": [{"requestBody": "x"}]}, False),
        ({"bodies": [{"requestBody": json.dumps({"user_id": 1})}]}, False),
    ],
)
def test_only_keys_count_as_snake_case_not_what_bodies_say(
    body: dict[str, object], *, expected: bool
) -> None:
    assert may_hold_snake_case(json.dumps(body).encode()) is expected
