"""The same request whatever ids it carries."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gasoline.analysis.endpoint import endpoint_of, path_template
from gasoline.records import NetworkBody


@pytest.mark.parametrize(
    ("url", "template"),
    [
        ("http://app/users/123/posts", "/users/:id/posts"),
        ("/a/1/2", "/a/:id/:id"),
        ("/orders/123E4567-e89b-12d3-a456-426614174000", "/orders/:id"),
        ("/blob/deadbeef01?x=1#part", "/blob/:id"),
        ("/facade/feedface", "/facade/feedface"),
        ("/mail/ann%40example.com", "/mail/:id"),
        ("/login/[redacted:jwt:eyJhbG...abc]", "/login/:id"),
        ("http://app", "/"),
        ("http://[broken/12", "http://[broken/12"),
        ("", "/"),
    ],
)
def test_ids_are_replaced_segment_by_segment(url: str, template: str) -> None:
    assert path_template(url) == template


@given(st.text())
def test_any_text_has_a_template(url: str) -> None:
    assert isinstance(path_template(url), str)


def test_an_endpoint_is_method_and_path_template() -> None:
    asked = NetworkBody(url="http://app:8000/users/7?full=1", method="get")

    assert str(endpoint_of(asked)) == "GET /users/:id"
    assert endpoint_of(asked).origin == "http://app:8000"


@pytest.mark.parametrize(
    ("body", "operation"),
    [
        ({"query": "query Reviews($id: Int!) { reviews }"}, "Reviews"),
        ({"query": "# why\n mutation AddReview { add }"}, "AddReview"),
        ({"query": "query A { a } query B { b }", "operationName": "B"}, "B"),
        ({"query": "{ reviews { id } }"}, "reviews"),
        ({"query": "query ($id: ID!) { best: product(id: $id) { id } }"}, "product"),
        ({"query": "{"}, "anonymous"),
        ({"operationName": "Stored", "extensions": {"persistedQuery": {}}}, "Stored"),
        ([{"query": "query A { a }"}, {"query": "query B { b }"}], "A,B"),
    ],
)
def test_graphql_is_told_apart_by_operation(body: Any, operation: str) -> None:
    asked = NetworkBody(url="http://app/graphql", method="POST", request_body=json.dumps(body))

    assert str(endpoint_of(asked)) == f"POST /graphql {operation}"


def test_graphql_over_get_is_told_apart_too() -> None:
    asked = NetworkBody(url="http://app/graphql?query=query%20Reviews%20%7B%20id%20%7D")

    assert endpoint_of(asked).operation == "Reviews"


@pytest.mark.parametrize(
    "body", ["", "{", "7", "[]", '{"query":"red shoes"}', '{"query":7}', '[{"query":"{a}"},7]']
)
def test_a_search_is_no_graphql(body: str) -> None:
    asked = NetworkBody(url="http://app/search?query=shoes", method="POST", request_body=body)

    assert endpoint_of(asked).operation is None
