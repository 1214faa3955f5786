"""JSON as browsers really write it."""

import re
from typing import Any

import msgspec

from gasoline.ingest.refusal import RefusedBatch

NOT_JSON = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)

# An escaped character and a whole pair are matched only to be stepped over.
_HALF_PAIR = re.compile(
    rb"(\\[^u]|\\u[dD][89abAB]..\\u[dD][c-fC-F]..)|\\u[dD][89a-fA-F]..", re.DOTALL
)


def mend_half_pairs(body: bytes) -> bytes:
    """Replace each half of a surrogate pair, which JavaScript writes for a cut emoji."""
    return _HALF_PAIR.sub(lambda found: found[1] or rb"\ufffd", body)


def read_object(body: bytes) -> dict[str, Any]:
    """The one object a small request consists of, or a refusal."""
    try:
        return _object_decoder.decode(body)
    except NOT_JSON:
        pass
    try:
        return _object_decoder.decode(mend_half_pairs(body))
    except NOT_JSON as error:
        raise RefusedBatch("Invalid JSON") from error


_object_decoder = msgspec.json.Decoder(dict[str, Any])
