"""One listener's wishes, and what is due to it when."""

from typing import Any

import pytest

from gasoline.stream.event import CATEGORIES, StreamEvent
from gasoline.stream.subscription import Subscription, Wishes, effective_wishes

ON = Wishes(enabled=True)


def event(message: str = "New error: boom", **fields: Any) -> StreamEvent:
    facts: dict[str, Any] = {
        "category": "errors",
        "severity": "error",
        "timestamp": "2026-03-01T12:00:00.000Z",
        "context": {"url": "http://app/cart"},
    } | fields
    return StreamEvent(message=message, **facts)


def messages(subscription: Subscription, now_s: float) -> list[str]:
    """What goes out now, event by event."""
    sent = subscription.take(now_s)
    if sent is None:
        return []
    return [each.message for each in sent.events] or [sent.message]


def test_nothing_is_taken_in_while_disabled() -> None:
    subscription = Subscription(Wishes())

    subscription.offer(event(), 0)

    assert subscription.due_s is None


def test_an_event_goes_out_at_the_end_of_its_batch_window_and_not_before() -> None:
    subscription = Subscription(ON)

    subscription.offer(event(), 10)

    assert subscription.due_s == 12
    assert subscription.take(11.99) is None
    assert messages(subscription, 12) == ["New error: boom"]
    assert subscription.due_s is None


def test_events_of_one_window_go_out_together_led_by_the_worst() -> None:
    subscription = Subscription(ON)
    subscription.offer(event("slow", category="performance", severity="warning"), 0)
    subscription.offer(event("broken"), 1)

    sent = subscription.take(2)

    assert sent
    assert (sent.message, sent.severity) == ("broken", "error")
    assert [each.message for each in sent.events] == ["slow", "broken"]


def test_a_single_event_is_not_wrapped() -> None:
    subscription = Subscription(ON)
    subscription.offer(event(), 0)

    sent = subscription.take(2)

    assert sent
    assert (sent.message, sent.events) == ("New error: boom", [])


def test_the_throttle_holds_events_back_and_loses_none() -> None:
    subscription = Subscription(ON)
    subscription.offer(event("first"), 0)
    assert messages(subscription, 2) == ["first"]

    subscription.offer(event("second"), 2.5)
    subscription.offer(event("third"), 6)

    assert subscription.due_s == 7
    assert messages(subscription, 6.9) == []
    assert messages(subscription, 7) == ["second", "third"]


def test_at_most_twelve_go_out_in_a_minute() -> None:
    subscription = Subscription(Wishes(enabled=True, throttle_seconds=1))
    sent_at = []
    now_s = 0.0
    for number in range(13):
        subscription.offer(event(f"error {number}"), now_s)
        assert subscription.due_s is not None
        now_s = max(now_s, subscription.due_s)
        assert messages(subscription, now_s) == [f"error {number}"]
        sent_at.append(now_s)

    assert sent_at[11] - sent_at[0] < 60
    assert sent_at[12] == sent_at[0] + 60


def test_the_same_message_is_not_repeated_for_thirty_seconds_but_counted() -> None:
    subscription = Subscription(ON)
    subscription.offer(event(), 0)
    subscription.offer(event(), 1)
    subscription.offer(event(category="security"), 1)
    sent = subscription.take(2)
    subscription.offer(event(), 29.9)
    held_back = subscription.due_s

    subscription.offer(event(), 30)

    assert sent
    assert (len(sent.events), sent.repeated) == (2, 1)
    assert held_back is None
    assert subscription.due_s == 32


def test_messages_are_remembered_up_to_a_number() -> None:
    subscription = Subscription(ON)
    for number in range(201):
        subscription.offer(event(f"error {number}"), 0)
    subscription.take(2)

    subscription.offer(event("error 1"), 3)
    is_remembered = subscription.due_s is None
    subscription.offer(event("error 0"), 3)

    assert is_remembered
    assert subscription.due_s is not None


def test_what_overflows_is_dropped_from_the_oldest_and_counted() -> None:
    subscription = Subscription(ON)
    for number in range(52):
        subscription.offer(event(f"error {number}"), 0)

    sent = subscription.take(2)

    assert sent
    assert (len(sent.events), sent.dropped) == (50, 2)
    assert sent.events[0].message == "error 2"


def test_what_nobody_took_is_said_with_the_next() -> None:
    subscription = Subscription(ON)
    subscription.offer(event("first"), 0)
    subscription.offer(event("second"), 0)
    unread = subscription.take(2)
    assert unread
    subscription.give_back(unread)
    subscription.note_unsaid(missed=3)

    subscription.offer(event("third"), 3)
    sent = subscription.take(7)

    assert sent
    assert (sent.message, sent.dropped, sent.missed) == ("third", 2, 3)


@pytest.mark.parametrize(
    ("url_filter", "context", "is_wanted"),
    [
        ("/cart", {"url": "http://app/cart"}, True),
        ("/cart", {"url": "/api/pay", "page_url": "http://app/cart"}, True),
        ("/cart", {"url": "http://app/about"}, False),
        ("/cart", {}, False),
        (None, {}, True),
    ],
)
def test_a_filter_looks_at_the_address(
    url_filter: str | None, context: dict[str, Any], *, is_wanted: bool
) -> None:
    wishes = Wishes(enabled=True, url_filter=url_filter)

    assert wishes.wants(event(context=context)) is is_wanted


def test_only_wanted_categories_are_taken_in() -> None:
    wishes = Wishes(enabled=True, events=("security",))

    assert not wishes.wants(event())
    assert wishes.wants(event(category="security"))


def test_what_a_change_does_not_name_stays() -> None:
    before = effective_wishes(
        Wishes(), enabled=True, events=["errors"], throttle_seconds=9, url_filter="/cart"
    )

    assert effective_wishes(before) == before
    assert effective_wishes(before, throttle_seconds=3).events == ("errors",)


def test_an_empty_list_means_every_category_and_an_empty_filter_none() -> None:
    before = Wishes(events=("errors",), url_filter="/cart")

    changed = effective_wishes(before, events=[], url_filter="")

    assert (changed.events, changed.url_filter) == (CATEGORIES, None)


@pytest.mark.parametrize(
    ("wanted", "effective"), [(0.9, 1), (1, 1), (60, 60), (60.1, 60), (-5, 1), (1e9, 60)]
)
def test_the_throttle_is_kept_within_its_range(wanted: float, effective: float) -> None:
    assert effective_wishes(Wishes(), throttle_seconds=wanted).throttle_seconds == effective


def test_what_was_pending_is_not_sent_once_it_is_unwanted() -> None:
    subscription = Subscription(ON)
    subscription.offer(event("broken"), 0)
    subscription.offer(event("leaked", category="security"), 0)

    subscription.wishes = Wishes(enabled=True, events=("security",))
    still_wanted = messages(subscription, 2)
    subscription.offer(event("leaked again", category="security"), 3)
    subscription.wishes = Wishes()

    assert still_wanted == ["leaked"]
    assert subscription.due_s is None


def test_whoever_listens_again_hears_again() -> None:
    subscription = Subscription(ON)
    subscription.offer(event(), 0)
    subscription.wishes = Wishes()
    subscription.note_unsaid(missed=3)
    subscription.wishes = ON

    subscription.offer(event(), 1)
    sent = subscription.take(3)

    assert sent
    assert (sent.message, sent.repeated, sent.missed) == ("New error: boom", 0, 0)
