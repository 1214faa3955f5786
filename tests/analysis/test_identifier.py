"""Which texts name one thing among many."""

import pytest

from gasoline.analysis.identifier import is_identifier, is_slug


@pytest.mark.parametrize(
    "text",
    [
        "7",
        "123E4567-e89b-12d3-a456-426614174000",
        "deadbeef01",
        "5f8d0d55b54764421b7156c9",
        "2026-03-01",
        "2026-03-01T12:00:00Z",
        "01ARZ3NDEKTSV4RRFFQ69G5FAV",
        "V1StGXR8_Z5jdHi6B9myT",
        "ann@example.com",
    ],
)
def test_numbers_hashes_dates_tokens_and_addresses_are_ids(text: str) -> None:
    assert is_identifier(text)


@pytest.mark.parametrize(
    "text",
    ["", "users", "feedface", "v1", "oauth2", "getUserByEmail2024", "red-shoes", "1" * 129, "٣"],
)
def test_words_are_no_ids(text: str) -> None:
    assert not is_identifier(text)


@pytest.mark.parametrize("text", ["red-shoes", "sku42", "size_12", "v1.2", "covid-19"])
def test_words_joined_or_numbered_may_be_readable_ids(text: str) -> None:
    assert is_slug(text)


@pytest.mark.parametrize("text", ["users", "", "-", "a" * 64 + "-" + "b" * 64])
def test_plain_words_are_no_readable_ids(text: str) -> None:
    assert not is_slug(text)
