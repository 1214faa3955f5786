"""What the owner of the shop would test, one test for each fault; SOUND=1 leaves the faults out.

`conftest.py` says who drives the browser: Playwright or Selenium.
"""

import time
from typing import Any

PRICE, TOTAL, ORDER = (
    "[data-testid=price]",
    "[data-testid=cart-subtotal]",
    "[data-testid=order-number]",
)
ADD, PLACE = "[data-testid=add-to-cart]", "[data-testid=place-order]"
RESOURCES = "performance.getEntriesByType('resource')"


def sign_in(visitor: Any) -> None:
    visitor.fill("#email", "sam@harbourlane.example")
    visitor.fill("#password", "lighthouse")
    visitor.click("#login button[type=submit]")


def order(visitor: Any, fault: str, *, signed_in: bool = False) -> None:
    visitor.open("/products/101", fault)
    visitor.click(ADD)
    assert visitor.text("#toasts, .toast") == "Stoneware mug is in your cart"
    visitor.open("/checkout", fault)
    if not signed_in:
        sign_in(visitor)
    assert visitor.text("[data-testid=checkout-total]") == "€23.40"
    visitor.click("[name=terms]")
    visitor.click(PLACE)
    assert visitor.text(ORDER).startswith("HL-")


def test_null_field(visitor: Any) -> None:
    visitor.open("/products/101", "null-field")
    assert visitor.text(PRICE) == "€18.50"


def test_missing_field(visitor: Any) -> None:
    visitor.open("/products/101", "missing-field")
    assert visitor.text(".delivery") == "24 in stock, ships in 2 days"


def test_changed_type(visitor: Any) -> None:
    visitor.open("/", "changed-type")
    assert visitor.text(".card .card-name") == "Stoneware mug"


def test_server_error(visitor: Any) -> None:
    order(visitor, "server-error")


def test_flaky(visitor: Any) -> None:
    order(visitor, "flaky")
    order(visitor, "flaky", signed_in=True)


def test_login_broken(visitor: Any) -> None:
    visitor.open("/login", "login-broken")
    sign_in(visitor)
    assert visitor.text("#fact-email") == "sam@harbourlane.example"


def test_slow_call(visitor: Any) -> None:
    visitor.open("/", "slow-call")
    visitor.text(".card")
    visitor.run("document.querySelector('[role=status]').textContent = ''")
    visitor.fill("#search", "mug\n")
    asked = time.monotonic()
    assert visitor.text("[role=status]", within_s=5) == "1 product for “mug”"
    assert time.monotonic() - asked < 1


def test_open_personal_data(visitor: Any) -> None:
    visitor.open("/", "open-personal-data")
    visitor.text(".customers li")
    answer = visitor.run("fetch('/api/customers').then(answer => answer.text())")
    assert "@" not in answer


def test_secret_in_url(visitor: Any) -> None:
    visitor.open("/account", "secret-in-url")
    sign_in(visitor)
    visitor.text("#fact-email")
    addresses = visitor.run(f"{RESOURCES}.map(resource => resource.name)")
    assert [address for address in addresses if "token=" in address] == []


def test_dead_button(visitor: Any) -> None:
    visitor.open("/products/101", "dead-button")
    visitor.click(ADD)
    assert visitor.text("#toasts, .toast") == "Stoneware mug is in your cart"


def test_wrong_total(visitor: Any) -> None:
    visitor.open("/products/101", "wrong-total")
    visitor.choose("#quantity", "3")
    visitor.click(ADD)
    visitor.text("#toasts, .toast")
    visitor.open("/cart", "wrong-total")
    assert visitor.text(TOTAL) == "€55.50"


def test_unhandled_rejection(visitor: Any) -> None:
    visitor.open("/products/101", "unhandled-rejection")
    visitor.text(PRICE)
    assert visitor.text(".recommendations .card a .card-name")


def test_blocked_script(visitor: Any) -> None:
    visitor.open("/", "blocked-script")
    visitor.text(".card")
    assert visitor.run("window.visits?.length") == 1


def test_missing_resource(visitor: Any) -> None:
    visitor.open("/", "missing-resource")
    visitor.text(".card")
    visitor.click(".promo-close")
    assert visitor.run("document.getElementById('promo').hidden") is True


def test_refused_websocket(visitor: Any) -> None:
    visitor.open("/", "refused-websocket")
    assert visitor.text("#ticker:is([data-state=live], [data-state=offline])").endswith("left")


def test_chatty_websocket(visitor: Any) -> None:
    visitor.open("/", "chatty-websocket")
    visitor.text("#ticker[data-state=live]")
    changes = visitor.run(
        """new Promise(done => {
            let changes = 0;
            new MutationObserver(list => (changes += list.length)).observe(
                document.querySelector('.ticker-text'), {childList: true});
            setTimeout(() => done(changes), 500);
        })"""
    )
    assert changes < 20


def test_long_task(visitor: Any) -> None:
    visitor.open("/", "long-task")
    visitor.text(".card")
    longest = visitor.run(
        """new Promise(done => new PerformanceObserver(list =>
            done(Math.max(...list.getEntries().map(task => task.duration)))
        ).observe({type: 'longtask', buffered: true}) ?? setTimeout(() => done(0), 300))"""
    )
    assert longest < 300


def test_slow_page(visitor: Any) -> None:
    visitor.open("/", "slow-page")
    visitor.text(".card")
    loaded = visitor.run(f"{RESOURCES}.reduce((sum, one) => sum + one.transferSize, 0)")
    assert loaded < 1_000_000


def test_console_noise(visitor: Any) -> None:
    visitor.open("/", "console-noise")
    visitor.text(".card")
    assert visitor.complaints() == []
