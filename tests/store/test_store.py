"""The store as a whole: tests beside each other, an archive, one cap on memory."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gasoline.records import LogEntry, NetworkBody, Screenshot
from gasoline.records.screenshot import Pixels
from gasoline.store import Limits, RingLimit, Store
from tests.builders import (
    NOON_MS,
    Clock,
    exchange,
    ingest,
    log,
    messages_in,
    send_exchanges,
    send_logs,
    store,
)

ROOMY = RingLimit(10_000, 100_000_000)


def test_records_carry_the_only_running_test_and_none_outside_it() -> None:
    into = ingest()

    send_logs(into, log(message="before"))
    into.store.start_test("t")
    send_logs(into, log(message="during"))
    into.store.end_test("t")
    send_logs(into, log(message="after"))

    assert messages_in(into.store) == ["before", "during", "after"]
    assert messages_in(into.store, test_id="t") == ["during"]


def test_two_running_tests_share_no_untagged_record() -> None:
    into = ingest()
    into.store.start_test("a")
    into.store.start_test("b")

    send_logs(into, log(message="whose?"), log(message="mine", test_id="a"))

    assert messages_in(into.store, test_id="a") == ["mine"]
    assert messages_in(into.store, test_id="b") == []
    assert messages_in(into.store) == ["whose?", "mine"]


def test_a_noisy_test_pushes_out_nothing_of_its_neighbour() -> None:
    into = ingest(store(Limits(logs=RingLimit(5, 1_000_000))))
    into.store.start_test("quiet")
    into.store.start_test("noisy")
    send_logs(into, log(message="evidence", test_id="quiet"))

    for _ in range(100):
        send_logs(into, log(test_id="noisy"))

    assert messages_in(into.store, test_id="quiet") == ["evidence"]
    assert into.store.capture_facts(LogEntry, test_id="noisy").evicted == 95
    assert into.store.capture_facts(LogEntry, test_id="quiet").evicted == 0


def test_an_ended_test_is_served_from_the_archive_after_clearing() -> None:
    into = ingest()
    into.store.start_test("t")
    send_logs(into, log(message="evidence"))
    into.store.end_test("t", status="failed")

    into.store.clear()

    assert messages_in(into.store) == []
    assert messages_in(into.store, test_id="t") == ["evidence"]


def test_a_second_start_opens_a_new_attempt() -> None:
    into = ingest()
    for outcome in ("failed", "passed"):
        into.store.start_test("t")
        send_logs(into, log(message=outcome))
        into.store.end_test("t", status=outcome)

    runs = [(run.attempt, run.status) for run in into.store.test_runs()]
    first = [msgspec.json.decode(kept.wire)["message"] for _, kept in into.store.evidence("t", 1)]

    assert runs == [(1, "failed"), (2, "passed")]
    assert first == ["failed"]
    assert messages_in(into.store, test_id="t") == ["passed"]


def test_starting_a_running_test_again_closes_its_first_attempt() -> None:
    kept = store()

    kept.start_test("t")
    kept.start_test("t")

    assert [(run.attempt, run.status) for run in kept.test_runs()] == [
        (1, "interrupted"),
        (2, None),
    ]


def test_the_runner_may_say_which_attempt_it_is() -> None:
    assert store().start_test("t", attempt=3).attempt == 3


def test_ending_a_test_that_never_started_changes_nothing() -> None:
    kept = store()

    assert kept.end_test("never") is None
    assert kept.test_runs() == []


def test_the_end_of_an_attempt_that_is_over_does_not_end_the_one_that_runs() -> None:
    kept = store()
    kept.start_test("t", attempt=1)
    kept.start_test("t", attempt=2)

    assert kept.end_test("t", attempt=1, status="failed") is None
    assert [(run.attempt, run.status) for run in kept.test_runs()] == [
        (1, "interrupted"),
        (2, None),
    ]


def test_an_attempt_that_starts_again_has_nothing_of_what_it_was() -> None:
    into = ingest()
    for outcome in ("failed", "passed"):
        into.store.start_test("t", attempt=1)
        send_logs(into, log(message=outcome))
        into.store.end_test("t", attempt=1, status=outcome)

    assert [(run.attempt, run.status) for run in into.store.test_runs()] == [(1, "passed")]
    assert messages_in(into.store, test_id="t") == ["passed"]
    assert messages_in(into.store) == ["failed", "passed"]
    assert into.store.archive.forgotten == 0


def test_a_first_attempt_again_is_a_new_run_without_the_attempts_of_the_last() -> None:
    into = ingest()
    for attempt in (1, 2, 1):
        into.store.start_test("t", attempt=attempt)
        send_logs(into, log(message=f"attempt {attempt}"))
        into.store.end_test("t", attempt=attempt, status="failed")

    assert [run.attempt for run in into.store.test_runs()] == [1]
    assert list(into.store.evidence("t", 2)) == []
    assert messages_in(into.store, test_id="t") == ["attempt 1"]
    assert messages_in(into.store) == ["attempt 1", "attempt 2", "attempt 1"]


def test_a_second_attempt_again_leaves_the_first() -> None:
    kept = store()
    for attempt in (1, 2, 2):
        kept.start_test("t", attempt=attempt)
        kept.end_test("t", attempt=attempt, status="failed")

    assert [run.attempt for run in kept.test_runs()] == [1, 2]


def test_a_batch_that_arrives_after_the_end_still_joins_its_test() -> None:
    into = ingest()
    into.store.start_test("t")
    into.store.end_test("t")
    send_logs(into, log(message="flushed late", test_id="t"))

    into.store.clear()

    assert messages_in(into.store, test_id="t") == ["flushed late"]


def test_the_archive_of_one_test_keeps_errors_and_failed_requests_before_the_rest() -> None:
    into = ingest(store(Limits(archived_test_bytes=2_000)))
    into.store.start_test("t")
    send_logs(into, log(message="the error"))
    send_exchanges(into, exchange(url="/failed", status=500))
    for _ in range(20):
        send_logs(into, log(level="info", message="chatter"))
    into.store.end_test("t")
    into.store.clear()

    kept = messages_in(into.store, test_id="t")

    assert "the error" in kept
    assert messages_in(into.store, NetworkBody, test_id="t") == ["/failed"]
    assert into.store.capture_facts(LogEntry, test_id="t").evicted == 22 - len(kept) - 1


def test_a_driver_s_word_on_how_it_sees_outlasts_a_talkative_test() -> None:
    into = ingest(store(Limits(archived_test_bytes=1000)))
    into.store.start_test("t")
    send_logs(into, log(level="info", type="gasoline-capture", message="blind"))
    for number in range(20):
        send_logs(into, log(level="info", message=f"info {number}"))

    into.store.end_test("t")

    (archived,) = into.store.archive
    assert "blind" in [kept.read(LogEntry).message for _, kept in archived.evidence]


def test_the_archive_forgets_passing_tests_before_failing_ones() -> None:
    into = ingest(store(Limits(archived_tests=2)))
    for test_id, status in (("first", "failed"), ("second", "passed"), ("third", "failed")):
        into.store.start_test(test_id)
        into.store.end_test(test_id, status=status)

    assert [run.test_id for run in into.store.test_runs()] == ["first", "third"]
    assert into.store.archive.forgotten == 1


def test_five_hundred_ended_tests_are_remembered_and_no_more() -> None:
    kept = store()

    for number in range(501):
        kept.start_test(f"t{number}")
        kept.end_test(f"t{number}", status="passed")

    assert len(kept.test_runs()) == 500


def test_clearing_one_test_leaves_the_others_and_keeps_it_running() -> None:
    into = ingest()
    into.store.start_test("a")
    into.store.start_test("b")
    send_logs(into, log(message="a", test_id="a"), log(message="b", test_id="b"))

    removed = into.store.clear(test_id="a")

    assert removed["logs"] == 1
    assert messages_in(into.store) == ["b"]
    assert {test.run.test_id for test in into.store.active_tests} == {"a", "b"}


def test_the_memory_cap_holds_over_all_rings_and_the_largest_pays() -> None:
    limits = Limits(logs=ROOMY, network_bodies=ROOMY, memory_bytes=50_000)
    into = ingest(store(limits))
    send_exchanges(into, exchange(url="/small"))

    for number in range(200):
        send_logs(into, log(message=f"{number} {'x' * 900}"))

    assert into.store.size_bytes <= 50_000
    assert messages_in(into.store, NetworkBody) == ["/small"]
    assert messages_in(into.store)[-1].startswith("199 ")


def test_under_the_cap_a_noisy_test_pays_for_itself() -> None:
    into = ingest(store(Limits(logs=ROOMY, memory_bytes=50_000)))
    into.store.start_test("quiet")
    into.store.start_test("noisy")
    send_logs(into, log(message="evidence", test_id="quiet"))

    for _ in range(200):
        send_logs(into, log(message="x" * 900, test_id="noisy"))

    assert messages_in(into.store, test_id="quiet") == ["evidence"]


def test_pictures_count_towards_the_cap() -> None:
    kept = store(Limits(memory_bytes=12_000))

    for _ in range(3):
        kept.keep(Screenshot, b"{}", arrived_ms=NOON_MS, image=Pixels(b"x" * 3_000, b"x" * 1_000))

    assert [record.image is not None for record in kept.oldest(Screenshot)] == [False, True, True]


def test_an_ended_test_s_duration_is_measured_unless_the_runner_says() -> None:
    clock = Clock()
    kept = Store(clock=clock)
    kept.start_test("measured")
    clock.advance(seconds=2)
    kept.start_test("told")

    measured = kept.end_test("measured")
    told = kept.end_test("told", duration_ms=7.5)

    assert measured is not None
    assert told is not None
    assert (measured.duration_ms, told.duration_ms) == (2000, 7.5)


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                *("start a", "start b", "restart a", "end a", "end b", "end other a"),
                *("log", "log a", "log b", "clear a"),
            ]
        ),
        max_size=40,
    )
)
def test_whatever_tests_do_nothing_is_lost_doubled_or_mixed(steps: list[str]) -> None:
    into = ingest()
    expected: list[tuple[str, str | None]] = []

    for number, step in enumerate(steps):
        verb, _, test_id = step.rpartition(" ") if " " in step else (step, "", "")
        running = [test.run.test_id for test in into.store.active_tests]
        if verb == "start":
            into.store.start_test(test_id)
        elif verb == "restart":
            into.store.start_test(test_id, attempt=1)
        elif verb == "end":
            into.store.end_test(test_id)
        elif verb == "end other":
            assert into.store.end_test(test_id, attempt=10_000) is None
        elif verb == "clear":
            into.store.clear(test_id=test_id)
            expected = [(text, owner) for text, owner in expected if owner != test_id]
        else:
            own = {"test_id": test_id} if test_id else {}
            send_logs(into, log(message=str(number), **own))
            only_one = running[0] if len(running) == 1 else None
            expected.append((str(number), test_id or only_one))

    found = [
        (msgspec.json.decode(kept.wire)["message"], kept.test_id)
        for kept in into.store.oldest(LogEntry)
    ]
    assert found == expected


@pytest.mark.parametrize("order", ["oldest", "newest"])
def test_reading_across_tests_keeps_the_order_of_capture(order: str) -> None:
    into = ingest()
    into.store.start_test("a")
    into.store.start_test("b")
    for number in range(6):
        send_logs(into, log(message=str(number), test_id="ab"[number % 2]))

    seqs = [kept.seq for kept in getattr(into.store, order)(LogEntry)]

    assert seqs == sorted(seqs, reverse=order == "newest")
