"""What errors are told with beyond themselves: when, how often, and only as far as allowed."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Route

from tests.apps.running import running_app
from tests.capture.capturing import LOGS, ROOT, Captured, Inbox, configure
from tests.capture.site import FAR_HOST, Site
from tests.capture.site import Page as ServedPage

Capture = Callable[..., Captured]

STATE_ON = {"stateSnapshot": True}
STORE = "window.store = {getState: () => ({auth: {user: null, token: 'not-for-anyone', error: 'Request failed with status 401'}, cart: {items: [1, 2]}}), dispatch() {}}"
# Stands in for a framework: whatever has been clicked belongs to it.
FRAMEWORK = "go.__reactFiber$test = {type: function Cart() {}, memoizedProps: {items: 1}}"
BUTTON = f"<button id=go onclick=\"throw new Error('auth is gone')\">Go</button><script>{FRAMEWORK}; {STORE}</script>"


def context_of(entry: dict[str, Any]) -> dict[str, Any]:
    context: dict[str, Any] = entry["_aiContext"]
    return context


def test_an_error_is_named_and_says_its_component_at_once(capture: Capture) -> None:
    captured = capture(BUTTON)

    captured.page.click("#go")

    (entry,) = captured.wait_for(LOGS)
    assert entry["_errorId"].startswith("err_")
    assert entry["_enrichments"] == ["userActions", "aiContext"]
    assert context_of(entry) == {
        "componentAncestry": {
            "framework": "react",
            "components": [{"name": "Cart", "propKeys": ["items"]}],
        }
    }


@pytest.mark.parametrize("setting", [False, {"componentTree": False}])
def test_switched_off_nothing_is_added(capture: Capture, setting: Any) -> None:
    captured = capture(BUTTON, ai_context=setting)

    captured.page.click("#go")

    (entry,) = captured.wait_for(LOGS)
    assert "_aiContext" not in entry
    assert entry["_enrichments"] == ["userActions"]
    assert ("_errorId" in entry) == (setting is not False)


def test_without_source_snippets_the_server_is_told_to_look_for_none(capture: Capture) -> None:
    captured = capture(BUTTON, ai_context={"sourceSnippets": False, "componentTree": False})

    captured.page.click("#go")
    captured.page.click("#go")

    again = captured.wait_for(LOGS, 2)
    assert [context_of(entry) for entry in again] == [{"sourceSnippets": []}] * 2


def test_it_can_be_switched_off_and_on_while_the_page_runs(capture: Capture) -> None:
    captured = capture(BUTTON)

    captured.run("__gasoline.setAiContext(false)")
    captured.page.click("#go")
    captured.run("__gasoline.setAiContext(true)")
    captured.page.click("#go")

    assert ["_aiContext" in entry for entry in captured.wait_for(LOGS, 2)] == [False, True]


def test_ten_identical_errors_cost_one_enrichment_and_are_ten_errors(capture: Capture) -> None:
    captured = capture(BUTTON)

    captured.run("() => { for (let n = 0; n < 10; n++) go.click() }")

    entries = captured.wait_for(LOGS, 10)
    assert [index for index, entry in enumerate(entries) if "_aiContext" in entry] == [0]
    assert len({entry["_errorId"] for entry in entries}) == 10


def test_a_flood_of_different_errors_is_not_all_enriched(capture: Capture) -> None:
    captured = capture(BUTTON)

    captured.page.click("#go")
    captured.run("() => { for (let n = 0; n < 200; n++) console.error('different', n) }")

    entries = captured.wait_for(LOGS, 201)
    assert sum("_aiContext" in entry for entry in entries) == 20


def test_the_state_is_left_alone_unless_asked_for(capture: Capture) -> None:
    captured = capture(BUTTON)

    captured.page.click("#go")

    (entry,) = captured.wait_for(LOGS)
    assert "stateSnapshot" not in context_of(entry)


def test_the_state_joins_its_error_before_it_leaves(capture: Capture) -> None:
    captured = capture(BUTTON, ai_context=STATE_ON)

    # What waits already would take the error along before the state has its turn.
    captured.run("async () => { await __gasoline.flush(); go.click() }")

    (entry,) = captured.wait_for(LOGS)
    assert entry["_enrichments"] == ["userActions", "aiContext"]
    assert context_of(entry)["componentAncestry"]["framework"] == "react"
    assert context_of(entry)["stateSnapshot"] == {
        "source": "redux",
        "keys": {
            "auth": {"type": "object", "keys": ["user", "token", "error"]},
            "cart": {"type": "object", "keys": ["items"]},
        },
        "relevantSlice": {
            "auth.user": None,
            "auth.token": "[redacted]",
            "auth.error": "Request failed with status 401",
        },
    }


def test_what_is_found_after_the_error_has_left_follows_under_its_id(capture: Capture) -> None:
    captured = capture(BUTTON, ai_context=STATE_ON)

    captured.flush()
    # A full batch goes at once, before anything else has its turn.
    captured.run("() => { for (let n = 0; n < 49; n++) console.log(n); go.click() }")

    entries = captured.wait_for(LOGS, 51)
    (error,) = [entry for entry in entries if entry["type"] == "exception"]
    (more,) = [entry for entry in entries if entry["type"] == "gasoline-enrichment"]
    assert more == {
        "type": "gasoline-enrichment",
        "_errorId": error["_errorId"],
        "_aiContext": {
            "componentAncestry": context_of(error)["componentAncestry"],
            "stateSnapshot": context_of(more)["stateSnapshot"],
        },
    }


CHANGING = """<script>
let state = {cart: {items: [1], coupon: 'none'}, theme: 'dark', tax: 1};
window.seen = 0;
window.store = {getState: () => (seen++, state), set: change => { state = {...state, ...change}; seen = 0 }};
</script>"""


def test_what_changed_in_the_last_two_seconds_is_told(capture: Capture) -> None:
    captured = capture(CHANGING, ai_context=STATE_ON)

    captured.page.wait_for_function("seen > 0")
    captured.run("store.set({cart: {...store.getState().cart, coupon: 'half'}, tax: 2})")
    at_once = state_told(captured)["relevantSlice"]
    captured.page.wait_for_function("seen > 7")
    later = state_told(captured)["relevantSlice"]

    assert at_once == {"cart.coupon": "half", "tax": 2}
    assert later == {}


def test_what_is_switched_on_later_is_watched_from_the_next_event(capture: Capture) -> None:
    captured = capture(CHANGING)

    captured.run("__gasoline.setStateSnapshot(true); console.log('on')")
    captured.run("store.set({theme: 'light'})")

    assert state_told(captured)["relevantSlice"] == {"theme": "light"}


def state_told(captured: Captured) -> dict[str, Any]:
    told: dict[str, Any] = captured.run(
        "async message => JSON.parse(JSON.stringify((await __gasoline.enrichError({level: 'error', message}))._aiContext?.stateSnapshot ?? null))",
        "the order is gone",
    )
    return told


def test_redux_is_found_through_its_provider(capture: Capture) -> None:
    with running_app("react") as app:
        captured = capture(url=app.url, ai_context=STATE_ON)
        captured.page.get_by_role("button", name="Load order").click()
        captured.page.wait_for_selector("text=Show total")

        state = state_told(captured)

    assert state["source"] == "redux"
    assert state["keys"] == {
        "order": {"type": "object", "keys": ["id", "customer", "total", "shipping", "items"]},
        "session": {"type": "object", "keys": ["user", "token"]},
        "loadingStatus": {"type": "string"},
    }
    assert state["relevantSlice"] == {
        "order.id": 7,
        "order.customer": "Ada",
        "order.total": None,
        "order.shipping": None,
        "order.items": "[array: 0, 1]",
        "loadingStatus": "done",
    }


@pytest.mark.parametrize("mode", ["development", "production"])
def test_pinia_is_found_through_its_app(capture: Capture, mode: Any) -> None:
    with running_app("vue", mode) as app:
        captured = capture(url=app.url, ai_context=STATE_ON)

        state = state_told(captured)

    assert state["source"] == "pinia"
    assert state["keys"] == {
        "orders": {"type": "object", "keys": ["order", "session", "loadingStatus"]},
        "filter": {"type": "object", "keys": ["search", "status"]},
    }
    assert state["relevantSlice"] == {
        "orders.order": None,
        "orders.loadingStatus": "idle",
        "filter.status": "all",
    }


ZUSTAND = """import {createElement, useState} from 'react';
import {createRoot} from 'react-dom/client';
import {create} from 'zustand';
const useCart = create(() => ({order: {id: 7}, status: 'open', buy() {}}));
function Cart() { useState(0); useCart(cart => cart.status); return createElement('p', null, 'cart') }
createRoot(document.body.appendChild(document.createElement('div'))).render(createElement('main', null, createElement(Cart)));"""


def test_zustand_is_found_in_the_hooks_of_who_uses_it(capture: Capture, tmp_path: Path) -> None:
    source, built = tmp_path / "app.js", tmp_path / "built.js"
    source.write_text(ZUSTAND)
    subprocess.run(
        [
            ROOT / "node_modules" / ".bin" / "esbuild",
            source,
            "--bundle",
            "--define:process.env.NODE_ENV='production'",
            f"--outfile={built}",
            "--log-level=error",
        ],
        check=True,
        env={"NODE_PATH": str(ROOT / "node_modules"), "PATH": "/usr/bin:/bin:/usr/local/bin"},
    )
    captured = capture(ai_context=STATE_ON)
    captured.page.add_script_tag(path=built)
    captured.page.wait_for_selector("text=cart")

    assert state_told(captured) == {
        "source": "zustand",
        "keys": {"order": {"type": "object", "keys": ["id"]}, "status": {"type": "string"}},
        "relevantSlice": {"order.id": 7, "status": "open"},
    }


def test_stores_of_svelte_are_read_where_they_are_exposed(capture: Capture) -> None:
    captured = capture(
        "<script>window.__svelte_stores = {order: {subscribe(tell) { tell({total: null}); return () => { window.left = true } }}}</script>",
        ai_context=STATE_ON,
    )

    assert state_told(captured) == {
        "source": "svelte",
        "keys": {"order": {"type": "object", "keys": ["total"]}},
        "relevantSlice": {"order.total": None},
    }
    assert captured.run("window.left") is True


def test_no_store_is_no_snapshot(capture: Capture) -> None:
    assert state_told(capture(ai_context=STATE_ON)) is None


def test_a_store_whose_getters_throw_tells_the_rest(capture: Capture) -> None:
    captured = capture(
        "<script>window.store = {getState: () => ({order: {get total() { throw new Error('mine') }, status: 'x'.repeat(300)}})}</script>",
        ai_context=STATE_ON,
    )

    state = state_told(captured)

    assert state["keys"] == {"order": {"type": "object", "keys": ["total", "status"]}}
    assert state["relevantSlice"]["order.status"] == "x" * 200 + "... [truncated]"


def test_a_large_state_is_cut(capture: Capture) -> None:
    captured = capture(
        """<script>window.store = {getState: () => Object.fromEntries(Array.from({length: 50}, (_, n) =>
          [`error${n}`, Object.fromEntries(Array.from({length: 50}, (_, k) => [`${k}_${'y'.repeat(40)}`, 1]))]))}</script>""",
        ai_context=STATE_ON,
    )

    state = state_told(captured)

    assert len(state["relevantSlice"]) == 10
    assert len(str(state)) < 5500


SHOP = "http://shop.test"
PAY = "function pay() { throw new Error('paid') }\n"
MAP = '{"version":3,"sources":["pay.ts"],"mappings":"AAAA"}'


def script_with_map(address: str) -> str:
    return f"{PAY}//# sourceMappingURL={address}\n"


@pytest.fixture
def shop(context: BrowserContext) -> dict[str, tuple[int, str]]:
    """A site that is not on this machine; what each of its paths answers."""
    answers = {"/": (200, "<!doctype html><script src=/app.js></script>")}

    def answer(route: Route) -> None:
        path = route.request.url.removeprefix(SHOP)
        status, body = answers.get(path, (404, "missing"))
        kind = "text/html" if path == "/" else "text/javascript"
        route.fulfill(status=status, body=body, content_type=kind)

    context.route(f"{SHOP}/**", answer)
    return answers


def fail_in(page: Page) -> None:
    page.evaluate("() => { setTimeout(pay); setTimeout(pay, 5) }")


def told_about(captured: Captured) -> list[dict[str, Any]]:
    entries = captured.wait_for(LOGS, 3)
    return [entry for entry in entries if entry["type"] == "gasoline-source"]


@pytest.mark.parametrize(
    "address", ["app.js.map", "data:application/json;base64,eyJ2ZXJzaW9uIjozfQ=="]
)
def test_the_map_of_a_script_elsewhere_is_sent_once(
    capture: Capture, shop: dict[str, tuple[int, str]], address: str
) -> None:
    shop["/app.js"] = (200, script_with_map(address))
    shop["/app.js.map"] = (200, MAP)
    captured = capture(url=f"{SHOP}/")

    fail_in(captured.page)

    expected = '{"version":3}' if address.startswith("data:") else MAP
    assert told_about(captured) == [
        {"type": "gasoline-source", "url": f"{SHOP}/app.js", "map": expected, "part": 0, "parts": 1}
    ]


def open_with_map(capture: Capture, site: Site, content: str) -> Captured:
    """Served for real: a driver that answers for a site takes seconds for so much."""
    site.pages["/pay.js"] = ServedPage(script_with_map("pay.js.map"), {})
    site.pages["/pay.js.map"] = ServedPage(content, {})
    return capture(url=site.page("<script src=/pay.js></script>", host=FAR_HOST))


def test_a_large_map_is_sent_in_parts(capture: Capture, site: Site) -> None:
    captured = open_with_map(capture, site, "x" * 5_000_001)

    fail_in(captured.page)

    entries = captured.wait_for(LOGS, 8)
    told = [entry for entry in entries if entry["type"] == "gasoline-source"]
    assert [(entry["part"], entry["parts"]) for entry in told] == [(n, 6) for n in range(6)]
    assert "".join(entry["map"] for entry in told) == "x" * 5_000_001


def test_a_map_that_is_too_large_is_told_with_the_reason(capture: Capture, site: Site) -> None:
    captured = open_with_map(capture, site, "x" * 16_000_001)

    fail_in(captured.page)

    (told,) = told_about(captured)
    assert "over 16 MB" in told["error"]


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("missing.map", "answered 404"),
        ("http://elsewhere.test/a.map", "the source map is elsewhere"),
    ],
)
def test_a_map_that_cannot_be_had_is_told_with_the_reason(
    capture: Capture, shop: dict[str, tuple[int, str]], address: str, why: str
) -> None:
    shop["/app.js"] = (200, script_with_map(address))
    captured = capture(url=f"{SHOP}/")

    fail_in(captured.page)

    (told,) = told_about(captured)
    assert why in told["error"]


def test_a_script_without_a_map_says_so(capture: Capture, shop: dict[str, tuple[int, str]]) -> None:
    shop["/app.js"] = (200, PAY)
    captured = capture(url=f"{SHOP}/")

    fail_in(captured.page)

    (told,) = told_about(captured)
    assert told["error"] == "Error: no source map is named"


def test_a_page_on_this_machine_uploads_nothing(capture: Capture) -> None:
    captured = capture(f"<script>{PAY}</script>")

    fail_in(captured.page)

    entries = captured.wait_for(LOGS, 2)
    assert {entry["type"] for entry in entries} == {"exception"}


def test_without_snippets_nothing_is_uploaded(
    capture: Capture, shop: dict[str, tuple[int, str]]
) -> None:
    shop["/app.js"] = (200, script_with_map("app.js.map"))
    captured = capture(url=f"{SHOP}/", ai_context={"sourceSnippets": False})

    fail_in(captured.page)

    entries = captured.wait_for(LOGS, 2)
    assert {entry["type"] for entry in entries} == {"exception"}


def test_asking_for_a_map_leaves_no_trace_in_what_is_captured(
    context: BrowserContext, shop: dict[str, tuple[int, str]]
) -> None:
    inbox = Inbox()
    context.expose_binding("__gasolineSend", inbox.receive)
    configure(context, {"__GASOLINE_CAPTURE_MODE": "all"})
    policy = '<meta http-equiv="Content-Security-Policy" content="connect-src \'none\'">'
    shop["/"] = (200, f"<!doctype html>{policy}<script src=/app.js></script>")
    shop["/app.js"] = (200, script_with_map("app.js.map"))
    page = context.new_page()
    page.goto(f"{SHOP}/")
    captured = Captured(page, inbox)

    fail_in(page)

    (told,) = told_about(captured)
    assert "Failed to fetch" in told["error"]
    assert {entry["type"] for entry in captured.logs()} == {"exception", "gasoline-source"}
    assert captured.bodies() == []
