"""Into the store: read, redacted, tagged, acknowledged, or refused with a reason."""

import contextlib
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gasoline.ingest import STREAMS, RefusedBatch, Stream
from gasoline.ingest.ingest import DOCTOR
from gasoline.ingest.streams import LOGS, NETWORK_BODIES, PERFORMANCE_SNAPSHOTS
from gasoline.records import EnhancedAction, LogEntry, NetworkBody, PerformanceSnapshot, Record
from gasoline.store import Limits, Store
from tests.builders import (
    NOON_MS,
    Clock,
    action,
    exchange,
    ingest,
    log,
    messages_in,
    send,
    send_actions,
    send_exchanges,
    send_logs,
    store,
)

SAMPLES = Path(__file__).parent.parent / "wire_samples"


def kept_in(of: Store, kind: type[Record] = LogEntry) -> list[dict[str, Any]]:
    return [json.loads(kept.written()) for kept in of.oldest(kind)]


@pytest.mark.parametrize("stream", STREAMS, ids=lambda stream: stream.route)
def test_wire_samples_come_back_with_every_field_they_were_sent_with(stream: Stream) -> None:
    sample = json.loads((SAMPLES / f"{stream.route[1:].replace('-', '_')}.json").read_text())
    into = ingest(store(Limits()))

    receipt = send(into, stream, *sample["body"][stream.list_name])

    assert receipt.rejected == 0
    assert kept_in(into.store, stream.kind) == sample["body"][stream.list_name]


def test_unknown_fields_are_kept_bit_for_bit() -> None:
    into = ingest()
    sent = log(custom={"deep": [1, {"a": None}]}, big=12345678901234567890, float=1.50, empty="")

    send_logs(into, sent)

    assert kept_in(into.store) == [sent]


def test_a_record_without_a_time_gets_that_of_its_arrival() -> None:
    into = ingest()

    send_exchanges(into, {"url": "/api"})

    assert kept_in(into.store, NetworkBody) == [{"ts": "2026-03-01T12:00:00.000Z", "url": "/api"}]


def test_snake_case_comes_back_as_camel_case() -> None:
    into = ingest()

    send_exchanges(
        into, exchange(response_body="{}", has_auth_header=False, ts=NOON_MS, my_own_field=1)
    )
    send_logs(into, log(tab_id=7))

    (body,) = kept_in(into.store, NetworkBody)
    assert body == exchange(responseBody="{}", hasAuthHeader=False, ts=NOON_MS, my_own_field=1)
    assert kept_in(into.store) == [log(tabId=7)]


@pytest.mark.parametrize(
    "sent",
    [
        log(test_id="t"),
        log(testId="t"),
        log(metadata={"testId": "t"}),
        log(metadata={"test_id": "t", "other": 1}),
    ],
)
def test_a_record_s_own_test_id_wins(sent: dict[str, Any]) -> None:
    into = ingest()
    into.store.start_test("running")

    into.take(LOGS, msgspec.json.encode({"entries": [sent], "test_id": "batch"}), test_id="header")

    (kept,) = into.store.oldest(LogEntry)
    assert kept.test_id == "t"
    assert json.loads(kept.written())["test_id"] == "t"


def test_after_its_own_the_batch_s_then_the_request_s_then_the_running_test_s_id_counts() -> None:
    into = ingest()
    into.store.start_test("running")

    into.take(LOGS, msgspec.json.encode({"entries": [log()], "test_id": "batch"}), test_id="header")
    into.take(LOGS, msgspec.json.encode({"entries": [log()]}), test_id="header")
    into.take(LOGS, msgspec.json.encode({"entries": [log()]}))

    tagged = [kept.test_id for kept in into.store.oldest(LogEntry)]
    assert tagged == ["batch", "header", "running"]


@pytest.mark.parametrize(("length", "tagged"), [(4096, True), (4097, False)])
def test_test_ids_up_to_4096_characters_are_taken(length: int, *, tagged: bool) -> None:
    into = ingest()

    send_logs(into, log(test_id="x" * length))

    (kept,) = into.store.oldest(LogEntry)
    assert (kept.test_id is not None) is tagged


@pytest.mark.parametrize("stream", STREAMS, ids=lambda stream: stream.route)
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"nonsense",
        b"[]",
        b"5",
        b"{}",
        b'{"%s":null}',
        b'{"%s":{}}',
        b'{"%s":[{"url":"/","level":"error"},5]}',
        b'{"%s":[null]}',
        b'{"%s":[[]]}',
        b'{"%s":[{"level":"error"}]',
        b'{"%s":[{"a":"\xff"}]}',
        b'{"%s":[{"a":NaN}]}',
        b'{"%s":[' + b"[" * 100_000,
    ],
)
def test_a_body_that_is_no_list_of_objects_is_refused_whole(stream: Stream, body: bytes) -> None:
    into = ingest()

    with pytest.raises(RefusedBatch):
        into.take(stream, body.replace(b"%s", stream.list_name.encode()))

    assert into.store.last_seq == 0


def test_an_entry_that_breaks_a_rule_is_rejected_and_its_neighbours_are_kept() -> None:
    into = ingest()

    receipt = send_logs(into, log(message="one"), {}, {"irrelevant": 1}, log(message="two"))

    assert (receipt.received, receipt.rejected) == (2, 2)
    assert receipt.reason == "an entry needs level, message, args or type"
    assert messages_in(into.store) == ["one", "two"]


@pytest.mark.parametrize(("excess", "received"), [(0, 1), (1, 0)])
def test_an_entry_may_be_one_mebibyte_and_no_more(excess: int, received: int) -> None:
    into = ingest()
    frame = len(msgspec.json.encode(log(message="")))

    receipt = send_logs(into, log(message="x" * (1024 * 1024 - frame + excess)))

    assert receipt.received == received


def test_levels_nobody_knows_are_stored_as_sent() -> None:
    into = ingest()

    send_logs(into, log(level="fatal"), log(level=7))

    assert [entry["level"] for entry in kept_in(into.store)] == ["fatal", 7]


def test_half_of_a_surrogate_pair_costs_one_character_not_the_batch() -> None:
    into = ingest()

    into.take(LOGS, b'{"entries":[{"level":"log","message":"cut \\ud83d"},{"level":"log"}]}')

    assert [entry.get("message") for entry in kept_in(into.store)] == ["cut \ufffd", None]


def test_actions_and_vitals_in_the_log_queue_go_to_their_own_rings() -> None:
    into = ingest()

    receipt = send_logs(
        into,
        {"type": "GASOLINE_ENHANCED_ACTION", "payload": action()},
        action(type="input", value="a"),
        {"type": "GASOLINE_WEB_VITALS", "url": "/home", "timing": {"load": 5}},
        log(),
    )

    assert receipt.received == 4
    assert [entry["type"] for entry in kept_in(into.store, EnhancedAction)] == ["click", "input"]
    assert [entry["url"] for entry in kept_in(into.store, PerformanceSnapshot)] == ["/home"]
    assert len(kept_in(into.store)) == 1


def test_secrets_never_reach_the_store() -> None:
    into = ingest()

    send_logs(into, log(message="login", args=[{"password": "hunter2hunter2"}]))
    send_exchanges(
        into,
        exchange(
            url="http://app/api?access_token=abcdef123456",
            requestBody='{"password":"hunter2hunter2"}',
            requestHeaders={"Authorization": "Bearer abcdefghijklmnop"},
        ),
    )
    send_actions(into, action(type="input", inputType="password", value="hunter2hunter2"))

    stored = b"".join(
        kept.wire
        for kind in (LogEntry, NetworkBody, EnhancedAction)
        for kept in into.store.oldest(kind)
    )
    assert b"hunter2" not in stored
    assert b"abcdef" not in stored
    (typed,) = kept_in(into.store, EnhancedAction)
    (body,) = kept_in(into.store, NetworkBody)
    assert typed["value"] == "[redacted]"
    assert body["requestHeaders"] == {"Authorization": "[REDACTED]"}
    assert "[redacted:password:***]" in body["requestBody"]


def test_a_numbered_batch_is_acknowledged_and_a_repeated_one_not_stored_twice() -> None:
    into = ingest()

    first = send_logs(into, log(), sender="page", batch=1, dropped=0)
    again = send_logs(into, log(), sender="page", batch=1, dropped=0)

    assert (first.ack, again.ack, again.duplicate) == (1, 1, True)
    assert len(kept_in(into.store)) == 1


@pytest.mark.parametrize("number", [0, -1, 1.5, True, "1", None, 2**60])
def test_a_number_that_counts_nothing_leaves_the_batch_unnumbered(number: Any) -> None:
    into = ingest()

    receipts = [send_logs(into, log(), sender="page", batch=number) for _ in range(2)]

    assert [receipt.ack for receipt in receipts] == [None, None]
    assert len(kept_in(into.store)) == 2


def test_gaps_and_drops_are_known_for_the_capture_health() -> None:
    into = ingest()

    send_logs(into, log(), sender="page", batch=1)
    send_logs(into, log(), sender="page", batch=3, dropped=4)

    facts = into.store.capture_facts(LogEntry)
    assert (facts.missing_batches, facts.dropped_by_senders, facts.senders) == (1, 4, 1)


def test_the_doctor_s_probe_is_no_browser() -> None:
    into = ingest()

    send_logs(into, log(), sender=DOCTOR)
    assert not into.store.capture_facts().anything_received

    send_logs(into, log())
    assert into.store.capture_facts().anything_received


def test_a_sender_over_its_rate_is_refused_and_the_refused_batch_may_come_again() -> None:
    clock = Clock()
    into = ingest(store(clock=clock), events_per_second=2)
    batch = {"sender": "page", "batch": 1}

    send_exchanges(into, exchange(), exchange(), sender="page", batch=2)
    with pytest.raises(RefusedBatch) as refused:
        send_exchanges(into, exchange(), **batch)
    send_exchanges(into, exchange(), sender="another")
    clock.advance(seconds=1)
    receipt = send_exchanges(into, exchange(), **batch)

    assert refused.value.status == 429
    assert (receipt.received, receipt.duplicate) == (1, False)


def test_logs_are_never_rate_limited() -> None:
    into = ingest(events_per_second=1)

    receipt = send_logs(into, *[log()] * 50)

    assert receipt.received == 50


def test_the_older_performance_route_takes_one_snapshot() -> None:
    into = ingest()

    into.take_single_snapshot(b'{"url":"/home","timing":{"load":5}}')

    assert [entry["url"] for entry in kept_in(into.store, PerformanceSnapshot)] == ["/home"]
    for bad in (b"[]", b"{},{}", b"5", b"", b"{"):
        with pytest.raises(RefusedBatch):
            into.take_single_snapshot(bad)


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(st.sampled_from(STREAMS), st.binary(max_size=300))
def test_any_bytes_are_taken_or_refused(stream: Stream, body: bytes) -> None:
    into = ingest()

    with contextlib.suppress(RefusedBatch):
        into.take(stream, body)

    assert into.store.last_seq == sum(into.store.count(each.kind) for each in STREAMS)


@given(
    st.sampled_from(STREAMS),
    st.lists(
        st.dictionaries(
            st.sampled_from(
                ["level", "type", "url", "event", "ts", "metadata", "status", "test_id"]
            )
            | st.text(max_size=5),
            json_values,
            max_size=6,
        ),
        max_size=5,
    ),
)
def test_any_objects_are_counted_one_by_one_and_can_be_read_back(
    stream: Stream, entries: list[dict[str, Any]]
) -> None:
    into = ingest()

    receipt = into.take(stream, json.dumps({stream.list_name: entries}).encode())

    assert receipt.received + (receipt.rejected or 0) == len(entries)
    for kind in {stream.kind for stream in STREAMS}:
        for kept in into.store.oldest(kind):
            assert isinstance(json.loads(kept.written()), dict)
            assert isinstance(kept.read(kind), kind)


def test_streams_name_what_they_take() -> None:
    assert {NETWORK_BODIES.list_name, PERFORMANCE_SNAPSHOTS.list_name} == {"bodies", "snapshots"}
    assert len({stream.route for stream in STREAMS}) == len(STREAMS)
