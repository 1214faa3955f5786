"""For each fault of the shop, a test of its owner fails, and the report names the cause."""

from collections.abc import Sequence

import pytest

from examples.shop.faults import BY_NAME
from examples.shop.server import RunningShop
from tests.drivers.browsers import DRIVER
from tests.suites.running import PLAYWRIGHT_TEST, PYTEST, Project, Reported

MOST_TOKENS = 500
CHARS_PER_TOKEN = 4

# What an agent must read to know what is wrong, in the words of the page and its server.
CAUSES: dict[str, tuple[str, ...]] = {
    "null-field": (
        "Primary failure: Cannot read properties of null (reading 'amount')",
        "GET /api/products/101 answered null in price",
    ),
    "missing-field": ("GET /api/products/101 answered without delivery_days",),
    "changed-type": (
        "Primary failure: price.amount.toFixed is not a function",
        "GET /api/products answered text in items[].price.amount",
    ),
    "server-error": (
        "Primary failure: POST /api/orders → 500",
        'the server said "The order could not be saved: duplicate key value',
        "← FAILURE",
    ),
    "flaky": (
        "Primary failure: POST /api/orders → 503",
        "upstream warehouse:9000 timed out after 2000 ms",
    ),
    "login-broken": (
        "Primary failure: POST /api/login → 401",
        "stored hash has version 2y, this server verifies 2b only",
    ),
    "slow-call": ("The slowest request took 3", "ms: GET /api/search"),
    "open-personal-data": ("GET /api/customers answered with", "customers[].email"),
    "secret-in-url": ("GET /api/account carried a secret in its address: api_key, access_token",),
    "dead-button": ('The last click was on "Add to cart" and no answered request followed it',),
    "wrong-total": ("GET /api/cart had answered 18.5 in lines[].product.price.amount",),
    "unhandled-rejection": ("Primary failure: Recommendations are not ready",),
    "blocked-script": (
        "Primary failure: Blocked by Content Security Policy",
        "/analytics/collect.js",
    ),
    "missing-resource": ("Primary failure: Failed to load <script>", "/static/js/promo.js"),
    "refused-websocket": ("Primary failure: WebSocket /feed failed",),
    "chatty-websocket": ("WebSocket /feed carried up to", "messages a second"),
    "long-task": ("One task kept the main thread of / busy for 4",),
    "slow-page": ("/ loaded 1", "MB, such as /photos/"),
    "console-noise": (
        "Primary failure: Unchecked runtime.lastError: The message port closed",
        "[likely noise: browser extension]",
        "unrelated: likely noise (hot reloading",
    ),
}
ALL = tuple(CAUSES)
# One of each way in which a fault shows: an exception, a refusal, a wrong answer, a connection,
# a load, nothing at all.
SOME = ("null-field", "missing-field", "server-error", "dead-button", "long-task", "wrong-total")
FEW = ("changed-type", "server-error", "refused-websocket")


def journeys(project: Project, driven_by: str) -> None:
    project.take(shop_journeys="test_shop.py", **{f"{driven_by}_conftest": "conftest.py"})


def run_playwright_test(
    project: Project, shop: RunningShop, faults: Sequence[str], workers: str
) -> Reported:
    project.take(shop="shop.spec.ts")
    chosen = "|".join(f"{fault}:" for fault in faults)
    return project.run(*PLAYWRIGHT_TEST, "--workers", workers, "-g", chosen, SHOP=shop.url)


def run_pytest(
    project: Project, shop: RunningShop, faults: Sequence[str], *arguments: str, driven_by: str
) -> Reported:
    journeys(project, driven_by)
    chosen = " or ".join(fault.replace("-", "_") for fault in faults)
    return project.run(*PYTEST, "-k", chosen, *arguments, SHOP=shop.url)


def assert_causes_are_named(reported: Reported, faults: Sequence[str]) -> None:
    assert reported.code == 1, reported.out
    count = len(faults)
    assert reported.json["summary"] == f"{count} tests, {count} failures, {count} causes"
    for fault in faults:
        section, test = reported.section(fault), reported.test(fault)
        unsaid = [words for words in CAUSES[fault] if words not in section]
        assert (fault, unsaid, section if unsaid else "") == (fault, [], "")
        assert len(section) <= MOST_TOKENS * CHARS_PER_TOKEN
        assert test["status"] == "fail"
        # On a busy machine a page may not hand over all of it in time, and then says so.
        assert test["capture"]["state"] in {"complete", "partial"}
        assert any(hint[:40] in section for hint in test["hints"])


def test_every_fault_has_a_cause_to_be_named() -> None:
    assert set(CAUSES) == set(BY_NAME)


def test_pytest(project: Project, shop: RunningShop) -> None:
    reported = run_pytest(project, shop, ALL, driven_by="playwright")

    assert_causes_are_named(reported, ALL)


@pytest.mark.parametrize("faults", [SOME, pytest.param(ALL, marks=pytest.mark.long)], ids=len)
def test_pytest_xdist(project: Project, shop: RunningShop, faults: Sequence[str]) -> None:
    reported = run_pytest(project, shop, faults, "-n", "2", driven_by="playwright")

    assert_causes_are_named(reported, faults)


@pytest.mark.skipif(DRIVER is None, reason="no chromedriver on the PATH")
@pytest.mark.parametrize("faults", [SOME, pytest.param(ALL, marks=pytest.mark.long)], ids=len)
def test_selenium(project: Project, shop: RunningShop, faults: Sequence[str]) -> None:
    reported = run_pytest(
        project, shop, faults, "-p", "no:playwright", "-p", "no:base_url", driven_by="selenium"
    )

    assert_causes_are_named(reported, faults)


@pytest.mark.parametrize(
    ("workers", "faults"),
    [
        ("1", FEW),
        ("4", SOME),
        pytest.param("1", ALL, marks=pytest.mark.long),
        pytest.param("4", ALL, marks=pytest.mark.long),
    ],
)
def test_playwright_test(
    project: Project, shop: RunningShop, workers: str, faults: Sequence[str]
) -> None:
    reported = run_playwright_test(project, shop, faults, workers)

    assert_causes_are_named(reported, faults)


@pytest.mark.long
def test_without_faults_the_same_suites_pass(project: Project, shop: RunningShop) -> None:
    journeys(project, "playwright")
    project.take(shop="shop.spec.ts")

    by_pytest = project.run(*PYTEST, SHOP=shop.url, SOUND="1")
    by_playwright = project.run(*PLAYWRIGHT_TEST, SHOP=shop.url, SOUND="1")

    assert (by_pytest.code, by_playwright.code) == (0, 0), by_pytest.out + by_playwright.out
