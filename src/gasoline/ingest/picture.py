"""A picture as it is kept: a PNG of bounded size, and a thumbnail.

Pillow is imported with the first picture: a server that never sees one does not pay for it.
"""

import io
import struct
import sys
import zlib
from typing import TYPE_CHECKING

from msgspec import Struct

from gasoline.ingest.refusal import RefusedBatch
from gasoline.records.screenshot import Pixels

if TYPE_CHECKING:
    from PIL import Image

FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
WIDEST = 1280
TALLEST = 16_384
LARGEST_BYTES = 500_000
THUMBNAIL_WIDTH = 320
# More of a tall page would not show anything more on that width.
TALLEST_THUMBNAIL = 640
# A page of full height on a display of double density; decoding it takes 160 MB for a moment.
MOST_PIXELS = 40_000_000
# Below the thumbnail's width there is nothing left to see.
NARROWEST = THUMBNAIL_WIDTH
# Never small enough in full colour, and trying takes seconds.
LONG_PIXELS = 4_000_000
SAMPLED_PIXELS = 500_000
# The next size is guessed from the last; a little less than that saves a round.
CAUTION = 0.9

NOT_A_PICTURE = (
    OSError,
    SyntaxError,
    ValueError,
    EOFError,
    IndexError,
    struct.error,
    zlib.error,
)


class Developed(Struct, frozen=True):
    """A picture ready to keep, and what had to be done to it."""

    pixels: Pixels
    width: int
    height: int
    sent_format: str
    notes: tuple[str, ...]


def count_pixels(sent: bytes) -> int:
    """How many pixels a picture has, as its head says; none when it has no readable head."""
    from PIL import Image  # noqa: PLC0415  # see above

    try:
        image = Image.open(io.BytesIO(sent), formats=FORMATS)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning, *NOT_A_PICTURE):
        return 0
    return image.width * image.height


def develop(sent: bytes) -> Developed:
    """Make a bounded PNG of any picture, or refuse it with the reason."""
    try:
        return _develop(sent)
    finally:
        _give_back_memory()


def _develop(sent: bytes) -> Developed:
    notes: list[str] = []
    picture, sent_format = _open(sent)
    if picture.height > TALLEST:
        notes.append(f"The picture was {picture.height} px tall: cropped to {TALLEST} px.")
        picture = picture.crop((0, 0, picture.width, TALLEST))
    fitted, png = _fit(picture)
    if fitted.width < picture.width:
        notes.append(f"Scaled from {picture.width} to {fitted.width} px in width.")
    shown = fitted.height / _height_at(picture, fitted.width)
    if shown < 1:
        notes.append(f"Only its upper {shown:.0%} fit into {LARGEST_BYTES} bytes.")
    pixels = Pixels(png, _write_png(_thumbnail(fitted)))
    return Developed(pixels, fitted.width, fitted.height, sent_format, tuple(notes))


def _open(sent: bytes) -> tuple["Image.Image", str]:
    """Its colours, and the name of its format."""
    from PIL import Image  # noqa: PLC0415  # see above

    try:
        image = Image.open(io.BytesIO(sent), formats=FORMATS)
        _check_size(image)
        picture = _flatten(image)
    except (
        Image.DecompressionBombError,
        Image.DecompressionBombWarning,
        MemoryError,
    ) as error:
        raise RefusedBatch(f"The picture is too large: over {MOST_PIXELS} pixels") from error
    except NOT_A_PICTURE as error:
        raise RefusedBatch(
            f"The picture cannot be read: send a whole {', '.join(FORMATS)} file"
        ) from error
    return picture, image.format or ""


def _check_size(image: "Image.Image") -> None:
    if image.width < 1 or image.height < 1:
        raise RefusedBatch("The picture is empty: it has no width or no height")
    if image.width * image.height > MOST_PIXELS:
        raise RefusedBatch(
            f"The picture is too large: {image.width} x {image.height}, over {MOST_PIXELS} pixels"
        )


def _flatten(image: "Image.Image") -> "Image.Image":
    """Opaque colours: what is transparent is shown on white, as a page would show it."""
    from PIL import Image  # noqa: PLC0415  # see above

    image.load()
    if not image.has_transparency_data:
        # Converting copies, even where there is nothing to convert.
        return image if image.mode == "RGB" else image.convert("RGB")
    coloured = image.convert("RGBA")
    page = Image.new("RGB", image.size, "white")
    page.paste(coloured, mask=coloured)
    return page


def _fit(picture: "Image.Image") -> tuple["Image.Image", bytes]:
    """Make the PNG small enough: at most so wide, fewer colours, narrower, and at last shorter."""
    fitted = _scale(picture, min(picture.width, WIDEST))
    is_long = fitted.width * fitted.height > LONG_PIXELS
    png = b"" if is_long else _write_png(fitted)
    if is_long or len(png) > LARGEST_BYTES:
        # Text stays readable with 256 colours; it does not on half the width.
        png = _write_png(_reduce_colours(fitted))
    narrowest = min(NARROWEST, picture.width)
    while len(png) > LARGEST_BYTES:
        share = LARGEST_BYTES / len(png) * CAUTION
        if fitted.width > narrowest:
            fitted = _scale(picture, max(narrowest, int(fitted.width * share**0.5)))
        else:
            fitted = fitted.crop((0, 0, fitted.width, max(1, int(fitted.height * share))))
        png = _write_png(_reduce_colours(fitted))
    return fitted, png


def _reduce_colours(picture: "Image.Image") -> "Image.Image":
    from PIL import Image  # noqa: PLC0415  # see above

    # Chosen from a part of the pixels: choosing from all takes three times the memory.
    share = min(1.0, (SAMPLED_PIXELS / (picture.width * picture.height)) ** 0.5)
    size = (max(1, int(picture.width * share)), max(1, int(picture.height * share)))
    sample = picture.resize(size, Image.Resampling.NEAREST)
    palette = sample.quantize(method=Image.Quantize.FASTOCTREE)
    return picture.quantize(palette=palette, dither=Image.Dither.NONE)


def _scale(picture: "Image.Image", width: int) -> "Image.Image":
    from PIL import Image  # noqa: PLC0415  # see above

    if width == picture.width:
        return picture
    size = (width, _height_at(picture, width))
    return picture.resize(size, Image.Resampling.LANCZOS, reducing_gap=2.0)


def _height_at(picture: "Image.Image", width: int) -> int:
    return max(1, round(picture.height * width / picture.width))


def _thumbnail(picture: "Image.Image") -> "Image.Image":
    tallest = max(1, picture.width * TALLEST_THUMBNAIL // THUMBNAIL_WIDTH)
    top = picture.crop((0, 0, picture.width, min(picture.height, tallest)))
    return _scale(top, THUMBNAIL_WIDTH)


def _give_back_memory() -> None:
    """The C library keeps what a thread has freed: 13 MB after 25 pictures if nobody asks."""
    if sys.platform != "linux":
        return
    import ctypes  # noqa: PLC0415  # like Pillow, only where there are pictures

    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def _write_png(picture: "Image.Image") -> bytes:
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()
