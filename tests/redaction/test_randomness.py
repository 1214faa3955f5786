"""Telling letters that were drawn from letters that were written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gasoline.redaction.randomness import looks_random


@pytest.mark.parametrize(
    "value",
    [
        b"5d41402abc4b2a76b9719d911017c592",
        b"Zf3D0LXCM3EIMbgJpUNnkRtOfOueHznB",
        b"q4k8f0z1w9x7c3v5",
        b"prefix-9fK2mZq8LwX1-suffix",
        b"vzhlqknrqlhtbxwp",
    ],
)
def test_what_was_drawn_is_random(value: bytes) -> None:
    assert looks_random(value)


@pytest.mark.parametrize(
    "value",
    [
        b"",
        b"getUserTokenFromStorage",
        b"authentication-required",
        b"my-component-v2-2026-release",
        b"internationalization",
        b"user-1234-session-5678",
        b"20260301120000",
        b"customer_subscription_updated",
        b"ERR_TOKEN_EXPIRED_OR_REVOKED",
    ],
)
def test_what_was_written_is_not(value: bytes) -> None:
    assert not looks_random(value)


@given(st.binary(max_size=200))
def test_any_bytes_can_be_judged(value: bytes) -> None:
    assert looks_random(value) in (True, False)
