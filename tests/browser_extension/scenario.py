"""One visit in which everything happens that capture can see, and the shape of what it leaves."""

from typing import Any

from playwright.sync_api import Page

from tests.browser_extension.asking import snapshot
from tests.browser_extension.site import Site
from tests.servers import RunningServer

LISTS = ("logs", "websocket_events", "network_bodies", "enhanced_actions")
# It knows the tab, and counts what it saw before.
OF_THE_EXTENSION = {"tabId", "_aggregatedCount", "_firstSeen", "_lastSeen"}
# How many kinds of records it leaves.
KINDS = 18

THINGS_GO_WRONG = """async websocket => {
    console.log('hello', {a: 1});
    console.warn('careful');
    setTimeout(() => { throw new TypeError('broken'); });
    Promise.reject(new Error('rejected'));
    await fetch('/api/ok', {method: 'POST', body: '{"q":1}', headers: {Authorization: 'x'}});
    await fetch('/api/broken');
    await new Promise(done => {
        const xhr = new XMLHttpRequest();
        xhr.open('GET', '/api/missing');
        xhr.onloadend = done;
        xhr.send();
    });
    await new Promise(done => {
        const socket = new WebSocket(websocket);
        socket.onopen = () => socket.send('{"ping":1}');
        socket.onmessage = () => socket.close(1000);
        socket.onclose = done;
    });
    history.pushState(null, '', '/?step=2');
}"""


def play(page: Page, site: Site) -> None:
    """Do it all, and hand over what was seen."""
    page.evaluate(THINGS_GO_WRONG, site.websocket)
    page.fill("#mail", "a@example.com")
    page.fill("#pin", "123456")
    page.press("#pin", "Enter")
    page.click("#pay")
    page.evaluate("__gasoline.flush()")


def shapes(server: RunningServer) -> dict[str, Any]:
    """The keys and types of each kind of record, without what only the extension knows."""
    told = snapshot(server)
    return {
        f"{name} {_kind(record)}": _shape(record)
        for name in LISTS
        for record in told.get(name, [])
        if record.get("source") not in {"gasoline-ci", "dead-click"}
        # Whether a request waits when its page is asked is a matter of luck.
        and not record.get("pending")
    }


def _kind(record: dict[str, Any]) -> str:
    names = ("type", "event", "direction", "level", "source", "method", "status", "inputType")
    return " ".join(str(record[name]) for name in names if name in record)


def _shape(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _shape(item) for key, item in value.items() if key not in OF_THE_EXTENSION}
    if isinstance(value, list):
        return [_shape(item) for item in value[:1]]
    return (
        "number" if isinstance(value, int | float) and value is not True else type(value).__name__
    )
