"""How much an answer can be trusted."""

import pytest

from gasoline.analysis.capture_health import add_admissions, judge_capture
from gasoline.records import LogEntry
from gasoline.records.health import CaptureFacts, CaptureHealth


def test_nothing_received_is_blind_with_something_to_do() -> None:
    health = judge_capture(CaptureFacts(anything_received=False))

    assert health.state == "blind"
    assert health.next


def test_numbered_batches_without_losses_are_complete() -> None:
    facts = CaptureFacts(anything_received=True, senders=1)

    assert judge_capture(facts) == CaptureHealth(state="complete")


def test_senders_that_do_not_number_are_complete_but_unverified() -> None:
    facts = CaptureFacts(anything_received=True)

    assert judge_capture(facts) == CaptureHealth(state="complete", unverified=True)


def test_every_loss_is_said_with_its_count() -> None:
    facts = CaptureFacts(
        anything_received=True,
        senders=1,
        missing_batches=1,
        dropped_by_senders=2,
        evicted=3,
        rejected=1,
    )

    health = judge_capture(facts)

    assert health.state == "partial"
    assert health.why == (
        "1 batch sent by a page never arrived; 2 events dropped in the page before sending; "
        "3 older records pushed out by newer ones; 1 entry refused as unusable."
    )


WELL = CaptureHealth(state="complete")
LOSSY = CaptureHealth(state="partial", why="1 batch never arrived.", next="Repeat it.")


def admission(state: str, why: str, **metadata: str) -> LogEntry:
    said = f"[gasoline] Capture is {state}: {why}"
    return LogEntry(type="gasoline-capture", message=said, capture=state, metadata=metadata)


def test_without_admissions_the_server_s_own_judgement_stands() -> None:
    assert add_admissions(LOSSY, [LogEntry(type="console", message="hello")]) == LOSSY


@pytest.mark.parametrize("state", ["partial", "blind"])
def test_a_driver_s_admission_comes_with_why_and_what_to_do(state: str) -> None:
    admitted = admission(state, "no scripts", next="Allow scripts.")

    assert add_admissions(WELL, [admitted]) == CaptureHealth(
        state=state, why="no scripts", next="Allow scripts."
    )


def test_the_worst_of_several_counts_and_each_reason_is_said_once() -> None:
    late, blind = admission("partial", "late"), admission("blind", "no scripts", next="Allow them.")

    assert add_admissions(LOSSY, [late, blind, late]) == CaptureHealth(
        state="blind",
        why="late; no scripts; 1 batch never arrived.",
        next="Allow them. Repeat it.",
    )


def test_an_admission_without_advice_gets_ours() -> None:
    assert "doctor" in (add_admissions(WELL, [admission("blind", "why")]).next or "")
    assert add_admissions(WELL, [admission("partial", "why")]).next


@pytest.mark.parametrize("state", ["", "complete", "splendid"])
def test_what_admits_nothing_changes_nothing(state: str) -> None:
    assert add_admissions(LOSSY, [admission(state, "why")]) == LOSSY
