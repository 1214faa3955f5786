"""What a shop gives away, from the page to the answer."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect, sync_playwright

from examples.shop.server import running_shop
from tests.browser_extension.browsers import BROWSER, EVERYTHING, extension_browser
from tests.servers import running_server, wait_until
from tests.visits.visit import Visit

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium; set GASOLINE_BROWSER")

SECRETS = ("hl9f2c7d41b86e5a03c9d7", "6f1d0b7ae39c48258d47c2f90ab35e61", "lighthouse")


@pytest.fixture(scope="module")
def visit(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visit]:
    """The catalogue, a login and the account, with both faults on."""
    with (
        running_shop(faults=["secret-in-url", "open-personal-data"]) as shop,
        running_server(tmp_path_factory.mktemp("server")) as server,
        sync_playwright() as playwright,
        extension_browser(playwright, tmp_path_factory.mktemp("profile")) as chrome,
    ):
        chrome.connect(server.url)
        chrome.configure(**EVERYTHING)
        visit = Visit(shop, server, chrome.context.new_page())
        page = visit.page
        page.goto(shop.url)
        # They come after the products.
        expect(page.locator(".customers li").first).to_be_visible()
        page.goto(f"{shop.url}/login")
        page.locator("#login [name=email]").fill("sam@harbourlane.example")
        page.locator("#login [name=password]").fill("lighthouse")
        page.locator("#login button").first.click()
        page.wait_for_url(lambda url: "/login" not in url)
        page.goto(f"{shop.url}/account")
        page.wait_for_load_state("networkidle")
        page.evaluate("__gasoline.flush()")
        wait_until(lambda: "/api/account" in called(visit), "the account's request")
        yield visit


def called(visit: Visit) -> str:
    return json.dumps(visit.server.request("GET", "/snapshot").json["network_bodies"])


def findings(visit: Visit, **arguments: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = visit.ask("security_audit", max_tokens=12_000, **arguments)[
        "findings"
    ]
    return found


def test_secrets_in_an_address_are_named_with_their_parameters(visit: Visit) -> None:
    found = findings(visit, checks=["credentials"], url_filter="/api/account")

    in_url = {one["evidence"]["param_name"]: one for one in found if one["cwe"] == "CWE-598"}
    assert set(in_url) == {"api_key", "access_token"}
    assert {one["severity"] for one in in_url.values()} == {"critical"}
    assert "/api/account?api_key=***" in in_url["api_key"]["evidence"]["url"]


def test_open_personal_data_is_a_finding_of_its_endpoint(visit: Visit) -> None:
    (finding,) = findings(visit, checks=["auth_patterns"], url_filter="/api/customers")

    assert finding["title"] == "Endpoint returns user data without authentication"
    assert finding["evidence"]["method"] == "GET"
    assert finding["evidence"]["auth_header_present"] is False
    fields = {"address", "date_of_birth", "email", "phone"}
    assert set(finding["evidence"]["pii_fields"]) == fields


def test_neither_store_nor_answer_holds_a_secret(visit: Visit) -> None:
    texts = [visit.call("security_audit", severity_min="info"), called(visit)]

    assert [secret for secret in SECRETS for text in texts if secret in text] == []


def test_a_shop_on_this_machine_has_no_transport_finding(visit: Visit) -> None:
    assert findings(visit, checks=["transport"], severity_min="info") == []
