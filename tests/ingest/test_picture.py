"""A picture as it is kept: a PNG of bounded size, and a thumbnail."""

import struct
import subprocess
import sys
import zlib
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from gasoline.ingest import RefusedBatch
from gasoline.ingest.picture import LARGEST_BYTES, develop
from tests.pictures import encoded, noise_picture, opened, page_picture


def refusal_of(sent: bytes) -> str:
    with pytest.raises(RefusedBatch) as refused:
        develop(sent)
    assert refused.value.status == 400
    return refused.value.reason


def png_of_size(width: int, height: int) -> bytes:
    """The head of a PNG that claims a size, and next to no pixels."""

    def chunk(name: bytes, content: bytes) -> bytes:
        checksum = zlib.crc32(name + content)
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", checksum)

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0" * 100)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP", "GIF"])
def test_any_picture_becomes_a_png_with_a_thumbnail(form: str) -> None:
    developed = develop(encoded(page_picture(640, 400), form))

    picture, thumbnail = opened(developed.pixels.png), opened(developed.pixels.thumbnail)
    assert (picture.format, picture.size) == ("PNG", (640, 400))
    assert (thumbnail.format, thumbnail.size) == ("PNG", (320, 200))
    assert (developed.width, developed.height, developed.sent_format) == (640, 400, form)
    assert developed.notes == ()


@pytest.mark.parametrize(
    ("width", "kept"), [(1, 1), (320, 320), (1279, 1279), (1280, 1280), (1281, 1280), (2560, 1280)]
)
def test_a_picture_is_at_most_1280_wide_and_its_thumbnail_exactly_320(
    width: int, kept: int
) -> None:
    developed = develop(encoded(page_picture(width, 200)))

    assert opened(developed.pixels.png).width == kept
    assert opened(developed.pixels.thumbnail).width == 320
    assert bool(developed.notes) == (width > kept)


def test_what_was_done_to_a_picture_is_noted() -> None:
    developed = develop(encoded(page_picture(2560, 1600)))

    assert developed.notes == ("Scaled from 2560 to 1280 px in width.",)


@pytest.mark.parametrize(
    ("height", "notes"),
    [
        (16_384, ()),
        (16_385, ("The picture was 16385 px tall: cropped to 16384 px.",)),
    ],
)
def test_a_page_is_cropped_past_16384_pixels(height: int, notes: tuple[str, ...]) -> None:
    developed = develop(encoded(page_picture(100, height)))

    assert opened(developed.pixels.png).height == 16_384
    assert opened(developed.pixels.thumbnail).size == (320, 640)
    assert developed.notes == notes


def test_a_picture_that_is_hard_to_compress_gets_narrower_until_it_fits() -> None:
    developed = develop(encoded(noise_picture(1280, 1280), "JPEG"))

    assert len(developed.pixels.png) <= LARGEST_BYTES
    assert 320 < opened(developed.pixels.png).width < 1280


def test_fewer_colours_come_before_fewer_pixels() -> None:
    shaded = Image.merge("RGB", [Image.linear_gradient("L").resize((1280, 1000))] * 3)
    shaded.paste(noise_picture(400, 400), (0, 0))

    developed = develop(encoded(shaded))

    assert len(developed.pixels.png) <= LARGEST_BYTES
    assert developed.width == 1280


def test_a_picture_that_fits_on_no_width_loses_its_lower_part_and_says_so() -> None:
    developed = develop(encoded(noise_picture(320, 8000), "JPEG"))

    assert 400_000 < len(developed.pixels.png) <= LARGEST_BYTES
    assert developed.width == 320
    assert developed.notes == (
        f"Only its upper {developed.height / 8000:.0%} fit into 500000 bytes.",
    )


def test_transparency_is_shown_on_white() -> None:
    developed = develop(encoded(Image.new("RGBA", (10, 10), (255, 0, 0, 0))))

    assert opened(developed.pixels.png).getpixel((5, 5)) == (255, 255, 255)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGBA", "I;16"])
def test_every_kind_of_colour_is_understood(mode: str) -> None:
    developed = develop(encoded(Image.new(mode, (20, 20))))

    assert opened(developed.pixels.png).size == (20, 20)


@pytest.mark.parametrize("side", [10_000, 30_000, 2_000_000])
def test_a_decompression_bomb_is_refused_before_it_goes_off(side: int) -> None:
    assert refusal_of(png_of_size(side, side)).startswith("The picture is too large")


@pytest.mark.parametrize("size", [(0, 10), (10, 0), (0, 0)])
def test_a_picture_without_pixels_is_refused(size: tuple[int, int]) -> None:
    assert refusal_of(png_of_size(*size)).startswith("The picture ")


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"not a picture",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        encoded(page_picture())[:500],
        encoded(page_picture(), "JPEG")[:500],
        encoded(page_picture(), "BMP"),
        png_of_size(100, 100),
    ],
    ids=range(7),
)
def test_what_is_no_whole_picture_is_refused(sent: bytes) -> None:
    assert refusal_of(sent) == (
        "The picture cannot be read: send a whole PNG, JPEG, WEBP, GIF file"
    )


@settings(deadline=None, max_examples=300)
@given(
    st.sampled_from(
        [encoded(page_picture(40, 30), form) for form in ("PNG", "JPEG", "GIF", "WEBP")]
    ),
    st.lists(st.tuples(st.floats(0, 0.999), st.integers(0, 255)), min_size=1, max_size=20),
)
def test_a_spoilt_picture_is_taken_or_refused_and_never_an_accident(
    image: bytes, damage: list[tuple[float, int]]
) -> None:
    spoilt = bytearray(image)
    for place, value in damage:
        spoilt[int(place * len(spoilt))] = value

    with suppress(RefusedBatch):
        assert opened(develop(bytes(spoilt)).pixels.thumbnail).width == 320


def test_pillow_is_not_imported_before_the_first_picture() -> None:
    command = "import sys, gasoline.surfaces.daemon.server; sys.exit('PIL' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", command], check=False).returncode == 0
