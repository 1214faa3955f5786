"""The numbers of a source map: base64 digits of five bits, the lowest first, the sign in the last.

https://tc39.es/ecma426/#sec-base64-vlq
"""

_DIGITS = {
    digit: value
    for value, digit in enumerate(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    )
}
_CONTINUES = 32
LARGEST = 2**31 - 1
UNMAPPED, MAPPED, NAMED = 1, 4, 5


class InvalidMapError(ValueError):
    """A source map that breaks the specification; the message says how."""


def decode_segment(segment: str) -> tuple[int, ...]:
    """The fields of one segment: one, four or five of them."""
    fields: list[int] = []
    value = shift = 0
    for letter in segment:
        digit = _DIGITS.get(letter)
        if digit is None:
            raise InvalidMapError(f"{letter!r} in the mappings is no base64 digit")
        value |= (digit & (_CONTINUES - 1)) << shift
        shift += 5
        if not digit & _CONTINUES:
            fields.append(_with_sign(value))
            value = shift = 0
    if shift:
        raise InvalidMapError("a number in the mappings is cut off")
    if len(fields) not in {UNMAPPED, MAPPED, NAMED}:
        raise InvalidMapError(f"a mapping has {len(fields)} fields, not 1, 4 or 5")
    return tuple(fields)


def _with_sign(value: int) -> int:
    number = value >> 1
    if number > LARGEST:
        raise InvalidMapError("a number in the mappings has over 32 bits")
    return -number if value & 1 else number
