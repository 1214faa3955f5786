"""Batch numbers show what never arrived."""

from hypothesis import given
from hypothesis import strategies as st

from gasoline.store import Limits
from gasoline.store.senders import Sender, Senders
from tests.builders import NOON_MS


def senders(**limits: int) -> Senders:
    return Senders(Limits(**limits))  # type: ignore[arg-type]  # only the integer limits are set here


def note(known: Senders, batch: int | None, *, dropped: int = 0, sender: str = "page") -> None:
    known.note_batch(sender, batch=batch, dropped=dropped, now_ms=NOON_MS)


def missing(known: Senders) -> int:
    return sum(sender.missing_batches for sender in known)


def dropped(known: Senders) -> int:
    return sum(sender.dropped for sender in known)


def test_batches_in_order_leave_no_gap() -> None:
    known = senders()

    for batch in (1, 2, 3):
        note(known, batch)

    assert missing(known) == 0


def test_a_skipped_number_is_missing_until_it_arrives() -> None:
    known = senders()

    note(known, 1)
    note(known, 4)
    assert missing(known) == 2

    note(known, 3)
    note(known, 2)
    assert missing(known) == 0


def test_a_first_batch_that_is_not_the_first_means_earlier_ones_were_lost() -> None:
    known = senders()

    note(known, 3)

    assert missing(known) == 2


def test_a_number_is_seen_only_after_it_arrived() -> None:
    known = senders()
    note(known, 1)
    note(known, 3)

    assert [known.has_seen("page", batch) for batch in (1, 2, 3, 4)] == [True, False, True, False]
    assert not known.has_seen("another page", 1)


def test_what_a_page_dropped_is_its_latest_total() -> None:
    known = senders()

    note(known, 1, dropped=2)
    note(known, 2, dropped=5)

    assert dropped(known) == 5


def test_clearing_excuses_losses_but_a_late_batch_is_still_new() -> None:
    known = senders()
    note(known, 1)
    note(known, 3, dropped=5)

    known.forget_losses()
    note(known, 4, dropped=6)

    assert (missing(known), dropped(known)) == (0, 1)
    assert not known.has_seen("page", 2)
    note(known, 2)
    assert known.has_seen("page", 2)


def test_more_gaps_than_can_be_remembered_are_still_counted() -> None:
    known = senders(missing_batches_per_sender=2)

    note(known, 10)

    assert missing(known) == 9
    assert [known.has_seen("page", batch) for batch in (7, 8, 9, 10)] == [False, False, False, True]


def test_the_least_recently_heard_sender_is_forgotten_first() -> None:
    known = senders(senders=2)

    note(known, 1, sender="a")
    note(known, 1, sender="b")
    note(known, 2, sender="a")
    note(known, 1, sender="c")

    assert [known.has_seen(name, 1) for name in "abc"] == [True, False, True]


@given(st.permutations(range(1, 30)))
def test_any_order_of_arrival_ends_without_gaps_or_repeats(order: list[int]) -> None:
    sender = Sender()

    for batch in order:
        assert not sender.has_seen(batch)
        sender.note(batch, memory=1000)

    assert sender.missing_batches == 0
    assert all(sender.has_seen(batch) for batch in order)
