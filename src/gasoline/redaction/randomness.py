"""Telling letters that were drawn from letters that were written."""

from itertools import pairwise
from string import ascii_lowercase, ascii_uppercase, digits

from gasoline.redaction.patterns import compile_bytes

_RUN = compile_bytes(r"[A-Za-z0-9]{12,}", capture=False)
_CLASSES = tuple(letters.encode() for letters in (ascii_lowercase, ascii_uppercase, digits))
_CLASS_OF = {code: index for index, letters in enumerate(_CLASSES) for code in letters}
_DIGIT = 2
_VOWELS = frozenset(b"aeiouAEIOU")

# Measured on words and identifiers on one side, on hex and base62 of 16 letters on the other:
# drawn letters change between small, capital and digit at every second step, written ones seldom.
_FEWEST_CHANGES = 0.2
# A third of what people write are vowels, a fifth of what is drawn.
_MOST_VOWELS = 0.3
_SHORTEST_WITHOUT_DIGIT = 16


def looks_random(value: bytes) -> bool:
    """Tell whether any unbroken run of letters and digits is more than words and numbers."""
    return any(_is_random(run) for run in _RUN.findall(value))


def has_digit_or_noise(value: bytes) -> bool:
    return any(_CLASS_OF.get(code) == _DIGIT for code in value) or looks_random(value)


def _is_random(run: bytes) -> bool:
    classes = [_CLASS_OF[code] for code in run]
    if _DIGIT in classes:
        changes = sum(first != second for first, second in pairwise(classes))
        return changes / (len(run) - 1) >= _FEWEST_CHANGES
    vowels = sum(code in _VOWELS for code in run)
    return len(run) >= _SHORTEST_WITHOUT_DIGIT and vowels / len(run) < _MOST_VOWELS
