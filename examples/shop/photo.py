"""Large pictures out of nothing: a gradient as a bitmap, which is as big as pictures get."""

import struct
from zlib import crc32

HEADERS_BYTES = 54


def paint(name: str, width: int) -> bytes:
    """Paint a bitmap of this width, four to three, in a colour that belongs to the name."""
    width -= width % 4  # rows of a bitmap are padded to four bytes; these need no padding
    height = width * 3 // 4
    blue, green, red = (96 + part % 112 for part in crc32(name.encode()).to_bytes(4, "big")[:3])
    rows = (
        bytes((blue * row // height + 40, green * row // height + 40, red * row // height + 40))
        * width
        for row in range(height)
    )
    pixels = b"".join(rows)
    file_header = struct.pack("<2sIHHI", b"BM", HEADERS_BYTES + len(pixels), 0, 0, HEADERS_BYTES)
    picture_header = struct.pack(
        "<IiiHHIIiiII", 40, width, height, 1, 24, 0, len(pixels), 2835, 2835, 0, 0
    )
    return file_header + picture_header + pixels
