"""The short way in gives the same records as the long one, or steps aside."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gasoline.ingest.entry import Setting, Unusable, read_entry
from gasoline.ingest.plain_logs import read_plain_logs
from gasoline.ingest.streams import LOGS, WEBSOCKET_EVENTS, Stream
from gasoline.store import Arrival
from tests.builders import NOON_MS, log, message

keys = st.sampled_from(
    ["level", "type", "message", "event", "status", "test_id", "testId", "metadata", "tab_id"]
)
values = st.one_of(
    st.none(),
    st.integers(),
    st.sampled_from(["error", "click", "GASOLINE_WEB_VITALS", ""]),
    st.dictionaries(keys, st.text(max_size=3), max_size=2),
)


def setting(*, stream: Stream = LOGS, dirty: bool = False, entry_bytes: int = 10_000) -> Setting:
    return Setting(
        stream=stream,
        dirty=dirty,
        arrived_ms=NOON_MS,
        test_id="mine",
        entry_bytes=entry_bytes,
        test_id_chars=100,
    )


def read(entries: list[dict[str, Any]], how: Setting) -> list[Arrival] | None:
    wires = [msgspec.json.encode(entry) for entry in entries]
    body = msgspec.json.encode({how.stream.list_name: [msgspec.Raw(wire) for wire in wires]})
    return read_plain_logs(wires, body, how)


def test_plain_entries_are_read_at_one_go() -> None:
    entries = [log(level="warn", type="exception", _extra=1), {"level": "log"}]

    assert read(entries, setting()) == [
        read_entry(msgspec.json.encode(entry), setting()) for entry in entries
    ]


@pytest.mark.parametrize(
    "special",
    [
        log(test_id="its own"),
        log(testId="its own"),
        log(metadata={"testId": "its own"}),
        log(tab_id=None),
        log(type="click"),
        log(type="GASOLINE_ENHANCED_ACTION"),
        log(level=3),
        {"message": "no level"},
    ],
)
def test_one_special_entry_sends_the_batch_the_long_way(special: dict[str, Any]) -> None:
    assert read([log(), special], setting()) is None


@pytest.mark.parametrize(
    "how", [setting(dirty=True), setting(entry_bytes=50), setting(stream=WEBSOCKET_EVENTS)]
)
def test_a_batch_that_needs_a_closer_look_goes_the_long_way(how: Setting) -> None:
    assert read([message() if how.stream is WEBSOCKET_EVENTS else log()], how) is None


@given(st.dictionaries(keys, values))
def test_whatever_is_read_the_short_way_reads_the_same_the_long_way(entry: dict[str, Any]) -> None:
    short = read([entry], setting())

    if short is not None:
        assert short == [_read_the_long_way(entry)]


def _read_the_long_way(entry: dict[str, Any]) -> Arrival | None:
    try:
        return read_entry(msgspec.json.encode(entry), setting())
    except Unusable:
        return None
