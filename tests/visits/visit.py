"""What a visitor does in the shop, and asking the server about it."""

import json
from typing import Any

from playwright.sync_api import Page, expect

from examples.shop.server import RunningShop
from tests.servers import RunningServer, wait_until

GOOD_LOADS = 3
PRODUCTS = (101, 102, 103)


class Visit:
    """A browser in the shop, and the server that watches it."""

    def __init__(self, shop: RunningShop, server: RunningServer, page: Page) -> None:
        self.shop = shop
        self.server = server
        self.page = page

    def go_while_all_is_well(self) -> None:
        for product in PRODUCTS:
            self.page.goto(self.shop.url)
            expect(self.page.locator(".card").first).to_be_visible()
            self._wait_for_loads("/", PRODUCTS.index(product) + 1)
            self.page.goto(f"{self.shop.url}/products/{product}")
            # Recommendations come late, and leaving before they do is a failed request.
            self.page.wait_for_load_state("networkidle")
        self.page.get_by_role("button", name="Add to cart").click()
        self._hand_over()

    def go_once_things_are_wrong(self) -> None:
        """End on the page that fails to show what it should."""
        self.page.goto(f"{self.shop.url}/products/{PRODUCTS[0]}")
        expect(self.page.get_by_text("undefined days")).to_be_visible()
        self.page.wait_for_load_state("networkidle")
        self.page.goto(self.shop.url)
        self._wait_for_loads("/", GOOD_LOADS + 1)
        self._hand_over()

    def _hand_over(self) -> None:
        self.page.evaluate("__gasoline.flush()")

    def _wait_for_loads(self, path: str, count: int) -> None:
        def seen() -> bool:
            told = self.server.request("GET", f"/performance-snapshot?url={path}").json
            return bool(told["baseline"]) and told["baseline"]["sampleCount"] >= count

        wait_until(seen, f"{count} loads of {path}")

    def call(self, tool: str, **arguments: Any) -> str:
        question = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": tool, "arguments": arguments},
        }
        result = self.server.request("POST", "/mcp", question).json["result"]
        text: str = result["content"][0]["text"]
        assert not result.get("isError"), text
        return text

    def ask(self, tool: str, **arguments: Any) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self.call(tool, **arguments))
        return answer
