"""A ring keeps the newest, within its bounds, and counts what it gave up."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gasoline.records import LogEntry
from gasoline.store import Ring, RingLimit
from gasoline.store.ring import Ledger
from tests.builders import NOON_MS, kept


def ring(
    *, count: int = 3, size_bytes: int = 1_000_000, ledger: Ledger | None = None
) -> Ring[LogEntry]:
    return Ring(LogEntry, RingLimit(count, size_bytes), ledger or Ledger())


def test_a_ring_at_its_count_evicts_nothing_and_one_past_it_evicts_the_oldest() -> None:
    full = ring(count=3)
    first, *rest = [kept() for _ in range(4)]

    full.append(first)
    for record in rest[:2]:
        full.append(record)
    assert (list(full), full.evicted) == ([first, *rest[:2]], 0)

    full.append(rest[2])
    assert (list(full), full.evicted) == (rest, 1)


def test_a_ring_at_its_bytes_evicts_nothing_and_one_byte_past_it_evicts_the_oldest() -> None:
    small, larger = kept(padding=100), kept(padding=101)
    exact = ring(count=10, size_bytes=2 * small.size_bytes)

    exact.append(small)
    exact.append(kept(padding=100, seq=small.seq + 100))
    assert exact.evicted == 0

    exact = ring(count=10, size_bytes=2 * small.size_bytes)
    exact.append(small)
    exact.append(larger)
    assert (list(exact), exact.evicted) == ([larger], 1)


def test_a_record_is_found_by_its_number_while_it_is_here() -> None:
    full = ring(count=3)
    records = [kept(seq=seq) for seq in (2, 3, 5, 8)]

    full.extend(records)

    assert [full.find(seq) for seq in range(1, 10) if full.find(seq)] == records[1:]


def test_a_single_record_over_the_byte_limit_is_still_worth_keeping() -> None:
    tiny = ring(size_bytes=10)

    tiny.append(kept(padding=500))

    assert len(tiny) == 1


def test_the_ledger_knows_the_bytes_of_all_rings() -> None:
    ledger = Ledger()
    one, other = ring(ledger=ledger), ring(ledger=ledger)
    records = [kept() for _ in range(2)]

    one.append(records[0])
    other.append(records[1])
    assert ledger.size_bytes == sum(record.size_bytes for record in records)

    one.clear()
    other.remove(lambda _record: True)
    assert ledger.size_bytes == 0


def test_clearing_forgets_earlier_evictions() -> None:
    full = ring(count=1)
    full.append(kept())
    full.append(kept())

    assert full.clear() == 1
    assert (len(full), full.evicted) == (0, 0)


def test_records_of_another_ring_are_folded_in_by_sequence() -> None:
    mine = ring(count=10)
    records = [kept() for _ in range(4)]
    mine.append(records[0])
    mine.append(records[2])

    mine.fold_in([records[1], records[3]])

    assert list(mine) == records


@pytest.mark.parametrize(
    ("wire", "at_ms"),
    [
        ({"ts": "2026-03-01T12:00:01Z"}, NOON_MS + 1000),
        ({"timestamp": NOON_MS + 2000}, NOON_MS + 2000),
        ({"ts": "never", "timestamp": NOON_MS + 3000}, NOON_MS + 3000),
        ({"ts": {"deep": 1e5}}, NOON_MS),
        ({}, NOON_MS),
    ],
)
def test_a_record_happened_when_the_page_says_else_when_it_arrived(
    wire: dict[str, object], at_ms: float
) -> None:
    record = kept(wire=wire)

    assert record.at_ms == at_ms
    assert record.read(LogEntry).at_ms == at_ms


def test_a_record_tagged_by_the_server_is_written_with_its_test() -> None:
    tagged = kept(wire={"a": 1}, test_id='say "hi"', tagged=True)
    own = kept(wire={"a": 1, "test_id": "mine"}, test_id="mine")

    assert json.loads(tagged.written())["test_id"] == 'say "hi"'
    assert json.loads(own.written())["test_id"] == "mine"


@given(st.lists(st.integers(min_value=0, max_value=400)), st.integers(1, 6), st.integers(1, 3000))
def test_no_sequence_of_records_breaks_the_bounds(
    sizes: list[int], count: int, size_bytes: int
) -> None:
    ledger = Ledger()
    bounded = ring(count=count, size_bytes=size_bytes, ledger=ledger)

    for size in sizes:
        bounded.append(kept(padding=size))

    assert len(bounded) <= count
    assert bounded.size_bytes <= size_bytes or len(bounded) == 1
    assert bounded.size_bytes == ledger.size_bytes == sum(record.size_bytes for record in bounded)
    assert bounded.evicted == len(sizes) - len(bounded)
