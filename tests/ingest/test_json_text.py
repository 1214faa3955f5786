"""JSON as browsers really write it."""

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gasoline.ingest import RefusedBatch
from gasoline.ingest.json_text import mend_half_pairs, read_object

TEXT = st.text(st.characters() | st.characters(categories=["Cs"]) | st.sampled_from('\\u"dD89'))


def without_halves(text: str) -> str:
    """Pairs joined, halves replaced: how a browser shows such a string."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


@given(TEXT)
def test_only_halves_are_replaced(text: str) -> None:
    mended = mend_half_pairs(json.dumps(text).encode())

    assert msgspec.json.decode(mended) == without_halves(text)


@given(st.text())
def test_whole_text_is_left_alone(text: str) -> None:
    written = json.dumps(text).encode()

    assert mend_half_pairs(written) == written


def test_an_object_with_half_an_emoji_is_read() -> None:
    assert read_object(rb'{"title":"cut \ud83d","n":1}') == {"title": "cut \ufffd", "n": 1}


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"null", b'"a"', b"\xff", b'{"a":"\xed\xa0\xbd"}', b'{"a":' * 100_000],
)
def test_what_is_no_object_is_refused(body: bytes) -> None:
    with pytest.raises(RefusedBatch, match="Invalid JSON"):
        read_object(body)
