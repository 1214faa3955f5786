"""What a token can prove about itself."""

import pytest

from gasoline.redaction.checks import has_checksum, is_jwt, read_supabase_role


@pytest.mark.parametrize(
    "token",
    # Made of the text and its CRC-32 in base 62, as GitHub documents it.
    [b"ghp_" + b"zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ" + b"0mLq17"],
)
def test_a_right_checksum_is_known(token: bytes) -> None:
    assert has_checksum(token)


@pytest.mark.parametrize("token", [b"ghp_" + b"a1B2" * 9, b"npm_", b"", b"ghp_abc", b"\xff" * 40])
def test_a_wrong_checksum_is_not(token: bytes) -> None:
    assert not has_checksum(token)


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        (b"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", True),
        (b"eyJhbGciOiJub25l.eyJzdWIiOiIxMjM0", True),
        (b"eyJ\xff.x", False),
        (b"eyJ" + b"a1B2c3D4e5F6g7H8.abcdefghij.klmnopqrst", False),
        (b"", False),
    ],
)
def test_the_header_of_a_json_web_token_is_json(token: bytes, expected: bool) -> None:  # noqa: FBT001  # a case
    assert is_jwt(token) is expected


@pytest.mark.parametrize(
    "token", [b"eyJ.e30.x", b"a.\xff.c", b"eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoiYW5vbiJ9.x"]
)
def test_other_tokens_have_no_role_at_supabase(token: bytes) -> None:
    assert read_supabase_role(token) is None
