"""From an AI tool's question through the server and the extension to the page, and back."""

import base64
import json
from typing import Any

from tests.browser_extension.browsers import ExtensionBrowser
from tests.browser_extension.site import Site
from tests.servers import RunningServer, wait_until

PNG = b"\x89PNG\r\n"


def call(server: RunningServer, name: str, **arguments: Any) -> dict[str, Any]:
    question = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": name, "arguments": arguments},
    }
    result: dict[str, Any] = server.request("POST", "/mcp", question).json["result"]
    return result


def ask(server: RunningServer, name: str, **arguments: Any) -> dict[str, Any]:
    """Ask until the extension is connected: it reconnects after the tests before this one."""
    wait_until(lambda: not call(server, "get_page_info").get("isError"), "the page to answer")
    result = call(server, name, **arguments)
    assert not result.get("isError"), result
    parsed: dict[str, Any] = json.loads(result["content"][0]["text"])
    return parsed


def test_an_agent_can_look_at_the_open_page(
    chrome: ExtensionBrowser, server: RunningServer, site: Site
) -> None:
    page = chrome.context.new_page()
    page.goto(site.url)
    page.set_content("<title>Cart</title><h1>Your cart</h1><img src=x><button id=pay>Pay</button>")

    found = ask(server, "query_dom", selector="#pay")
    info = ask(server, "get_page_info")
    audit = ask(server, "run_accessibility_audit")

    assert [(match["tag"], match["text"]) for match in found["matches"]] == [("button", "Pay")]
    assert info["title"] == "Cart"
    assert "image-alt" in [violation["id"] for violation in audit["violations"]]


def test_an_agent_gets_a_picture_of_the_open_page(
    chrome: ExtensionBrowser, server: RunningServer, site: Site
) -> None:
    page = chrome.context.new_page()
    page.goto(site.url)
    ask(server, "get_page_info")

    result = call(server, "capture_screenshot")

    (image,) = [one for one in result["content"] if one["type"] == "image"]
    assert image["mimeType"] == "image/png"
    assert base64.b64decode(image["data"]).startswith(PNG)
