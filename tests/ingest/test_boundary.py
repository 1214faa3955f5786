"""Where a test starts and ends, as its runner says."""

from typing import Any

import msgspec
import pytest

from gasoline.ingest import Boundary, RefusedBatch, read_boundary


def read(**sent: Any) -> Boundary:
    body = msgspec.json.encode({"test_id": "t", "action": "end", **sent})
    return read_boundary(body, test_id_chars=10)


def test_a_boundary_needs_an_id_and_an_action() -> None:
    assert read(action="start") == Boundary(test_id="t", action="start")


def test_an_end_may_tell_the_outcome() -> None:
    outcome = {"status": "failed", "duration_ms": 12, "message": "no", "attempt": 2}

    assert read(**outcome) == Boundary(
        test_id="t", action="end", status="failed", duration_ms=12.0, message="no", attempt=2
    )


def test_camel_case_is_read_as_well() -> None:
    body = b'{"testId":"t","action":"end","durationMs":1.5}'

    assert read_boundary(body, test_id_chars=10) == Boundary(
        test_id="t", action="end", duration_ms=1.5
    )


@pytest.mark.parametrize(
    "nonsense",
    [
        {"attempt": 0},
        {"attempt": -1},
        {"attempt": "two"},
        {"attempt": True},
        {"attempt": 1.5},
        {"attempt": 10_001},
        {"status": 7},
        {"duration_ms": "long"},
        {"message": ["no"]},
        {"unknown": {}},
    ],
    ids=repr,
)
def test_an_optional_field_that_makes_no_sense_is_left_out(nonsense: dict[str, Any]) -> None:
    assert read(**nonsense) == Boundary(test_id="t", action="end")


def test_a_message_holds_no_secret_and_ends_somewhere() -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"

    message = read(message=f"Expected {secret} " + "x" * 100_000).message

    assert message is not None
    assert secret not in message
    assert len(message) == 4096


def test_a_status_ends_somewhere() -> None:
    assert read(status="failed" * 1000).status == ("failed" * 1000)[:40]


def test_a_title_cut_within_an_emoji_is_no_reason_to_refuse() -> None:
    body = rb'{"test_id":"cut \ud83d","action":"start"}'

    assert read_boundary(body, test_id_chars=10).test_id == "cut \ufffd"


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        ({"test_id": None}, "test_id is required"),
        ({"test_id": ""}, "test_id is required"),
        ({"test_id": "x" * 11}, "test_id is longer than 10 characters"),
        ({"action": None}, "action must be 'start' or 'end'"),
        ({"action": "START"}, "action must be 'start' or 'end'"),
        ({"action": {}}, "action must be 'start' or 'end'"),
    ],
)
def test_what_a_boundary_cannot_do_without_is_asked_for(sent: dict[str, Any], reason: str) -> None:
    with pytest.raises(RefusedBatch) as refused:
        read(**sent)

    assert (refused.value.reason, refused.value.status) == (reason, 400)


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff", b"null", b'{"a":' * 100_000])
def test_what_is_no_object_is_not_read(body: bytes) -> None:
    with pytest.raises(RefusedBatch, match="Invalid JSON"):
        read_boundary(body, test_id_chars=10)
