"""An OpenAPI document of what was seen, judged by a public validator."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openapi_spec_validator import OpenAPIV31SpecValidator

from gasoline.analysis.contracts import learn_all
from gasoline.generation.openapi import describe_api, write_openapi
from gasoline.records import NetworkBody


def answered(body: Any, **fields: Any) -> NetworkBody:
    given_fields = {"url": "http://app/api/products/7", "status": 200, **fields}
    return NetworkBody(response_body=json.dumps(body), **given_fields)


def described(*exchanges: NetworkBody) -> dict[str, Any]:
    document = describe_api(learn_all({}, exchanges, most=30).values())
    OpenAPIV31SpecValidator(document).validate()
    return document


def schema_of(*bodies: Any) -> Any:
    document = described(*(answered(body) for body in bodies))
    (operation,) = document["paths"]["/api/products/{products_id}"].values()
    return operation["responses"]["200"]["content"]["application/json"]["schema"]


def test_an_endpoint_is_described_with_what_it_was_sent_and_answered() -> None:
    order = {"url": "http://app/api/orders", "method": "POST", "request_body": '{"id":1}'}
    document = described(
        answered(
            {"number": "HL-1"},
            **order,
        ),
        answered({"error": "no"}, **order | {"status": 500}),
    )

    assert document["servers"] == [{"url": "http://app"}]
    assert document["paths"] == {
        "/api/orders": {
            "post": {
                "summary": "POST /api/orders",
                "requestBody": {
                    "content": {
                        "application/json": {
                            "schema": {
                                "type": "object",
                                "properties": {"id": {"type": "number"}},
                                "required": ["id"],
                            }
                        }
                    }
                },
                "responses": {
                    "200": {
                        "description": "Seen 1 time",
                        "content": {
                            "application/json": {
                                "schema": {
                                    "type": "object",
                                    "properties": {"number": {"type": "string"}},
                                    "required": ["number"],
                                }
                            }
                        },
                    },
                    "500": {"description": "Error, seen 1 time"},
                },
            }
        }
    }


@pytest.mark.parametrize(
    ("bodies", "schema"),
    [
        (
            [{"a": 1}, {}],
            {"type": "object", "properties": {"a": {"type": "number"}}},
        ),
        ([[1], None], {"type": ["array", "null"], "items": {"type": "number"}}),
        (
            [{"17": {"n": 1}}],
            {
                "type": "object",
                "additionalProperties": {
                    "type": "object",
                    "properties": {"n": {"type": "number"}},
                    "required": ["n"],
                },
            },
        ),
    ],
)
def test_shapes_become_schemas(bodies: list[Any], schema: Any) -> None:
    assert schema_of(*bodies) == schema


def test_each_id_of_a_path_is_a_parameter_named_after_its_owner() -> None:
    document = described(answered({}, url="http://app/users/7/posts/8/9/users/10"))

    ((path, item),) = document["paths"].items()
    assert path == "/users/{users_id}/posts/{posts_id}/{postsid_id}/users/{users_id_7}"
    assert [one["name"] for one in item["get"]["parameters"]] == [
        "users_id",
        "posts_id",
        "postsid_id",
        "users_id_7",
    ]


def test_operations_that_share_an_address_are_alternatives() -> None:
    def asked(name: str) -> str:
        return json.dumps({"query": f"query {name} {{ a }}"})

    fields = {"url": "http://app/graphql", "method": "POST"}
    document = described(
        answered({"data": {"a": 1}}, **fields, request_body=asked("A")),
        answered({"data": {"b": "x"}}, **fields, request_body=asked("B")),
    )

    operation = document["paths"]["/graphql"]["post"]
    content = operation["responses"]["200"]["content"]["application/json"]
    assert operation["summary"] == "POST /graphql A, B"
    assert len(content["schema"]["anyOf"]) == 2


def test_what_openapi_cannot_say_is_left_out() -> None:
    document = described(
        answered({}, method="BREW"), answered({}, url="http://[broken"), answered({}, status=0)
    )

    assert document["paths"] == {
        "/api/products/{products_id}": {
            "get": {
                "summary": "GET /api/products/:id",
                "parameters": [
                    {
                        "name": "products_id",
                        "in": "path",
                        "required": True,
                        "schema": {"type": "string"},
                    }
                ],
                "responses": {"default": {"description": "No answer was seen"}},
            }
        }
    }


def test_nothing_seen_is_a_valid_document_too() -> None:
    assert described()["paths"] == {}


@settings(deadline=None, max_examples=50)
@given(
    st.lists(
        st.builds(
            answered,
            st.recursive(
                st.none() | st.integers() | st.text(max_size=3),
                lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=3), inner),
                max_leaves=5,
            ),
            url=st.text("/{}:7ab?#[", max_size=12).map("http://app/{}".format),
            method=st.sampled_from(["GET", "POST"]),
            status=st.integers(0, 700),
        ),
        max_size=5,
    )
)
def test_any_traffic_makes_a_valid_document(exchanges: list[NetworkBody]) -> None:
    described(*exchanges)


def test_the_text_is_the_document() -> None:
    contracts = learn_all({}, [answered({"a": 1})], most=30).values()

    assert json.loads(write_openapi(contracts)) == describe_api(contracts)
