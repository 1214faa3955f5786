"""How much an answer can be trusted."""

from gasoline.analysis.capture_health import judge_capture
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
