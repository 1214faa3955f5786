"""What the traffic of a visit says, from the page to the answer."""

import json
import re

from openapi_spec_validator import OpenAPIV31SpecValidator

from tests.visits.visit import Visit


def test_a_price_that_became_text_is_found_where_it_is(visit: Visit) -> None:
    answer = visit.ask("validate_api", action="analyze", url_filter="/api/products")

    found = {
        violation["endpoint"]: violation
        for violation in answer["violations"]
        if violation["severity"] == "warning"
    }
    price = found["GET /api/products"]
    assert (price["type"], price["field"]) == ("array_shape_change", "items[].price.amount")
    assert (price["expected_type"], price["actual_type"]) == ("number", "string")
    lost = found["GET /api/products/:id"]
    assert (lost["type"], lost["missing_fields"]) == ("shape_change", ["delivery_days"])


def test_graphql_is_told_apart_by_operation(visit: Visit) -> None:
    endpoints = visit.ask("validate_api", action="report", max_tokens=12_000)["endpoints"]

    named = [one["endpoint"] for one in endpoints if "graphql" in one["endpoint"].lower()]
    assert named
    assert all(len(endpoint.split(" ")) == 3 for endpoint in named)


def test_the_shop_can_be_described_in_openapi(visit: Visit) -> None:
    file = visit.ask("validate_api", action="openapi", inline=True)["file"]

    document = json.loads(file["content"])
    OpenAPIV31SpecValidator(document).validate()
    assert "/api/products/{products_id}" in document["paths"]


def test_a_page_that_became_slow_is_a_regression_with_its_cause(visit: Visit) -> None:
    answer = visit.ask("check_performance", url="/")

    # Bytes are the same on every machine; how long a busy one takes for a good load is not.
    assert answer["url"] == "/"
    assert answer["regressions"]["transfer_size"]["after"] > 1_000_000
    assert "image resources" in [one["what"] for one in answer["grew"]]
    assert "⚠ REGRESSION" in answer["report"]


def test_a_long_task_is_told_with_its_length(visit: Visit) -> None:
    snapshot = visit.server.request("GET", "/performance-snapshot?url=/").json["snapshot"]

    report = visit.ask("check_performance", url="/")["report"]

    assert snapshot["longTasks"]["longest"] >= 400
    assert re.search(r"Longest task +\d", report)
