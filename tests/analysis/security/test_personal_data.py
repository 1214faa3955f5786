"""Personal data by the name of its field and by its form."""

import json
from typing import Any

import pytest

from gasoline.analysis.security.personal_data import (
    DEPTH,
    MOST_MATCHES,
    SEARCHED_CHARS,
    find_in_json,
    find_in_text,
    passes_luhn,
)


def kinds_in(content: Any) -> set[str]:
    return {field.kind for field in find_in_json(json.dumps(content))}


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ({"email": "ann@mailpost.no"}, "email"),
        ({"userEmail": "ann@mailpost.no"}, "email"),
        ({"note": "write to ann@mailpost.no"}, "email"),
        ({"phone": "2025550143"}, "phone"),
        ({"phone_number": 12025550143}, "phone"),
        ({"x": "(202) 555-0143"}, "phone"),
        ({"x": "+1 202 555 0143"}, "phone"),
        ({"ssn": "[redacted:ssn:***]"}, "ssn"),
        ({"x": "078-05-1120"}, "ssn"),
        ({"credit_card": "4242424242424242"}, "credit_card"),
        ({"x": "4242 4242 4242 4242"}, "credit_card"),
        ({"address": "12 Harbour Lane"}, "address"),
        ({"billing_address": {"street": "12 Harbour Lane"}}, "address"),
        ({"date_of_birth": "1990-05-21"}, "date_of_birth"),
        ({"dob": "1990-05-21"}, "date_of_birth"),
    ],
)
def test_personal_data_is_found(content: Any, kind: str) -> None:
    assert kinds_in(content) == {kind}


@pytest.mark.parametrize(
    "content",
    [
        {"email": None, "phone": "", "address": []},
        {"errors": {"email": ["is required"], "phone": ["is invalid"]}},
        {"email": "required"},
        {"contact": "support@shop.io", "from": "no-reply@shop.io"},
        {"icon": "logo@2x.png"},
        {"ipAddress": "10.0.0.1 10.0.0.2", "macAddress": "aa bb"},
        {"id": 1772355600000, "price": 12025550143, "at": "1772355600"},
        {"x": "4242424242424241"},
        {"x": "0000 0000 0000 0000"},
        {"version": "1.2.3-4567", "range": "10-20-3000"},
        {"telemetry": "on", "cellular": True, "mailing": "weekly"},
        "ann@mailpost.no",
        17,
    ],
)
def test_what_only_looks_like_it_is_not(content: Any) -> None:
    assert kinds_in(content) == set()


def test_keys_are_walked_to_the_depth_and_no_deeper() -> None:
    def nested(depth: int) -> Any:
        content: Any = {"email": "ann@mailpost.no"}
        for _ in range(depth - 1):
            content = {"a": content}
        return content

    assert kinds_in(nested(DEPTH)) == {"email"}
    assert kinds_in(nested(DEPTH + 1)) == set()


def test_json_that_was_cut_off_is_searched_as_far_as_it_goes() -> None:
    cut = '{"users":[{"id":1,"email":"ann@mailpost.no","phone":"+1 202 555 0143"},{"id":2,"em'

    assert {field.kind for field in find_in_json(cut)} == {"email", "phone"}


@pytest.mark.parametrize(
    "body", ["", "\x00\x01", "<p>ann@mailpost.no</p>", "[" * 500, '{"a":' * 500]
)
def test_what_is_no_json_is_skipped(body: str) -> None:
    assert find_in_json(body) == []


def test_ten_kilobytes_are_searched_and_a_hundred_matches_kept() -> None:
    within = "x" * (SEARCHED_CHARS - 16) + " ann@mailpost.no"
    many = "ann@mailpost.no " * (MOST_MATCHES + 1)

    assert len(find_in_text(within)) == 1
    assert (
        find_in_text("x" + within) == [] or find_in_text("x" + within)[0].value != "ann@mailpost.no"
    )
    assert len(find_in_text(many)) == MOST_MATCHES


def test_ten_thousand_keys_and_duplicates_are_no_trouble() -> None:
    keys = ",".join(f'"k{n}":{n}' for n in range(10_000))

    fields = find_in_json(
        f'{{{keys},"email":"a","email":"ann@mailpost.no"}}'.replace('"k0":0', '"email":"b@c.no"')
    )

    assert [field.value for field in fields] == ["ann@mailpost.no"]


@pytest.mark.parametrize(
    ("value", "is_mock"),
    [
        ("test@mailpost.no", True),
        ("mock.user@mailpost.no", True),
        ("jane@example.com", False),
        ("ann@mailpost.no", False),
    ],
)
def test_a_mock_is_told_by_what_stands_before_the_at(value: str, is_mock: bool) -> None:  # noqa: FBT001  # a case
    (field,) = find_in_text(value)

    assert field.is_mock is is_mock


@pytest.mark.parametrize(
    ("number", "valid"), [("4242424242424242", True), ("4242424242424241", False)]
)
def test_the_check_digit_of_a_card_is_checked(number: str, valid: bool) -> None:  # noqa: FBT001  # a case
    assert passes_luhn(number) is valid
