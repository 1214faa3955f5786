"""What waits for company: in order, woken for the first and for what cannot wait."""

import threading
import time
from collections.abc import Iterator

import pytest

from gasoline.drivers.waiting_room import WaitingRoom

LONG_S = 60.0
PATIENCE_S = 10.0


def everything_in(room: WaitingRoom[int]) -> Iterator[int]:
    while thing := room.take():
        yield thing


def test_nothing_is_taken_from_an_empty_room() -> None:
    assert WaitingRoom[int](LONG_S).take() is None


def test_what_is_urgent_takes_along_what_waited() -> None:
    room = WaitingRoom[int](LONG_S)
    room.put(1, 2)
    room.put(3, is_urgent=True)
    room.wait()
    assert list(everything_in(room)) == [1, 2, 3]


def test_what_is_not_urgent_waits_for_its_time_and_no_longer() -> None:
    room = WaitingRoom[int](0.05)
    room.put(1)
    began_s = time.monotonic()
    room.wait()
    assert time.monotonic() - began_s >= 0.05
    assert list(everything_in(room)) == [1]


def test_what_was_left_does_not_wait_again() -> None:
    room = WaitingRoom[int](LONG_S)
    room.put(1, 2, is_urgent=True)
    room.wait()
    assert room.take() == 1
    room.press()
    room.wait()
    assert room.take() == 2


def test_an_empty_room_cannot_be_pressed() -> None:
    room = WaitingRoom[int](0.05)
    room.press()
    room.put(1)
    began_s = time.monotonic()
    room.wait()
    assert time.monotonic() - began_s >= 0.05


@pytest.mark.parametrize("is_urgent", [True, False])
def test_nobody_sleeps_through_what_many_put_in_at_once(*, is_urgent: bool) -> None:
    room = WaitingRoom[int](0.0)
    each, writers = 2000, 4
    taken: list[int] = []

    def take_all() -> None:
        while len(taken) < each * writers:
            room.wait()
            taken.extend(everything_in(room))

    def put_all(writer: int) -> None:
        for number in range(each):
            room.put(writer * each + number + 1, is_urgent=is_urgent)

    taker = threading.Thread(target=take_all, daemon=True)
    threads = [threading.Thread(target=put_all, args=(writer,)) for writer in range(writers)]
    for thread in (taker, *threads):
        thread.start()
    for thread in (*threads, taker):
        thread.join(PATIENCE_S)

    assert not taker.is_alive()
    assert sorted(taken) == list(range(1, each * writers + 1))
    for writer in range(writers):
        own = [number for number in taken if (number - 1) // each == writer]
        assert own == sorted(own)
