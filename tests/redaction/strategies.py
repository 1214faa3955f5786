"""Text and records that are full of secrets, near-secrets and the punctuation around them."""

from typing import Final

from hypothesis import strategies as st

from tests.redaction.samples import AROUND, AWS_SECRET, TOKENS

_NAMES = (
    "password",
    "newPassword",
    "api_key",
    "secret",
    "access_token",
    "token",
    "key",
    "code",
    "sid",
    "cookie",
    "Authorization",
    "pin",
    "cvv",
    "max_tokens",
    "author",
    "card",
    "session_id",
    "X-Amz-Signature",
)
_ENCODED = ("%22%3A%22", "&quot;:&quot;", "&#34;: &#34;", "\\u0022:\\u0022", "\\\\u0022:")
_JOINTS = (
    "=",
    ":",
    ": ",
    " = ",
    "%3D",
    '":"',
    "':'",
    '\\":\\"',
    '": ',
    "]=",
    '" value="',
    "",
    *_ENCODED,
)
_VALUES = (
    "hunter2",
    "abcdefgh1",
    "word",
    "null",
    "123",
    "true",
    "a b",
    "***",
    "é€",
    "a8f7d9e0b1c2d3e4f5",
)
_PUNCTUATION = (
    *"\"'\\?&#;,:=[](){}<>/@ \n\t.-_*%",
    '\\"',
    '\\\\\\"',
    "\\n",
    "\\u003c",
    "\\u0022",
    "\x1f",
    "&quot;",
    "%22",
    "%26",
    "... [truncated]",
    "[redacted]",
    "[redacted:jwt:***]",
    "[redacted:secret:abcdef...xyz]",
    "://",
    "Bearer ",
    "Basic ",
    "aws ",
    "read(",
    "self.",
    "\x00",
)

_pieces = st.one_of(
    st.sampled_from(_NAMES),
    st.sampled_from(_JOINTS),
    st.sampled_from(_VALUES),
    st.sampled_from(_PUNCTUATION),
    st.sampled_from([*TOKENS.values(), AWS_SECRET, *(b for b, _ in AROUND.values())]),
    st.text(max_size=4),
)

secret_texts: Final = st.lists(_pieces, max_size=12).map("".join)

_keys = st.one_of(
    st.sampled_from(_NAMES),
    st.sampled_from(
        [
            "headers",
            "value",
            "name",
            "type",
            "inputType",
            "id",
            "testId",
            "selectors",
            "url",
            "body",
        ]
    ),
    secret_texts,
)
_scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**40), 2**40),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([*_NAMES, *_VALUES, *TOKENS.values(), "password", "cc-csc"]),
    secret_texts,
)

json_values: Final = st.recursive(
    _scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_keys, inner, max_size=5),
    max_leaves=12,
)
