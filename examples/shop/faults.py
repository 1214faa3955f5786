"""Everything that can be wrong with the shop: one table, from which the documentation is made."""

from typing import Any

import msgspec

from examples.shop.acts import (
    Change,
    Delay,
    Edit,
    ErrorAnswer,
    Fail,
    Fault,
    FeedPace,
    Missing,
    Policy,
    RefusedFeed,
)
from examples.shop.seed import SEED

PRODUCT, PRODUCTS, ORDERS = "GET /api/products/{id:int}", "GET /api/products", "POST /api/orders"


def with_text_prices(listed: Any) -> Any:
    """Write every price as text, as a careless serializer would."""
    for item in listed["items"]:
        item["price"]["amount"] = f"{item['price']['amount']:.2f}"
    return listed


FAULTS = (
    Fault(
        "null-field",
        "A product's price is null, and the page throws a TypeError reading `price.amount`",
        (Change(PRODUCT, lambda product: product | {"price": None}),),
    ),
    Fault(
        "missing-field",
        "A product comes without `delivery_days`, and the page says “ships in undefined days”",
        (
            Change(
                PRODUCT, lambda product: {k: product[k] for k in product if k != "delivery_days"}
            ),
        ),
    ),
    Fault(
        "changed-type",
        "In the list of products `price.amount` is text, and the catalogue throws a TypeError",
        (Change(PRODUCTS, with_text_prices),),
    ),
    Fault(
        "server-error",
        "Placing an order answers 500 with the database's own words",
        (
            Fail(
                ORDERS,
                500,
                ErrorAnswer(
                    error="The order could not be saved",
                    code="ORDER_INSERT_FAILED",
                    details='duplicate key value violates unique constraint "orders_number_key"'
                    ": Key (number)=(HL-1004) already exists.",
                ),
            ),
        ),
    ),
    Fault(
        "flaky",
        "Every second order answers 503, the first one after switching on succeeds",
        (
            Fail(
                ORDERS,
                503,
                ErrorAnswer(
                    error="The warehouse does not answer",
                    code="WAREHOUSE_TIMEOUT",
                    details="upstream warehouse:9000 timed out after 2000 ms",
                ),
                every=2,
            ),
        ),
    ),
    Fault(
        "login-broken",
        "The right e-mail and password are refused with 401",
        (
            Fail(
                "POST /api/login",
                401,
                ErrorAnswer(
                    error="Wrong e-mail or password",
                    code="PASSWORD_HASH_UNSUPPORTED",
                    details="stored hash has version 2y, this server verifies 2b only",
                ),
            ),
        ),
    ),
    Fault(
        "slow-call",
        "A search takes three seconds",
        (Delay("GET /api/search", 3.0),),
    ),
    Fault(
        "open-personal-data",
        "The list of customers carries e-mails, phones, streets and birthdays, to anybody who asks",
        (
            Change(
                "GET /api/customers",
                lambda _listed: {"customers": msgspec.to_builtins(SEED.customers)},
            ),
        ),
    ),
    Fault(
        "secret-in-url",
        "The account page sends an API key and an access token in its query string",
        (
            Edit(
                "static/js/account.js",
                "call('GET', '/api/account')",
                "call('GET', '/api/account?api_key=hl9f2c7d41b86e5a03c9d7&access_token="
                "6f1d0b7ae39c48258d47c2f90ab35e61')",
            ),
        ),
    ),
    Fault(
        "dead-button",
        "“Add to cart” does nothing when it is clicked",
        (
            Edit(
                "static/js/product.js",
                "addButton.addEventListener('click', () => addToCart(product, form));",
                "addButton.addEventListener('click', () => {});",
            ),
        ),
    ),
    Fault(
        "wrong-total",
        "Totals ignore the quantity; nothing else gives the mistake away",
        (
            Edit(
                "static/js/money.js",
                "sum + line.product.price.amount * line.quantity",
                "sum + line.product.price.amount",
            ),
        ),
    ),
    Fault(
        "unhandled-rejection",
        "Recommendations end in a promise that nobody catches",
        (
            Edit(
                "static/js/product.js",
                "await call('GET', `/api/products/${product.id}/recommendations`);",
                "await Promise.reject(new Error('Recommendations are not ready'));",
            ),
        ),
    ),
    Fault(
        "blocked-script",
        "A strict Content-Security-Policy blocks the analytics script",
        (
            Policy(
                "default-src 'self'; script-src {origin}/static/; object-src 'none'; "
                "base-uri 'none'; frame-ancestors 'self'; form-action 'self'"
            ),
        ),
    ),
    Fault(
        "missing-resource",
        "The picture at the top and the script of the announcement answer 404",
        (Missing("static/img/hero.svg"), Missing("static/js/promo.js")),
    ),
    Fault(
        "refused-websocket",
        "The stock feed refuses to open, and closes with 1008 where it was open",
        (RefusedFeed(),),
    ),
    Fault(
        "chatty-websocket",
        "The stock feed sends thousands of messages a second",
        (FeedPace(messages=40, every_s=0.01),),
    ),
    Fault(
        "long-task",
        "The shop keeps the main thread busy for 400 ms while it loads",
        (
            Edit(
                "static/js/shop.js",
                "addEventListener('popstate', route);",
                "for (const end = performance.now() + 400; performance.now() < end; );\n"
                "addEventListener('popstate', route);",
            ),
        ),
    ),
    Fault(
        "slow-page",
        "Pictures are megabytes large, and a late banner pushes the page down",
        (
            Edit("pages/shop.html", "/static/img/hero.svg", "/photos/1600/hero.bmp"),
            Edit(
                "static/js/catalogue.js",
                "src: `/static/img/${product.image}.svg`",
                "src: `/photos/640/${product.image}.bmp`",
            ),
            Edit(
                "static/js/promo.js",
                "promo.hidden = sessionStorage.getItem('promo') === 'closed';",
                "promo.hidden = sessionStorage.getItem('promo') === 'closed';\n"
                "setTimeout(() => promo.classList.add('promo-tall'), 1000);",
            ),
        ),
    ),
    Fault(
        "console-noise",
        "The console fills with what a developer learns to ignore: HMR, analytics, extensions",
        (
            Edit(
                "analytics/collect.js",
                "window.visits = window.visits ?? [];",
                """window.visits = window.visits ?? [];
console.debug('[vite] connecting...');
console.debug('[vite] connected.');
console.info('%cDownload the React DevTools for a better experience', 'font-weight:bold');
console.log('[HMR] Waiting for update signal from WDS...');
console.warn('[HMR] Cannot apply update. Need to do a full reload!');
console.warn('[webpack-dev-server] Disconnected! Trying to reconnect...');
console.warn('[analytics] gtag: consent was not given, 3 events dropped');
console.warn('Google Tag Manager: dataLayer is not defined');
console.error('Unchecked runtime.lastError: The message port closed before an answer came.');
console.error('GET https://www.google-analytics.com/collect net::ERR_BLOCKED_BY_CLIENT');""",
            ),
        ),
    ),
)

BY_NAME = {fault.name: fault for fault in FAULTS}


def markdown_table() -> str:
    """The faults as the README shows them."""
    rows = [
        f"| `{fault.name}` | {fault.description} | `{'`, `'.join(fault.where)}` |"
        for fault in FAULTS
    ]
    return "\n".join(["| Fault | What happens | Where it acts |", "|---|---|---|", *rows])
