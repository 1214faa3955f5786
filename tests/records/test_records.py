"""Reading records back from what was sent."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gasoline.ingest import STREAMS
from gasoline.records import LogEntry, NetworkBody, Record, read_record

SAMPLES = sorted((Path(__file__).parent.parent / "wire_samples").glob("*.json"))
KINDS = {stream.route: (stream.kind, stream.list_name) for stream in STREAMS}

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


def test_every_stream_has_a_wire_sample() -> None:
    sampled = {json.loads(path.read_text())["route"] for path in SAMPLES}

    assert sampled == set(KINDS)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_wire_samples_are_read_strictly(path: Path) -> None:
    sample = json.loads(path.read_text())
    kind, list_name = KINDS[sample["route"]]

    for sent in sample["body"][list_name]:
        msgspec.json.decode(json.dumps(sent), type=kind)


def test_a_field_of_the_wrong_type_falls_back_and_the_others_are_read() -> None:
    wire = b'{"url":"/x","status":"500","requestBody":{"a":1},"duration":42.7}'

    record = read_record(NetworkBody, wire)

    assert record == NetworkBody(url="/x", status=500, duration=42.7)


def test_a_number_beyond_the_range_of_a_float_is_no_reason_to_lose_a_record() -> None:
    record = read_record(LogEntry, b'{"level":"error","message":"m","args":[1e999]}')

    assert (record.level, record.message) == ("error", "m")


@given(
    st.sampled_from([kind for kind, _ in KINDS.values()]),
    st.dictionaries(
        st.sampled_from(["url", "level", "status", "timing", "selectors", "args", "ts", "tabId"]),
        json_values,
    ),
)
def test_any_object_can_be_read_as_any_kind(kind: type[Record], sent: dict[str, Any]) -> None:
    record = read_record(kind, json.dumps(sent).encode("utf-8", "replace"))

    assert isinstance(record, kind)
