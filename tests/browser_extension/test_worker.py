"""What the worker does to batches, and what it survives."""

import re
from pathlib import Path

import pytest

from tests.browser_extension.asking import logs, messages, snapshot, wait_for_message
from tests.browser_extension.browsers import ExtensionBrowser
from tests.browser_extension.site import Site
from tests.servers import RunningServer, running_server, wait_until


@pytest.mark.parametrize(
    ("level", "said"),
    [("error", {"an error"}), ("warn", {"an error", "a warning"}), ("all", None)],
)
def test_the_level_decides_what_of_the_console_is_sent(
    chrome: ExtensionBrowser, server: RunningServer, site: Site, level: str, said: set[str] | None
) -> None:
    chrome.configure(logLevel=level)
    page = chrome.open(f"{site.url}/early")

    page.evaluate(
        """() => {
            console.log('a word'); console.warn('a warning'); console.error('an error');
            fetch('/api/broken').then(() => setTimeout(() => { throw new Error('the end'); }));
        }"""
    )

    wait_for_message(server, "Uncaught Error: the end")
    sent = {entry["message"] for entry in logs(server, type="console")} - {"the first thing"}
    assert sent == (said or {"a word", "a warning", "an error"})
    wait_until(lambda: len(logs(server, type="network", status=500)) == 1, "the failed request")


def test_only_wanted_domains_are_captured(
    chrome: ExtensionBrowser, server: RunningServer, site: Site
) -> None:
    chrome.configure(domainFilters=["example.com"])
    page = chrome.open(f"{site.url}/early")
    page.evaluate("console.error('unwanted')")
    chrome.await_settings()

    chrome.configure(domainFilters=["example.com", "127.0.0.1"])
    wait_until(
        lambda: "wanted" in (page.evaluate("console.error('wanted')") or messages(server)),
        "capture after the domain was added",
    )

    assert set(messages(server)) == {"wanted"}
    assert server.request("GET", "/health").json["capture"] == {"state": "complete"}


def test_only_the_tracked_tab_is_captured(
    chrome: ExtensionBrowser, server: RunningServer, site: Site
) -> None:
    tracked = chrome.open(f"{site.url}/")
    tab_id = chrome.ask("async () => (await chrome.tabs.query({active: true}))[0].id")
    chrome.configure(trackedTabId=tab_id)
    other = chrome.open(f"{site.url}/early")
    other.evaluate("console.error('from another tab')")

    tracked.evaluate("console.error('from the tracked tab')")

    assert wait_for_message(server, "from the tracked tab")["tabId"] == tab_id
    assert {entry["tabId"] for entry in snapshot(server)["logs"]} == {tab_id}
    chrome.ask("() => chrome.storage.local.remove('trackedTabId')")


def test_switched_off_kinds_are_not_sent(
    chrome: ExtensionBrowser, server: RunningServer, site: Site
) -> None:
    chrome.configure(
        webSocketCaptureEnabled=False, networkBodyCaptureEnabled=False, actionReplayEnabled=False
    )
    page = chrome.open(site.url)
    page.click("#pay")
    page.evaluate(
        """async websocket => {
            await fetch('/api/ok');
            await new Promise(done => {
                const socket = new WebSocket(websocket);
                socket.onopen = () => { socket.close(); done(); };
            });
            console.error('all done');
        }""",
        site.websocket,
    )

    wait_for_message(server, "all done")
    told = snapshot(server)
    kinds = ("websocket_events", "network_bodies", "enhanced_actions")
    assert [told.get(name) or [] for name in kinds] == [[], [], []]


def test_what_errors_and_actions_carry_is_what_is_switched_on(
    chrome: ExtensionBrowser, server: RunningServer, site: Site
) -> None:
    page = chrome.open(site.url)
    use = """async word => {
        await (await fetch('/api/ok?' + word)).text();
        performance.mark('the ' + word + ' mark');
        console.error(word);
    }"""
    page.click("#pay")
    page.evaluate(use, "bare")
    bare = wait_for_message(server, "bare")

    chrome.configure(
        networkWaterfallEnabled=True, performanceMarksEnabled=True, enhancedSelectorsEnabled=False
    )
    page.reload()
    page.click("#pay")
    page.evaluate(use, "full")

    full = wait_for_message(server, "full")
    assert not {"_networkWaterfall", "_performanceMarks"} & bare.keys()
    assert f"{site.url}/api/ok?full" in [one["url"] for one in full["_networkWaterfall"]]
    assert "the full mark" in [one["name"] for one in full["_performanceMarks"]]
    wait_until(lambda: len(snapshot(server).get("enhanced_actions", [])) == 2, "both clicks")
    first, last = snapshot(server)["enhanced_actions"]
    assert (first["selectors"]["testId"], last["selectors"]) == ("pay", {})


def test_repeats_of_an_error_are_counted_not_sent(
    chrome: ExtensionBrowser, server: RunningServer, site: Site
) -> None:
    page = chrome.open(site.url)

    page.evaluate("for (let i = 0; i < 40; i++) console.error('again and again')")

    wait_until(lambda: len(logs(server, message="again and again")) == 2, "the counted repeats")
    first, repeats = logs(server, message="again and again")
    assert "_aggregatedCount" not in first
    assert repeats["_aggregatedCount"] == 39
    assert repeats["_firstSeen"] <= repeats["_lastSeen"]
    assert repeats["tabId"] == first["tabId"]
    assert server.request("GET", "/health").json["capture"] == {"state": "complete"}


def test_the_badge_counts_errors(
    chrome: ExtensionBrowser, server: RunningServer, site: Site
) -> None:
    popup = chrome.open(f"{chrome.address}/popup.html")
    popup.click("#clear")
    wait_until(lambda: chrome.badge == "", "an empty badge")

    page = chrome.open(f"{site.url}/early")
    wait_until(lambda: chrome.badge == "1", "one error")
    page.evaluate("for (let i = 0; i < 120; i++) console.error('number ' + i)")

    wait_until(lambda: chrome.badge == "99+", "more errors than fit")


def test_no_server_is_shown_at_once(own_chrome: ExtensionBrowser) -> None:
    own_chrome.configure(serverUrl="http://127.0.0.1:9")

    wait_until(lambda: own_chrome.badge == "!", "the badge of a lost server")


def test_a_killed_worker_comes_back_with_the_next_event(
    own_chrome: ExtensionBrowser, server: RunningServer, site: Site
) -> None:
    own_chrome.connect(server.url)
    page = own_chrome.open(f"{site.url}/early")
    page.evaluate("console.error('before the end')")
    wait_for_message(server, "before the end")

    own_chrome.stop_worker()
    page.evaluate("console.error('after the end')")

    wait_for_message(server, "after the end")
    assert server.request("GET", "/health").json["capture"] == {"state": "complete"}


def test_what_happens_while_the_server_is_away_is_delivered_when_it_is_back(
    own_chrome: ExtensionBrowser, site: Site, tmp_path: Path
) -> None:
    with running_server(tmp_path / "first") as server:
        own_chrome.connect(server.url)
        page = own_chrome.open(f"{site.url}/early")
        wait_for_message(server, "the first thing")
        server.kill()
    page.evaluate("console.error('nobody listens')")
    gone = own_chrome.open(f"{site.url}/")
    gone.evaluate("console.error('from a page that closes')")
    wait_until(lambda: own_chrome.badge == "!", "the loss")
    gone.close()

    with running_server(tmp_path / "second", "--port", str(server.port)) as back:
        wait_for_message(back, "nobody listens")
        wait_for_message(back, "from a page that closes")
        wait_until(lambda: re.fullmatch(r"\d+", own_chrome.badge) is not None, "the line again")
