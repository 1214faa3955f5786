"""What endpoints keep to, learned from what they answered."""

import json
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gasoline.analysis.contract import Contract
from gasoline.analysis.contract_violations import (
    ErrorSpike,
    Occurrences,
    ShapeChange,
    TypeChange,
    find_violations,
)
from gasoline.analysis.contracts import Contracts, learn_all
from gasoline.analysis.shape_notation import write_shape
from gasoline.records import NetworkBody
from tests.builders import NOON_MS

PROFILE = {"id": 1, "name": "Ann", "tags": ["a"], "address": {"city": "Ghent"}}


def answered(body: Any, *, status: int = 200, url: str = "/api/profile", **fields: Any) -> Any:
    text = body if isinstance(body, str) else json.dumps(body)
    fields = {"content_type": "application/json", "method": "GET", "at_ms": NOON_MS, **fields}
    return NetworkBody(url=url, status=status, response_body=text, **fields)


def learned(*exchanges: NetworkBody, most: int = 30) -> Contracts:
    return learn_all({}, exchanges, most=most)


def only(contracts: Contracts) -> Contract:
    (contract,) = contracts.values()
    return contract


def violations_after(good: Iterable[Any], *then: Any) -> list[tuple[str, str]]:
    contract = only(learned(*(answered(body) for body in (*good, *then))))
    return [
        (str(type(one).__struct_config__.tag), one.severity) for one in find_violations(contract)
    ]


# What breaks a contract


def test_a_missing_field_is_told_with_its_history() -> None:
    good = [answered({"id": 1, "avatar": "a.png"})] * 5
    later = answered({"id": 1}, at_ms=NOON_MS + 60_000)

    assert find_violations(only(learned(*good, later))) == [
        ShapeChange(
            endpoint="GET /api/profile",
            severity="warning",
            description=(
                "Response shape changed: field 'avatar' was present in 5 responses "
                "but missing in the latest response"
            ),
            occurrences=Occurrences(5, 1, "2026-03-01T12:00:00.000Z", "2026-03-01T12:01:00.000Z"),
            missing_fields=["avatar"],
            expected_shape={"id": "number", "avatar": "string"},
            actual_shape={"id": "number"},
        )
    ]


def test_a_changed_type_is_told_with_a_sample() -> None:
    exchanges = [answered({"price": 19.99})] * 3 + [answered({"price": "19.99"})]

    (violation,) = find_violations(only(learned(*exchanges)))

    assert isinstance(violation, TypeChange)
    assert violation.description == (
        "Field 'price' changed type from 'number' to 'string' in the latest response"
    )
    assert (violation.field, violation.expected_type, violation.actual_type) == (
        "price",
        "number",
        "string",
    )
    assert violation.sample_value == "19.99"


@pytest.mark.parametrize("personal", ["ann@example.com", "+32 475 12 34 56", "x" * 80])
def test_a_sample_that_may_be_personal_or_is_long_is_not_shown_whole(personal: str) -> None:
    (violation,) = find_violations(
        only(learned(*[answered({"contact": 1})] * 3, answered({"contact": personal})))
    )

    assert isinstance(violation, TypeChange)
    assert personal not in str(violation.sample_value)


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"id": 1, "name": "Ann", "tags": ["a"]}, ("shape_change", "warning")),
        (PROFILE | {"id": "1"}, ("type_change", "warning")),
        (PROFILE | {"name": None}, ("null_field", "info")),
        (PROFILE | {"tags": [1]}, ("array_shape_change", "warning")),
        (PROFILE | {"address": {}}, ("shape_change", "warning")),
        (PROFILE | {"extra": 1}, ("new_field", "info")),
        ([PROFILE], ("type_change", "warning")),
        (None, ("null_field", "info")),
    ],
)
def test_each_kind_of_change_has_its_name_and_severity(change: Any, found: tuple[str, str]) -> None:
    assert violations_after([PROFILE] * 3, change) == [found]


def test_nothing_is_wrong_before_three_responses_agree() -> None:
    assert violations_after([PROFILE] * 2, {"id": 1}) == []


def test_a_break_that_lasts_is_counted_and_does_not_become_normal() -> None:
    contract = only(learned(*[answered({"id": 1, "a": 1})] * 3, *[answered({"id": 1})] * 9))

    (violation,) = find_violations(contract)

    assert violation.occurrences is not None
    assert violation.occurrences.violation_count == 9
    assert violation.severity == "warning"


def test_a_field_that_comes_and_goes_is_taken_for_optional() -> None:
    with_it, without = answered({"id": 1, "a": 1}), answered({"id": 1})
    exchanges = [with_it] * 3 + [without, with_it] * 3

    (violation,) = find_violations(only(learned(*exchanges)))

    assert violation.severity == "info"
    assert violation.description.endswith("absent now and then, so probably optional")


def test_a_new_field_is_reported_once_and_may_then_be_absent() -> None:
    with_it = answered({"id": 1, "a": 1})
    contract = only(learned(*[answered({"id": 1})] * 3, with_it, with_it, answered({"id": 1})))

    (violation,) = find_violations(contract)

    assert violation.occurrences is not None
    assert violation.occurrences.violation_count == 1
    assert contract.shape is not None
    assert write_shape(contract.shape) == {"id": "number", "a?": "number"}


def test_ten_violations_of_an_endpoint_are_kept_and_the_eleventh_is_counted() -> None:
    fields = {f"field{'x' * number}": number for number in range(11)}
    broken = [answered({**fields, name: "text"}) for name in fields]

    contract = only(learned(*[answered(fields)] * 3, *broken))

    assert len(find_violations(contract)) == 10
    assert contract.breaches_left_out == 1


# Errors


def test_success_that_turns_into_errors_is_a_spike() -> None:
    good = answered({"id": 1}, status=201, method="POST")
    bad = answered({"error": "Database connection refused"}, status=500, method="POST")

    assert find_violations(only(learned(good, good, good, bad, bad))) == [
        ErrorSpike(
            endpoint="POST /api/profile",
            severity="critical",
            description=(
                "Endpoint returned success (201) 3 times, "
                "then switched to error (500) for the last 2 requests"
            ),
            status_history=[201, 201, 201, 500, 500],
            last_error_body={"error": "Database connection refused"},
        )
    ]


@pytest.mark.parametrize(
    ("statuses", "severities"),
    [
        ([200, 404], ["warning"]),
        ([200, 503, 200], []),
        ([500, 500], []),
        ([200, 500, 0], ["critical"]),
        ([200, 304, 0], []),
        ([200, *[500] * 25], ["critical"]),
    ],
)
def test_a_spike_is_at_the_end_of_what_is_remembered(
    statuses: list[int], severities: list[str]
) -> None:
    contract = only(learned(*(answered({"id": 1}, status=status) for status in statuses)))

    assert [one.severity for one in find_violations(contract)] == severities


def test_errors_leave_the_shape_alone() -> None:
    contract = only(learned(answered({"id": 1}), answered({"error": "no"}, status=500)))

    assert contract.shape is not None
    assert write_shape(contract.shape) == {"id": "number"}


def test_a_long_error_is_quoted_by_its_telling_words() -> None:
    long = answered({"error": "no such table", "trace": "x" * 300}, status=500)

    assert only(learned(answered({}), long)).last_error == "no such table"


def test_graphql_errors_are_errors_though_the_status_is_200() -> None:
    query = json.dumps({"query": "query Reviews { reviews { id } }"})
    bodies: list[Any] = [{"data": {"reviews": []}}] * 3 + [
        {"data": None, "errors": [{"message": "no"}]}
    ]

    contract = only(learned(*(answered(body, request_body=query) for body in bodies)))

    assert [type(one) for one in find_violations(contract)] == [ErrorSpike]


# What is no break


@pytest.mark.parametrize(
    "odd",
    [
        answered(""),
        answered('{"id": 1, "na'),
        answered("[Binary: 5120 bytes, image/png]", content_type="image/png"),
        answered('{"id":', response_truncated=True),
        answered("<html>", content_type="text/html"),
        answered("[" * 500 + "]" * 500, url="/api/deep"),
        answered('{"id":1,"id":2,"name":"Ann","tags":["a"],"address":{"city":"x"}}'),
        answered("[Skipped: body read timeout]"),
    ],
)
def test_bodies_that_cannot_be_compared_are_no_violation(odd: NetworkBody) -> None:
    contracts = learned(*[answered(PROFILE)] * 3, odd)

    assert [find_violations(contract) for contract in contracts.values()] == [[]] * len(contracts)


def test_null_before_the_first_value_says_nothing() -> None:
    assert violations_after([{"id": 1, "at": None}] * 3, {"id": 1, "at": "noon"}) == []


# Which requests belong together


def test_ids_in_the_path_do_not_make_endpoints() -> None:
    contracts = learned(*(answered(PROFILE, url=f"http://app/users/{n}?x={n}") for n in range(5)))

    assert [str(endpoint) for endpoint in contracts] == ["GET /users/:id"]


def test_readable_ids_that_vary_make_one_endpoint_and_later_ones_join_it() -> None:
    names = ["red-shoes", "blue-hat", "green-bag", "old-boots"]
    contract = only(learned(*(answered(PROFILE, url=f"/products/{name}") for name in names)))

    assert str(contract.endpoint) == "GET /products/:id"
    assert (contract.calls, contract.is_established) == (4, True)


@pytest.mark.parametrize(
    "urls",
    [
        ["/api/user-list", "/api/order-list", "/api/cart-list"],
        ["/settings/profile", "/settings/billing", "/settings/team"],
        ["/products/red-shoes", "/products/blue-hat"],
    ],
)
def test_siblings_that_are_kinds_of_things_stay_apart(urls: list[str]) -> None:
    assert len(learned(*(answered(PROFILE, url=url) for url in urls))) == len(urls)


def test_siblings_with_different_answers_stay_apart() -> None:
    bodies = [{"a": 1, "b": 1}, {"c": 1, "d": 1}, {"e": 1, "f": 1}]
    urls = ["/shop/red-shoes", "/shop/all-orders", "/shop/my-cart"]

    assert len(learned(*map(lambda body, url: answered(body, url=url), bodies, urls))) == 3


def test_two_servers_with_one_path_are_two_endpoints() -> None:
    assert len(learned(answered({}, url="http://a/x"), answered([], url="http://b/x"))) == 2


def test_an_address_that_does_not_parse_is_an_endpoint_of_its_own() -> None:
    assert [str(one) for one in learned(answered({}, url="http://[broken/1"))] == [
        "GET http://[broken/1"
    ]


def test_one_endpoint_past_the_limit_evicts_the_least_recently_called() -> None:
    urls = [f"/{letter}" for letter in "abc"]
    calls = [answered({}, url=url) for url in (*urls, "/a", "/d")]

    assert [str(one) for one in learned(*calls[:3], most=3)] == ["GET /a", "GET /b", "GET /c"]
    assert [str(one) for one in learned(*calls, most=3)] == ["GET /c", "GET /a", "GET /d"]


def test_twenty_statuses_are_remembered() -> None:
    contract = only(learned(*[answered({})] * 25))

    assert (len(contract.history), contract.calls, contract.statuses) == (20, 25, {200: 25})


# Properties

names = st.text("abcdefghij", min_size=1, max_size=4)
scalars = st.text(max_size=5) | st.integers() | st.booleans()
objects = st.dictionaries(names, scalars, min_size=1, max_size=4)
bodies = st.dictionaries(
    names, scalars | objects | st.lists(objects, min_size=1, max_size=1), min_size=1, max_size=5
)


def other_type(value: Any) -> Any:
    return 7 if isinstance(value, str | list | dict) else "text"


def mutations(body: dict[str, Any]) -> Iterable[tuple[Any, set[str]]]:
    """Every way to break a body at its top, within its objects and within its lists."""
    for name, value in body.items():
        yield {key: body[key] for key in body if key != name}, {"shape_change"}
        yield body | {name: other_type(value)}, {"type_change"}
        yield body | {name: None}, {"null_field"}
        inner = value[0] if isinstance(value, list) else value
        for key in inner if isinstance(inner, dict) else ():
            for broken, kind in (
                ({k: inner[k] for k in inner if k != key}, "shape_change"),
                (inner | {key: other_type(inner[key])}, "type_change"),
                (inner | {key: None}, "null_field"),
            ):
                in_list = isinstance(value, list)
                found = "array_shape_change" if in_list and kind != "null_field" else kind
                yield body | {name: [broken] if in_list else broken}, {found}


@settings(deadline=None)
@given(bodies)
def test_every_break_is_found_after_three_good_responses(body: dict[str, Any]) -> None:
    for broken, expected in mutations(body):
        found = violations_after([body] * 3, broken)

        assert {name for name, _ in found} == expected, broken


CHOICES: list[list[Any]] = [
    ["absent", 1],
    [None, "text"],
    [1, "text"],
    ["absent", None, {"a": 1}],
    [[], [1]],
    [[{"a": 1}], [{"a": 1, "b": 2}], [{"a": None}]],
    [{"a": 1}, "text"],
]
Varying = dict[str, list[Any]]


def combine(fixed: dict[str, Any], varying: dict[str, Any]) -> dict[str, Any]:
    return fixed | {f"v{name}": value for name, value in varying.items() if value != "absent"}


@settings(max_examples=100, deadline=None)
@given(
    objects,
    st.dictionaries(
        names, st.sampled_from(CHOICES).flatmap(st.permutations), min_size=1, max_size=3
    ),
    st.randoms(use_true_random=False),
)
def test_what_an_endpoint_was_seen_to_vary_is_never_a_violation(
    fixed: dict[str, Any], varying: Varying, random: Any
) -> None:
    # Each choice of each field is seen once; together they have not been seen.
    shown = [
        combine(fixed, {name: (choices * 3)[turn] for name, choices in varying.items()})
        for turn in range(3)
    ]
    # A hundred examples of a hundred each make ten thousand valid variations.
    later = [
        combine(fixed, {name: random.choice(choices) for name, choices in varying.items()})
        for _ in range(100)
    ]

    assert violations_after(shown, *later) == []


@settings(deadline=None)
@given(
    st.lists(
        st.builds(
            NetworkBody,
            url=st.text(max_size=20) | st.just("http://["),
            method=st.text(max_size=5),
            status=st.integers(-1, 999),
            content_type=st.sampled_from(["", "application/json", "text/html"]),
            request_body=st.none() | st.text(max_size=20) | st.just('{"query": "{a}"}'),
            response_body=st.none()
            | st.text(max_size=20)
            | st.sampled_from(["[" * 500 + "]" * 500, '{"a":1,"a":[]}', '{"errors":[1]}', "1e999"]),
            response_truncated=st.booleans(),
        ),
        max_size=8,
    )
)
def test_whatever_was_captured_can_be_learned_from(exchanges: list[NetworkBody]) -> None:
    contracts = learned(*exchanges, most=3)

    assert len(contracts) <= 3
    assert all(isinstance(find_violations(one), list) for one in contracts.values())


def test_a_megabyte_of_address_is_not_kept() -> None:
    contract = only(learned(answered({}, url="data:application/json," + "x" * 1_000_000)))

    assert len(str(contract.endpoint)) < 600
    assert len(contract.url) <= 500
