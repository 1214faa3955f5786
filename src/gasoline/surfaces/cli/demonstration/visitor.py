"""Somebody who buys a mug: the user of the demo, in a browser of the demo's own."""

import itertools
import json
import time
import urllib.request
from typing import Any

from websockets.sync.client import connect

PATIENCE_S, POLL_S = 10.0, 0.03
# Words for a page's elements as a person sees them.
FILL = """(selector, value) => {
  const field = document.querySelector(selector);
  field.focus();
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value').set.call(field, value);
  field.dispatchEvent(new InputEvent('input', {bubbles: true}));
  field.dispatchEvent(new Event('change', {bubbles: true}));
}"""
CLICK = "(selector) => document.querySelector(selector).click()"
SHOWS = """(selector) => {
  const element = document.querySelector(selector);
  return Boolean(element) && element.checkVisibility() && element.textContent.trim() !== '';
}"""
READ = "(selector) => document.querySelector(selector)?.textContent.trim() ?? ''"


class LostVisitorError(Exception):
    """The page never showed what the visitor waited for."""


class Visitor:
    """Fills, clicks and reads in one tab, and waits for what should appear."""

    def __init__(self, address: str) -> None:
        with urllib.request.urlopen(f"{address}/json/list") as listed:
            tabs = json.load(listed)
        tab = next(tab for tab in tabs if tab["type"] == "page")
        self._socket = connect(tab["webSocketDebuggerUrl"], max_size=None)
        self._numbers = itertools.count(1)

    def close(self) -> None:
        self._socket.close()

    def open(self, url: str) -> None:
        self._ask("Page.navigate", {"url": url})

    def fill(self, selector: str, value: str) -> None:
        self.wait_for(selector, shown=False)
        self._call(FILL, selector, value)

    def click(self, selector: str) -> None:
        self.wait_for(selector, shown=False)
        self._call(CLICK, selector)

    def read(self, selector: str) -> str:
        return str(self._call(READ, selector))

    def wait_for(self, selector: str, *, shown: bool = True) -> None:
        exists = "(selector) => document.querySelector(selector) !== null"
        deadline = time.monotonic() + PATIENCE_S
        while not self._call(SHOWS if shown else exists, selector):
            if time.monotonic() > deadline:
                raise LostVisitorError(f"{selector} did not appear within {PATIENCE_S:.0f} s")
            time.sleep(POLL_S)

    def _call(self, function: str, *arguments: str) -> Any:
        expression = f"({function})({', '.join(json.dumps(argument) for argument in arguments)})"
        answer = self._ask("Runtime.evaluate", {"expression": expression, "returnByValue": True})
        return answer.get("result", {}).get("value")

    def _ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            message = json.loads(self._socket.recv(PATIENCE_S))
            if message.get("id") == number:
                return dict(message.get("result", {}))


def buy_a_mug(visitor: Visitor, shop_url: str) -> str:
    """From the product to the order; returns what the page said in the end."""
    visitor.open(f"{shop_url}/products/101")
    visitor.wait_for('[data-testid="add-to-cart"]')
    visitor.click('[data-testid="add-to-cart"]')
    visitor.open(f"{shop_url}/checkout")
    visitor.wait_for("#login code")
    visitor.fill("#email", visitor.read("#login code:first-of-type"))
    visitor.fill("#password", visitor.read("#login code:last-of-type"))
    visitor.click("#login button[type=submit]")
    visitor.wait_for("#total")
    visitor.click("input[name=terms]")
    visitor.click('[data-testid="place-order"]')
    visitor.wait_for("#order-error, [data-testid=order-number]")
    return visitor.read("#order-error") or visitor.read("[data-testid=order-number]")
