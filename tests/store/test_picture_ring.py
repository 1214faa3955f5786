"""The newest pictures, and behind them what is known of those that had to go."""

from gasoline.records import Screenshot
from gasoline.records.screenshot import Pixels
from gasoline.store import Limits, Store
from tests.builders import NOON_MS, log, send_logs, store
from tests.builders import ingest as ingest_into


def keep(into: Store, count: int, *, png_bytes: int = 100) -> None:
    for number in range(count):
        wire = b'{"url":"http://app/%d","trigger":"error"}' % number
        into.keep(Screenshot, wire, arrived_ms=NOON_MS, image=Pixels(b"p" * png_bytes, b"t"))


def pictured(of: Store) -> list[bool]:
    return [kept.image is not None for kept in of.oldest(Screenshot)]


def test_twenty_pictures_are_kept_and_the_twenty_first_takes_the_place_of_the_oldest() -> None:
    of = store()
    keep(of, 20)
    full = pictured(of)

    keep(of, 1)

    assert full == [True] * 20
    assert pictured(of) == [False] + [True] * 20
    assert of.capture_facts(Screenshot).evicted == 1


def test_the_last_two_hundred_that_went_are_still_described() -> None:
    of = store()

    keep(of, 230)

    described = [kept.read(Screenshot) for kept in of.oldest(Screenshot)]
    assert pictured(of) == [False] * 200 + [True] * 20
    assert (described[0].url, described[0].trigger) == ("http://app/10", "error")
    assert of.capture_facts(Screenshot).evicted == 210


def test_all_pictures_together_take_ten_megabytes() -> None:
    of = store()

    keep(of, 20, png_bytes=900_000)

    images = [kept.image for kept in of.oldest(Screenshot) if kept.image]
    assert 0 < sum(image.size_bytes for image in images) <= 10_000_000
    assert of.size_bytes <= 10_000_000 + 20 * 1000


def test_pictures_give_way_to_the_cap_before_anything_else_is_lost() -> None:
    of = store(Limits(memory_bytes=100_000))
    keep(of, 3, png_bytes=30_000)
    into = ingest_into(of)

    for _ in range(40):
        send_logs(into, log(message="m" * 1000))

    assert of.size_bytes <= 100_000
    assert not any(pictured(of)[:2])


def test_a_cap_that_holds_nothing_forgets_descriptions_too() -> None:
    of = store(Limits(memory_bytes=10))

    keep(of, 3)

    assert (pictured(of), of.size_bytes) == ([], 0)


def test_pictures_of_a_test_that_ended_join_the_others_in_order() -> None:
    of = store()
    keep(of, 15)
    of.start_test("t")
    keep(of, 15)

    of.end_test("t")

    assert pictured(of) == [False] * 10 + [True] * 20


def test_the_archive_keeps_a_small_picture_and_describes_a_large_one() -> None:
    of = store()
    of.start_test("t")
    keep(of, 1, png_bytes=1000)
    keep(of, 1, png_bytes=100_000)

    of.end_test("t", status="failed")

    (test,) = of.archive
    assert [kept.image is not None for _, kept in test.evidence] == [True, False]
    assert test.left_out == 0


def test_clearing_forgets_pictures_and_descriptions() -> None:
    of = store()
    keep(of, 25)

    removed = of.clear_kind(Screenshot)

    assert (removed, pictured(of), of.size_bytes) == (25, [], 0)
