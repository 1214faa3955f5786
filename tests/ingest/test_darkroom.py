"""Where pictures are developed: large ones in a process whose memory goes with it."""

import resource
import sys

import pytest

from gasoline.ingest import RefusedBatch
from gasoline.ingest.darkroom import SMALL_PIXELS, develop_sparingly
from gasoline.ingest.picture import count_pixels, develop
from tests.pictures import encoded, page_picture


def children_megabytes() -> float:
    """The most that any child of this process took so far."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * unit / 1e6


@pytest.mark.parametrize("height", [SMALL_PIXELS // 1000, SMALL_PIXELS // 1000 + 1])
def test_it_makes_no_difference_where_a_picture_is_developed(height: int) -> None:
    sent = encoded(page_picture(1000, height))

    assert develop_sparingly(sent) == develop(sent)


def test_a_whole_page_is_developed_in_a_process_of_its_own() -> None:
    sent = encoded(page_picture(1280, 16_384))

    developed = develop_sparingly(sent)

    assert (developed.width, developed.height) == (1280, 16_384)
    assert children_megabytes() > 80


def test_a_refusal_comes_back_from_there() -> None:
    whole = encoded(page_picture(1280, 2000))

    with pytest.raises(RefusedBatch, match="cannot be read"):
        develop_sparingly(whole[: len(whole) // 2])


def test_what_has_no_head_has_no_pixels() -> None:
    assert count_pixels(b"not a picture") == 0
