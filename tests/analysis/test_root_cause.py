"""What led to the event that a test most likely failed of."""

from typing import Any

import msgspec
import pytest

from gasoline.analysis.abnormal import AbnormalEvent
from gasoline.analysis.clues import Clue
from gasoline.analysis.root_cause import find_nulls, find_root_cause
from gasoline.records import NetworkBody
from gasoline.records.ai_context import AiContext, SnippetLine, SourceSnippet
from tests.builders import NOON_MS


def event(title: str, kind: str = "exception") -> AbnormalEvent:
    return AbnormalEvent(
        at_ms=NOON_MS + 500, kind=kind, severity="error", title=title, signature=title
    )


def answered(body: str = "{}", **fields: Any) -> NetworkBody:
    known: dict[str, Any] = {"url": "http://app/api/cart", "status": 200, "at_ms": NOON_MS}
    return NetworkBody(response_body=body, **(known | fields))


def test_a_method_that_is_missing_is_joined_to_the_field_of_another_type() -> None:
    items = answered('{"items":[{"price":{"amount":"18.50"}}]}')

    cause = find_root_cause(event("price.amount.toFixed is not a function"), [items], [])

    assert cause == "GET /api/cart had answered 200 with text in items[].price.amount"


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("data.total.toFixed is not a function", "with text in total"),
        ("data.list is not iterable", "with null in list"),
        ("data.options.map is not a function", "with an object in options"),
    ],
)
def test_a_field_that_does_not_fit_is_named_at_the_top_of_an_answer_too(
    message: str, said: str
) -> None:
    answer = answered('{"total":"12","list":null,"options":{"a":1}}')

    cause = find_root_cause(event(message), [answer], [])

    assert (cause or "").endswith(said)


def test_no_null_of_an_answer_makes_anything_undefined() -> None:
    answer = answered('{"user":null}')
    read = "Cannot read properties of undefined (reading 'name')"

    assert find_root_cause(event(read), [answer], []) is None


def test_an_answer_unlike_the_others_explains_better_than_any_null() -> None:
    cart = answered('{"note":null}')
    unlike = [
        Clue("GET /api/cart answered otherwise in note", "", cart),
        Clue("GET /api/cart answered null in total", "", cart),
    ]

    cause = find_root_cause(
        event("Cannot read properties of null (reading 'total')"), [cart], unlike
    )

    assert cause == "GET /api/cart answered null in total"


def test_a_complaint_right_after_a_refusal_is_about_it() -> None:
    refused = answered('{"error":"wrong password"}', status=401)

    assert (
        find_root_cause(event("Login failed", "console"), [refused], [])
        == 'GET /api/cart had answered 401: "wrong password"'
    )


@pytest.mark.parametrize(
    "refused",
    [
        answered(status=401, at_ms=NOON_MS - 600),  # long before
        answered(status=401, at_ms=NOON_MS + 501),  # after
        answered(status=200),
    ],
)
def test_what_has_nothing_to_do_with_an_event_is_not_its_cause(refused: NetworkBody) -> None:
    assert find_root_cause(event("Login failed", "console"), [refused], []) is None


@pytest.mark.parametrize(
    ("body", "nulls"),
    [
        ('{"a":{"b":null},"c":1}', ["a.b"]),
        ('{"items":[{"price":null}]}', ["items[].price"]),
        ("null", []),
        ("[]", []),
        ("not json", []),
        (None, []),
    ],
)
def test_null_fields_are_found_by_path(body: str | None, nulls: list[str]) -> None:
    assert find_nulls(answered(body or "")) == nulls


def test_the_line_that_threw_tells_which_null_it_read() -> None:
    line = SnippetLine(3, "  return order.total.amount", is_error=True)
    context = AiContext(source_snippets=[SourceSnippet("src/pay.ts", 3, 22, [line])])
    order = answered('{"coupon":null,"total":null}')
    missing = answered('{"coupon":null}')
    read_null = "TypeError: Cannot read properties of null (reading 'amount')"
    read_undefined = read_null.replace("null", "undefined")

    assert find_root_cause(
        msgspec.structs.replace(event(read_null), context=context), [order], []
    ) == ("GET /api/cart had answered 200 with null in total")
    assert find_root_cause(
        msgspec.structs.replace(event(read_undefined), context=context), [missing], []
    ) == ("GET /api/cart had answered 200 without total")
