"""What follows an error through the log queue."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gasoline.ingest import Ingest, Recorder
from gasoline.ingest.about_errors import EARLY_CONTEXTS, ID_CHARS, UploadedSource
from gasoline.ingest.replay import replay
from gasoline.ingest.streams import LOGS
from gasoline.records import LogEntry
from gasoline.store import Limits, RingLimit, Store
from tests.builders import ingest, log, send_logs, store

ANCESTRY = {"framework": "react", "components": [{"name": "App"}, {"name": "Cart"}]}


def error(**fields: Any) -> dict[str, Any]:
    return log(type="exception", _errorId="e1", **fields)


def context(error_id: Any = "e1", **parts: Any) -> dict[str, Any]:
    sent = parts or {"componentAncestry": ANCESTRY}
    return {"type": "gasoline-enrichment", "_errorId": error_id, "_aiContext": sent}


def stored(of: Store, **where: Any) -> list[dict[str, Any]]:
    return [msgspec.json.decode(kept.written()) for kept in of.oldest(LogEntry, **where)]


def test_context_joins_its_error_and_is_no_entry_of_its_own() -> None:
    into = ingest()
    send_logs(into, error(unknown={"kept": 1.50}), log(_errorId="e2"))

    receipt = send_logs(into, context())

    assert (receipt.received, receipt.rejected) == (1, 0)
    assert stored(into.store) == [
        error(
            unknown={"kept": 1.5},
            _aiContext={"componentAncestry": ANCESTRY},
            _enrichments=["aiContext"],
        ),
        log(_errorId="e2"),
    ]


def test_context_in_the_same_batch_joins_too() -> None:
    into = ingest()

    receipt = send_logs(into, error(_enrichments=["context"]), context())

    assert receipt.received == 2
    (entry,) = stored(into.store)
    assert entry["_aiContext"] == {"componentAncestry": ANCESTRY}
    assert entry["_enrichments"] == ["context", "aiContext"]


def test_parts_that_come_one_after_the_other_add_up() -> None:
    into = ingest()
    send_logs(into, error(_aiContext={"summary": "before the page knew", "sourceSnippets": []}))

    send_logs(into, context(), context(stateSnapshot={"source": "redux"}))

    (entry,) = stored(into.store)
    assert entry["_aiContext"] == {
        "sourceSnippets": [],
        "componentAncestry": ANCESTRY,
        "stateSnapshot": {"source": "redux"},
    }


def test_context_that_overtook_its_error_waits_for_it() -> None:
    into = ingest()

    send_logs(into, context())
    send_logs(into, log(), error())

    assert [entry.get("_enrichments") for entry in stored(into.store)] == [None, ["aiContext"]]


def test_contexts_whose_errors_never_come_do_not_pile_up() -> None:
    into = ingest()
    send_logs(into, *[context(f"never {number}") for number in range(EARLY_CONTEXTS)])
    send_logs(into, context("one too many"))

    send_logs(into, log(_errorId="never 0"), log(_errorId="never 1"))

    assert [entry.get("_enrichments") for entry in stored(into.store)] == [None, ["aiContext"]]


@pytest.mark.parametrize(
    "broken",
    [
        context(None),
        context(7),
        context("x" * (ID_CHARS + 1)),
        {"type": "gasoline-enrichment", "_errorId": "e1"},
        {"type": "gasoline-enrichment", "_errorId": "e1", "_aiContext": "text"},
        {"type": "gasoline-source", "url": "http://a/b.js"},
        {"type": "gasoline-source", "map": "{}"},
        {"type": "gasoline-source", "url": "", "map": "{}"},
        {"type": "gasoline-source", "url": 3, "error": "no"},
    ],
)
def test_what_cannot_be_used_is_rejected_with_the_rule(broken: dict[str, Any]) -> None:
    into = ingest()
    send_logs(into, error())

    receipt = send_logs(into, broken)

    assert (receipt.received, receipt.rejected) == (0, 1)
    assert receipt.reason is not None
    assert "needs" in receipt.reason
    assert stored(into.store) == [error()]


def test_an_id_of_the_longest_length_is_taken() -> None:
    into = ingest()
    longest = "x" * ID_CHARS

    send_logs(into, log(_errorId=longest), context(longest))

    assert stored(into.store)[0]["_enrichments"] == ["aiContext"]


def test_secrets_in_a_context_are_removed_on_the_way_in() -> None:
    into = ingest()
    secret = "Bearer abcdefghijklmnop1234567890"
    slice_of_state = {"source": "redux", "relevantSlice": {"auth.error": secret}}

    send_logs(into, error(), context(stateSnapshot=slice_of_state))

    assert "abcdefghijklmnop" not in str(stored(into.store))


def test_context_finds_its_error_in_the_rings_of_a_running_test() -> None:
    into = ingest()
    into.store.start_test("checkout")
    send_logs(into, error())

    send_logs(into, context())

    assert stored(into.store, test_id="checkout")[0]["_enrichments"] == ["aiContext"]


def test_context_finds_its_error_in_the_archive_after_the_test_and_a_clear() -> None:
    into = ingest()
    into.store.start_test("checkout")
    send_logs(into, error())
    into.store.end_test("checkout", status="failed")
    into.store.clear()

    send_logs(into, context())

    assert stored(into.store, test_id="checkout")[0]["_aiContext"] == {
        "componentAncestry": ANCESTRY
    }


def test_a_full_ring_counts_what_an_entry_has_gained() -> None:
    limits = Limits(logs=RingLimit(1000, 4000))
    into = ingest(store(limits))
    send_logs(into, *[log(message=str(number), _errorId=str(number)) for number in range(10)])
    before = into.store.size_bytes

    send_logs(into, context("9", stateSnapshot={"source": "x" * 1500}))

    assert before < into.store.size_bytes <= 4000
    assert stored(into.store)[-1]["_enrichments"] == ["aiContext"]


def test_a_recording_repeats_what_was_joined_and_what_the_server_found(tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    into = Ingest(store(), recorder=Recorder(path))
    send_logs(into, error())
    send_logs(into, context())
    into.explain("e1", {"summary": "TypeError in a.ts:1"})
    send_logs(into, {"type": "gasoline-source", "url": "http://a/b.js", "map": "{}"})

    repeated, notes = replay([path])

    assert notes == []
    assert stored(repeated) == stored(into.store)
    assert stored(repeated)[0]["_aiContext"]["summary"] == "TypeError in a.ts:1"
    assert "gasoline-source" not in path.read_text(encoding="utf-8")


class Listener:
    """Whoever explains errors, as a test sees it."""

    def __init__(self) -> None:
        self.heard: list[Any] = []

    def note_errors(self, seqs: Iterable[int], origin: str | None) -> None:
        self.heard += [(seq, origin) for seq in seqs]

    def take_source(self, source: UploadedSource, origin: str | None) -> None:
        self.heard.append((source, origin))

    async def settle(self) -> None:
        pass


def test_who_explains_errors_hears_of_them_and_of_maps_with_the_origin_of_the_batch() -> None:
    listener = Listener()
    into = ingest()
    into.explaining = listener
    source = {"type": "gasoline-source", "url": "http://cdn/b.js", "map": "{}"}
    batch = {"entries": [log(level="info"), error(), source, context()]}

    receipt = into.take(LOGS, msgspec.json.encode(batch), origin="http://app")

    assert receipt.received == 4
    assert listener.heard == [
        (UploadedSource("http://cdn/b.js", "{}"), "http://app"),
        (2, "http://app"),
    ]


def test_a_map_may_be_larger_than_an_entry() -> None:
    listener = Listener()
    into = ingest()
    into.explaining = listener

    receipt = send_logs(
        into,
        {"type": "gasoline-source", "url": "http://cdn/b.js", "map": "x" * (2 * 2**20)},
        {"type": "gasoline-source", "url": "http://cdn/c.js", "error": "over 5 MB"},
    )

    assert (receipt.received, receipt.rejected) == (2, 0)
    assert listener.heard[1] == (UploadedSource("http://cdn/c.js", None, "over 5 MB"), None)


@pytest.mark.parametrize(
    ("numbers", "accepted"),
    [
        ({"part": 63, "parts": 64}, True),
        ({"part": 0, "parts": 65}, False),
        ({"part": 2, "parts": 2}, False),
        ({"part": -1, "parts": 2}, False),
        ({"part": "0", "parts": 2}, False),
    ],
)
def test_parts_of_a_map_are_counted(numbers: dict[str, Any], accepted: bool) -> None:  # noqa: FBT001  # a case
    listener = Listener()
    into = ingest()
    into.explaining = listener
    source = {"type": "gasoline-source", "url": "http://cdn/b.js", "map": "{}", **numbers}

    receipt = send_logs(into, source)

    assert receipt.rejected == (0 if accepted else 1)
    assert len(listener.heard) == (1 if accepted else 0)
