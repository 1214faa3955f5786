"""What browsers send, in the sizes in which they send it."""

from collections.abc import Iterator
from typing import Any

import msgspec

BATCH_ENTRIES = 50

_PAGES = ("/", "/products", "/products/42/reviews", "/cart", "/checkout/address", "/account/orders")
_MESSAGES = (
    "Rendered ProductList with 24 items in 18.4 ms (3 commits, 2 effects)",
    "GET /api/products?category=shoes&sort=price&page=2 answered 200 after 142 ms",
    "Warning: each child in a list should have a unique key prop. Check the render of Reviews.",
    "TypeError: Cannot read properties of undefined (reading 'total')",
    "Cart updated: 3 items, total 89.70 EUR, shipping estimated for Thursday",
)
_STACK = "\n".join(
    f"    at {name} (https://shop.example.com/assets/index-4f2a9c.js:{line}:17)"
    for name, line in (("renderCart", 1042), ("commitRoot", 8871), ("flushWork", 9313))
)
_LEAK = "Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJl"


def log_entry(number: int) -> dict[str, Any]:
    """A console message; every fifth is an error with its stack."""
    is_error = number % len(_MESSAGES) == 3  # noqa: PLR2004  # where the TypeError stands
    return {
        "ts": f"2026-03-02T09:{number // 60 % 60:02d}:{number % 60:02d}.{number % 1000:03d}Z",
        "level": ("log", "info", "warn", "error", "debug")[number % 5],
        "type": "console",
        "message": f"#{number} {_MESSAGES[number % 5]}",
        "url": f"https://shop.example.com{_PAGES[number % len(_PAGES)]}",
        "source": f"https://shop.example.com/assets/index-4f2a9c.js:{number % 9000}:17",
        "tabId": 7,
        "args": [
            f"#{number} {_MESSAGES[number % 5]}",
            {
                "items": number % 9,
                "currency": "EUR",
                "filters": ["shoes", "in stock", "sale"],
                "viewport": {"width": 1440, "height": 900},
            },
        ],
        **({"stack": _STACK} if is_error else {}),
    }


def log_batch(number: int, *, entries: int = BATCH_ENTRIES, secret: bool = False) -> bytes:
    """A batch of log entries, the last of them with a secret in it if so wanted."""
    first = number * entries
    sent = [log_entry(first + offset) for offset in range(entries)]
    if secret:
        sent[-1]["message"] += f" sent with {_LEAK}"
    return msgspec.json.encode({"entries": sent})


def network_body(number: int) -> dict[str, Any]:
    """An exchange whose bodies take 8 to 16 KB each."""
    item = {"id": number, "name": "Trail shoe", "sizes": [38, 39, 40, 41], "price": 89.7}
    item_bytes = len(msgspec.json.encode(item)) + 1
    wanted_bytes = 8192 + number * 977 % 8192
    body = msgspec.json.encode([item] * (wanted_bytes // item_bytes)).decode()
    return {
        "ts": f"2026-03-02T09:00:{number % 60:02d}.000Z",
        "method": "POST",
        "url": f"https://shop.example.com/api/products/{number}",
        "status": 500 if number % 20 == 0 else 200,
        "contentType": "application/json",
        "requestBody": body,
        "responseBody": body,
        "duration": 20 + number % 300,
        "tabId": 7,
    }


def websocket_event(number: int) -> dict[str, Any]:
    """A price tick on one of four connections, the first of each being its opening."""
    connection = number % 4
    opening = {"event": "open"} if number < connection + 1 else {"event": "message"}
    data = f'{{"topic":"prices","sku":"{number}","price":{number % 100}.5,"stock":{number % 7}}}'
    return {
        "ts": f"2026-03-02T09:00:{number % 60:02d}.000Z",
        "id": f"connection-{connection}",
        "url": "wss://shop.example.com/live",
        "direction": "incoming",
        "data": data,
        "size": len(data),
        "tabId": 7,
        **opening,
    }


def action(number: int) -> dict[str, Any]:
    """A click."""
    return {
        "type": "click",
        "timestamp": 1_772_442_000_000 + number,
        "url": "https://shop.example.com/cart",
        "selectors": {"testId": f"row-{number}", "cssPath": f"main > ul > li:nth-child({number})"},
        "tabId": 7,
    }


def full_buffers() -> Iterator[tuple[str, bytes]]:
    """The route and the body of every request that fills a server to its default counts."""
    for number in range(20):
        yield "/logs", log_batch(number)
    for first in range(0, 500, 100):
        events = [websocket_event(number) for number in range(first, first + 100)]
        yield "/websocket-events", msgspec.json.encode({"events": events})
    for first in range(0, 100, 20):
        bodies = [network_body(number) for number in range(first, first + 20)]
        yield "/network-bodies", msgspec.json.encode({"bodies": bodies})
    yield "/enhanced-actions", msgspec.json.encode({"actions": [action(n) for n in range(50)]})
