"""The demo shop in a real browser: nothing wrong without faults, and each fault as described."""

import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    Response,
    expect,
    sync_playwright,
)

from examples.shop import files
from examples.shop.acts import Change, Delay, Edit, Fail, Missing, acts_of
from examples.shop.calls import CALLS
from examples.shop.faults import BY_NAME, FAULTS, markdown_table
from examples.shop.server import RunningShop, main, running_shop
from examples.shop.switches import UnknownFaultError
from tests.drivers.browsers import BROWSER, FLAGS

FOLDER = Path(files.__file__).parent
EMAIL, PASSWORD = "sam@harbourlane.example", "lighthouse"
PATIENCE_MS = 10_000

expect.set_options(timeout=PATIENCE_MS)
needs_browser = pytest.mark.skipif(not BROWSER, reason="no Chromium; set GASOLINE_BROWSER")


class Seen:
    """What went wrong in the pages of one visitor, and what they asked for."""

    def __init__(self, context: BrowserContext) -> None:
        self.forget()
        context.on("weberror", lambda error: self.errors.append(error.error.message))
        context.on("console", self._on_console)
        context.on("request", self._on_request)
        context.on("response", self._on_response)
        context.on("requestfailed", self._on_failure)

    def forget(self) -> None:
        self.errors: list[str] = []
        self.console: list[ConsoleMessage] = []
        self.refused: list[tuple[int, str]] = []
        self.failed: list[str] = []
        self.urls: list[str] = []

    def _on_console(self, said: ConsoleMessage) -> None:
        self.console.append(said)

    def _on_request(self, request: Request) -> None:
        self.urls.append(request.url)

    def _on_response(self, response: Response) -> None:
        if response.status >= 400:
            self.refused.append((response.status, path_of(response.url)))

    def _on_failure(self, request: Request) -> None:
        self.failed.append(f"{path_of(request.url)}: {request.failure}")

    @property
    def complaints(self) -> list[str]:
        return [said.text for said in self.console if said.type in ("error", "warning")]

    @property
    def troubles(self) -> dict[str, Any]:
        """Everything that an honest shop never has."""
        found = {
            "errors": self.errors,
            "complaints": self.complaints,
            "refused": self.refused,
            "failed": self.failed,
        }
        return {kind: troubles for kind, troubles in found.items() if troubles}


class Visitor:
    """A fresh browser context in the shop, and what it saw."""

    def __init__(self, shop: RunningShop, context: BrowserContext) -> None:
        self.shop = shop
        self.context = context
        self.seen = Seen(context)
        self.page: Page = context.new_page()
        self.page.set_default_timeout(PATIENCE_MS)

    def come_back_as_somebody_else(self) -> None:
        """Leave, and enter like a new visitor; cheaper than a new browser context."""
        self.page.goto("about:blank")
        self.context.clear_cookies()
        self.seen.forget()

    def open(self, path: str) -> None:
        self.page.goto(f"{self.shop.url}{path}")

    def open_product(self, number: int = 101) -> None:
        self.open(f"/products/{number}")
        expect(self.page.get_by_test_id("add-to-cart")).to_be_visible()

    def open_recommended(self) -> None:
        """Open a product and wait for what arrives last."""
        self.open("/products/101")
        expect(self.page.get_by_role("heading", name="Goes well with it")).to_be_visible()

    def put_in_cart(self, number: int = 101, quantity: int = 1) -> None:
        line = {"product": number, "size": "One size", "quantity": quantity}
        assert self.context.request.post(f"{self.shop.url}/api/cart/lines", data=line).ok

    def sign_in(self, wanted: str = "/account") -> None:
        self.open(wanted)
        self.page.get_by_label("E-mail").fill(EMAIL)
        self.page.get_by_label("Password").fill(PASSWORD)
        self.page.get_by_role("button", name="Sign in").click()

    def start_checkout(self) -> None:
        self.put_in_cart()
        self.sign_in("/checkout")
        expect(self.page.get_by_test_id("checkout-total")).to_have_text("€23.40")
        self.page.get_by_label("I accept the terms of sale").check()

    def place_order(self) -> Response:
        with self.page.expect_response("**/api/orders") as waiting:
            self.page.get_by_test_id("place-order").click()
        return waiting.value


def path_of(url: str) -> str:
    return "/" + url.split("/", 3)[3]


@pytest.fixture(scope="module")
def open_shop() -> Iterator[RunningShop]:
    with running_shop() as running:
        yield running


@pytest.fixture
def shop(open_shop: RunningShop) -> Iterator[RunningShop]:
    """The one shop of these tests, as at the start."""
    yield open_shop
    open_shop.reset()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=BROWSER, args=list(FLAGS))
        yield launched
        launched.close()


@pytest.fixture
def visitor(shop: RunningShop, chromium: Browser) -> Iterator[Visitor]:
    context = chromium.new_context()
    yield Visitor(shop, context)
    context.close()


# Without faults


@needs_browser
def test_the_whole_journey_meets_no_trouble(visitor: Visitor, tmp_path: Path) -> None:
    gift_card = tmp_path / "card.txt"
    gift_card.write_text("Happy birthday")

    browse(visitor)
    choose_a_sweater(visitor)
    look_into_the_cart(visitor)
    check_out(visitor, gift_card)
    look_at_the_account(visitor)
    sort_wishes_and_leave(visitor)

    assert visitor.seen.troubles == {}
    assert {url.split("/")[2] for url in visitor.seen.urls} == {f"127.0.0.1:{visitor.shop.port}"}


def browse(visitor: Visitor) -> None:
    page = visitor.page
    visitor.open("/")
    expect(page.get_by_role("status").filter(has_text="12 products")).to_be_visible()
    expect(page.locator("#ticker")).to_have_text(re.compile("left$"))
    page.get_by_role("button", name="Wear").click()
    expect(page.get_by_text("3 products")).to_be_visible()
    page.keyboard.press("/")
    expect(page.get_by_label("Search products")).to_be_focused()
    page.keyboard.type("merino")
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 product for “merino”")).to_be_visible()


def choose_a_sweater(visitor: Visitor) -> None:
    page = visitor.page
    page.get_by_role("link", name="Merino sweater").click()
    expect(page).to_have_url(f"{visitor.shop.url}/products/111")
    with page.expect_popup() as opening:
        page.get_by_role("button", name="Size guide").click()
    guide = opening.value
    guide.get_by_role("button", name="Choose L", exact=True).click()
    expect(guide.get_by_role("status")).to_contain_text("Size L is chosen")
    guide.close()
    expect(page.get_by_label("L", exact=True)).to_be_checked()
    page.get_by_label("Quantity").select_option("2")
    page.get_by_test_id("add-to-cart").click()
    expect(page.get_by_text("Merino sweater is in your cart")).to_be_visible()
    page.get_by_label("Your review").fill("Warm.")
    page.get_by_role("button", name="Send review").click()
    expect(page.get_by_role("heading", name="Reviews (3), 4.3 of 5")).to_be_visible()
    expect(page.get_by_role("heading", name="Goes well with it")).to_be_visible()
    page.go_back()
    expect(page.get_by_text("1 product for “merino”")).to_be_visible()


def look_into_the_cart(visitor: Visitor) -> None:
    page = visitor.page
    page.get_by_test_id("cart-link").click()
    expect(page.get_by_test_id("cart-subtotal")).to_have_text("€238.00")
    page.get_by_role("button", name="Remove").click()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.get_by_label("Quantity of Merino sweater").fill("1")
    page.get_by_label("Quantity of Merino sweater").blur()
    expect(page.get_by_test_id("cart-subtotal")).to_have_text("€119.00")


def check_out(visitor: Visitor, gift_card: Path) -> None:
    page = visitor.page
    page.get_by_role("link", name="Go to checkout").click()
    expect(page).to_have_url(f"{visitor.shop.url}/login?next=/checkout")
    page.get_by_label("E-mail").fill(EMAIL)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_test_id("shipping").select_option("express")
    expect(page.get_by_test_id("checkout-total")).to_have_text("€131.90")
    page.get_by_label("Preferred date").fill("2026-03-09")
    page.get_by_label("Card", exact=True).check()
    frame = page.frame_locator("#payment-frame")
    frame.get_by_label("Card number").fill("4242 4242 4242 4242")
    frame.get_by_label("Expiry").fill("12/29")
    frame.get_by_label("Security code").fill("123")
    frame.get_by_role("button", name="Use this card").click()
    expect(page.get_by_text("Card ending in 4242 is ready")).to_be_visible()
    page.get_by_label("Note to the shop").fill("Ring twice")
    page.get_by_label("Attachment").set_input_files(gift_card)
    page.get_by_label("Wrap it as a gift").check()
    page.get_by_label("I accept the terms of sale").check()
    page.get_by_test_id("place-order").click()
    expect(page.get_by_test_id("order-number")).to_have_text("HL-1004")


def look_at_the_account(visitor: Visitor) -> None:
    page = visitor.page
    page.get_by_role("link", name="See all orders").click()
    expect(page.locator("#fact-email")).to_have_text(EMAIL)
    expect(page.get_by_role("button", name="Reorder")).to_have_count(4)
    page.get_by_role("row", name="HL-1002").get_by_role("button", name="Reorder").click()
    expect(page.get_by_test_id("cart-link")).to_have_text("Cart 2")
    page.get_by_label("Phone").fill("+1-202-555-0199")
    page.get_by_role("button", name="Save changes").click()
    expect(page.get_by_text("Your changes are saved")).to_be_visible()


def sort_wishes_and_leave(visitor: Visitor) -> None:
    page = visitor.page
    page.get_by_role("link", name="Wish list").click()
    wishes = page.get_by_label("Wishes").get_by_role("listitem")
    wishes.filter(has_text="Dot notebook").drag_to(wishes.filter(has_text="Camp lantern"))
    expect(wishes).to_contain_text(["Dot notebook", "Camp lantern", "Desk lamp", "Merino sweater"])
    page.get_by_role("link", name="Sam Rivers").click()
    expect(page.locator("#fact-email")).to_have_text(EMAIL)
    page.get_by_role("button", name="Sign out").click()
    expect(page.locator("#account-link")).to_have_text("Sign in")
    expect(page.locator("#ticker")).to_have_text(re.compile("left$"))


@needs_browser
def test_a_product_leaves_the_cart_only_after_a_second_thought(visitor: Visitor) -> None:
    visitor.put_in_cart()
    visitor.open("/cart")

    visitor.page.get_by_role("button", name="Remove").click()
    visitor.page.get_by_role("button", name="Keep it").click()
    kept = visitor.page.get_by_role("link", name="Stoneware mug").is_visible()
    visitor.page.get_by_role("button", name="Remove").click()
    visitor.page.get_by_test_id("confirm-remove").click()

    expect(visitor.page.get_by_text("Your cart is empty")).to_be_visible()
    assert kept


@needs_browser
def test_a_late_answer_does_not_replace_the_view_asked_for_after_it(visitor: Visitor) -> None:
    visitor.shop.switch(on=["slow-call"])
    visitor.open("/products/101")
    with visitor.page.expect_response("**/api/search*"):
        visitor.page.get_by_label("Search products").fill("mug")
        visitor.page.keyboard.press("Enter")
        visitor.page.go_back()

    expect(visitor.page.get_by_role("heading", name="Stoneware mug")).to_be_visible()
    expect(visitor.page.get_by_text("1 product for")).to_be_hidden()


# Faults: each shows its symptom, and the same visit without it does not. A probe visits the shop
# and says whether the symptom was there.


def null_field(visitor: Visitor) -> bool:
    visitor.open("/products/101")
    return settles(visitor, '[data-testid="price"]', "Cannot read properties of null")


def missing_field(visitor: Visitor) -> bool:
    visitor.open_product()
    return "ships in undefined days" in visitor.page.locator(".delivery").inner_text()


def changed_type(visitor: Visitor) -> bool:
    visitor.open("/")
    return settles(visitor, ".card", "price.amount.toFixed is not a function")


def server_error(visitor: Visitor) -> bool:
    visitor.start_checkout()
    answer = visitor.place_order()
    if answer.status != 500:
        return False
    expect(visitor.page.locator("#order-error")).to_contain_text("could not be saved")
    assert "orders_number_key" in answer.json()["details"]
    return True


def flaky(visitor: Visitor) -> bool:
    visitor.start_checkout()
    statuses = [visitor.place_order().status]
    expect(visitor.page.get_by_test_id("order-number")).to_have_text("HL-1004")
    visitor.put_in_cart()
    visitor.open("/checkout")
    expect(visitor.page.get_by_test_id("checkout-total")).to_have_text("€23.40")
    visitor.page.get_by_label("I accept the terms of sale").check()
    statuses += [visitor.place_order().status]
    return statuses == [200, 503]


def login_broken(visitor: Visitor) -> bool:
    visitor.sign_in()
    refusal = visitor.page.locator("#login-error:not([hidden])")
    expect(refusal.or_(visitor.page.get_by_role("heading", name="Your account"))).to_be_visible()
    return refusal.is_visible()


def slow_call(visitor: Visitor) -> bool:
    with visitor.page.expect_request_finished(lambda asked: "/api/search" in asked.url) as waiting:
        visitor.open("/?q=mug")
    expect(visitor.page.get_by_text("1 product for “mug”")).to_be_visible()
    return waiting.value.timing["responseStart"] > 2900


def open_personal_data(visitor: Visitor) -> bool:
    with visitor.page.expect_response("**/api/customers") as waiting:
        visitor.open("/")
    assert "authorization" not in waiting.value.request.all_headers()
    return "ana.moreno@mailpost.example" in waiting.value.text()


def secret_in_url(visitor: Visitor) -> bool:
    visitor.sign_in()
    expect(visitor.page.locator("#fact-email")).to_have_text(EMAIL)
    return any("api_key=" in url and "access_token=" in url for url in visitor.seen.urls)


def dead_button(visitor: Visitor) -> bool:
    visitor.open_recommended()
    before = len(visitor.seen.urls)
    visitor.page.get_by_test_id("add-to-cart").click()
    # A search asks the server too: when its answer is there, the button has asked as well.
    visitor.page.get_by_label("Search products").fill("mug")
    visitor.page.keyboard.press("Enter")
    expect(visitor.page.get_by_text("1 product for “mug”")).to_be_visible()
    assert visitor.seen.troubles == {}
    return not any("/api/cart" in url for url in visitor.seen.urls[before:])


def wrong_total(visitor: Visitor) -> bool:
    visitor.put_in_cart(quantity=3)
    visitor.open("/cart")
    expect(visitor.page.get_by_test_id("cart-subtotal")).to_have_text(re.compile("€"))
    assert visitor.seen.troubles == {}
    return visitor.page.get_by_test_id("cart-subtotal").inner_text() == "€18.50"


def unhandled_rejection(visitor: Visitor) -> bool:
    visitor.open("/products/101")
    return settles(visitor, ".recommendations .card a", "Recommendations are not ready")


def blocked_script(visitor: Visitor) -> bool:
    visitor.open("/")
    expect(visitor.page.locator(".card")).to_have_count(12)
    blocked = any(
        "analytics/collect.js" in text and "Content Security Policy" in text
        for text in visitor.seen.complaints
    )
    assert visitor.page.evaluate("window.visits === undefined") == blocked
    return blocked


def missing_resource(visitor: Visitor) -> bool:
    visitor.open("/")
    expect(visitor.page.locator(".card")).to_have_count(12)
    missing = {(404, "/static/img/hero.svg"), (404, "/static/js/promo.js")}
    return missing == set(visitor.seen.refused)


def refused_websocket(visitor: Visitor) -> bool:
    visitor.open("/")
    expect(visitor.page.locator("#ticker")).to_have_text(re.compile("left$|offline$"))
    return visitor.page.locator("#ticker").inner_text() == "Live stock is offline"


def chatty_websocket(visitor: Visitor) -> bool:
    frames: Counter[str] = Counter()
    visitor.page.on(
        "websocket",
        lambda socket: socket.on("framereceived", lambda _frame: frames.update(["frame"])),
    )
    visitor.open("/")
    expect(visitor.page.locator(".card")).to_have_count(12)
    expect(visitor.page.locator("#ticker")).to_have_text(re.compile("left$"))
    visitor.page.wait_for_timeout(300)  # what is measured is a rate
    return frames["frame"] > 300


def long_task(visitor: Visitor) -> bool:
    visitor.page.add_init_script(
        """window.longest = 0;
        new PerformanceObserver(list => {
            for (const task of list.getEntries()) longest = Math.max(longest, task.duration);
        }).observe({type: 'longtask', buffered: true});"""
    )
    # Twice: a busy machine can make any task long, but hardly two in a row.
    return all(longest_task_ms(visitor) >= 390 for _ in range(2))


def longest_task_ms(visitor: Visitor) -> float:
    visitor.open("/")
    expect(visitor.page.locator(".card")).to_have_count(12)
    longest: float = visitor.page.evaluate(
        "new Promise(told => requestAnimationFrame(() => setTimeout(() => told(longest), 50)))"
    )
    return longest


def slow_page(visitor: Visitor) -> bool:
    visitor.page.add_init_script(
        """window.shift = 0;
        new PerformanceObserver(list => {
            for (const entry of list.getEntries()) shift += entry.value;
        }).observe({type: 'layout-shift', buffered: true});"""
    )
    visitor.open("/")
    expect(visitor.page.locator(".card")).to_have_count(12)
    visitor.page.wait_for_load_state("load")
    loaded: int = visitor.page.evaluate(
        "performance.getEntriesByType('resource').reduce((all, one) => all + one.transferSize, 0)"
    )
    if loaded < 5_000_000:
        assert visitor.page.evaluate("shift") < 0.05
        return False
    visitor.page.wait_for_function("shift > 0.1")
    return True


def console_noise(visitor: Visitor) -> bool:
    visitor.open("/")
    expect(visitor.page.locator(".card")).to_have_count(12)
    return any("[HMR]" in text for text in visitor.seen.complaints)


def settles(visitor: Visitor, good: str, bad: str) -> bool:
    """Wait until a page is either complete or has thrown; whether it has thrown."""
    visitor.page.wait_for_function(
        "good => document.querySelector(good) || window.thrown",
        arg=good,
    )
    return any(bad in error for error in visitor.seen.errors)


PROBES: dict[str, Callable[[Visitor], bool]] = {
    "null-field": null_field,
    "missing-field": missing_field,
    "changed-type": changed_type,
    "server-error": server_error,
    "flaky": flaky,
    "login-broken": login_broken,
    "slow-call": slow_call,
    "open-personal-data": open_personal_data,
    "secret-in-url": secret_in_url,
    "dead-button": dead_button,
    "wrong-total": wrong_total,
    "unhandled-rejection": unhandled_rejection,
    "blocked-script": blocked_script,
    "missing-resource": missing_resource,
    "refused-websocket": refused_websocket,
    "chatty-websocket": chatty_websocket,
    "long-task": long_task,
    "slow-page": slow_page,
    "console-noise": console_noise,
}
REMEMBER_THROWN = """for (const kind of ['error', 'unhandledrejection']) {
    addEventListener(kind, () => { window.thrown = true; });
}"""


@needs_browser
@pytest.mark.parametrize("name", BY_NAME)
def test_a_fault_shows_while_it_is_on_and_is_gone_when_it_is_off(
    visitor: Visitor, name: str
) -> None:
    visitor.context.add_init_script(REMEMBER_THROWN)

    visitor.shop.switch(on=[name])
    shown_while_on = PROBES[name](visitor)
    visitor.shop.switch(off=[name])
    visitor.come_back_as_somebody_else()
    shown_while_off = PROBES[name](visitor)

    assert (shown_while_on, shown_while_off) == (True, False)


@needs_browser
def test_a_fault_in_the_address_stays_with_its_visitor_alone(
    visitor: Visitor, chromium: Browser
) -> None:
    other = Visitor(visitor.shop, chromium.new_context())

    visitor.open("/products/101?fault=missing-field,wrong-total")
    shown = [missing_field(visitor), missing_field(other)]
    visitor.open("/?fault=none")
    shown.append(missing_field(visitor))
    other.context.close()

    assert shown == [True, False, False]
    assert not any(visitor.shop.faults().values())


@needs_browser
def test_a_feed_that_is_open_closes_with_1008_when_it_is_refused(visitor: Visitor) -> None:
    visitor.open("/cart")
    closing = """([url, switches]) => new Promise(closed => {
        const socket = new WebSocket(url);
        socket.onmessage = () => fetch('/__faults', {method: 'POST', body: switches});
        socket.onclose = event => closed(event.code);
    })"""
    feed, switches = (
        visitor.shop.url.replace("http", "ws") + "/feed",
        '{"on":["refused-websocket"]}',
    )

    code = visitor.page.evaluate(closing, [feed, switches])

    assert code == 1008


# The table of faults


def test_every_fault_has_a_probe() -> None:
    assert PROBES.keys() == BY_NAME.keys()


def test_every_edit_finds_what_it_breaks_exactly_once() -> None:
    counts = {
        (edit.file, edit.correct): files.FILES[edit.file].count(edit.correct.encode())
        for edit in acts_of(Edit, FAULTS)
    }

    assert set(counts.values()) == {1}


def test_every_fault_acts_on_something_that_exists() -> None:
    calls = {
        act.call for fault in FAULTS for act in fault.acts if isinstance(act, Change | Fail | Delay)
    }

    assert calls <= CALLS.keys()
    assert {missing.file for missing in acts_of(Missing, FAULTS)} <= files.FILES.keys()


def test_the_readme_lists_the_faults_as_they_are() -> None:
    assert markdown_table() in (FOLDER / "README.md").read_text()


# The server


def test_two_shops_at_once_know_nothing_of_each_other(shop: RunningShop) -> None:
    with running_shop(faults=["dead-button"]) as second:
        on = [name for name, state in second.faults().items() if state]

        assert on == ["dead-button"]
        assert second.port != shop.port
        assert not any(shop.faults().values())


def test_reset_brings_back_the_start() -> None:
    with running_shop(faults=["flaky"]) as shop, httpx.Client(base_url=shop.url) as client:
        line = {"product": 101, "size": "One size", "quantity": 2}
        client.post("/api/cart/lines", json=line)
        shop.switch(on=["slow-call"], off=["flaky"])
        before = client.get("/api/session").json()["cart_count"]

        shop.reset()

        assert before == 2
        assert client.get("/api/session").json()["cart_count"] == 0
        assert [name for name, on in shop.faults().items() if on] == ["flaky"]


def test_the_first_order_of_every_visitor_has_the_same_number(shop: RunningShop) -> None:
    assert [ordered(shop), ordered(shop)] == ["HL-1004", "HL-1004"]


def ordered(shop: RunningShop) -> str:
    purchase = {
        "name": "Sam",
        "street": "1 Pier",
        "city": "Bristol",
        "shipping": "pickup",
        "payment": "invoice",
    }
    with httpx.Client(base_url=shop.url) as client:
        signed_in = client.post("/api/login", json={"email": EMAIL, "password": PASSWORD}).json()
        client.post("/api/cart/lines", json={"product": 101, "size": "One size", "quantity": 1})
        headers = {"Authorization": f"Bearer {signed_in['token']}"}
        number: str = client.post("/api/orders", json=purchase, headers=headers).json()["number"]
    return number


def test_faults_are_listed_with_name_description_place_and_state(shop: RunningShop) -> None:
    first = httpx.get(f"{shop.url}/__faults").json()[0]

    assert first == {
        "name": "null-field",
        "description": FAULTS[0].description,
        "where": ["GET /api/products/{id}"],
        "on": False,
    }


@pytest.mark.parametrize(
    ("method", "path", "status", "said"),
    [
        ("POST", "/__faults", 400, "Unknown fault: no-such. Known are: null-field, "),
        ("GET", "/?fault=no-such", 400, "Unknown fault: no-such. "),
        ("GET", "/api/products/999", 404, "There is no product 999"),
        ("GET", "/api/account", 401, "Sign in first"),
        ("POST", "/api/cart/lines", 400, "missing required field"),
        ("POST", "/graphql", 400, "missing required field"),
        ("GET", "/static/../seed.json", 404, "Not Found"),
        ("GET", "/static/%2e%2e/seed.json", 404, "Not Found"),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_reason(
    shop: RunningShop, method: str, path: str, status: int, said: str
) -> None:
    body = b'{"on":["no-such"]}' if method == "POST" else None

    answer = httpx.request(method, f"{shop.url}{path}", content=body)

    assert answer.status_code == status
    assert said in answer.text


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "http://evil.invalid"}, 403),
        ({"Host": "evil.invalid"}, 400),
        ({"Host": "shop.example"}, 200),
    ],
)
def test_pages_of_other_sites_change_nothing(
    shop: RunningShop, headers: dict[str, str], status: int
) -> None:
    answer = httpx.post(f"{shop.url}/__reset", headers=headers)

    assert answer.status_code == status


def test_a_page_comes_with_careful_headers_and_cookies(shop: RunningShop) -> None:
    headers = httpx.get(shop.url).headers

    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "SAMEORIGIN"
    assert "object-src 'none'" in headers["content-security-policy"]
    assert re.fullmatch(
        r"shop_session=[\w-]+; HttpOnly; Path=/; SameSite=lax", headers["set-cookie"]
    )


def test_an_unknown_fault_opens_no_shop() -> None:
    with pytest.raises(UnknownFaultError, match="no-such"), running_shop(faults=["no-such"]):
        pass


def test_the_command_says_where_the_shop_is_and_stops_when_told() -> None:
    command = [sys.executable, str(FOLDER / "server.py"), "--port", "0", "--faults", "dead-button"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = process.stdout.readline()
        opened = re.match(r"The shop is open at (http://127\.0\.0\.1:\d+) ", said)
        assert opened
        faults = httpx.get(f"{opened[1]}/__faults").json()
        process.send_signal(signal.SIGTERM)
        code = process.wait(10)

    assert code == 0
    assert [fault["name"] for fault in faults if fault["on"]] == ["dead-button"]


def test_the_command_refuses_an_unknown_fault(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["--port", "0", "--faults", "no-such"])

    assert "Unknown fault: no-such" in capsys.readouterr().err


def test_the_command_says_when_the_port_is_taken(
    shop: RunningShop, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="1"):
        main(["--port", str(shop.port)])

    assert capsys.readouterr().err == (
        f"Cannot open port {shop.port}: Address already in use. Try --port 0.\n"
    )
