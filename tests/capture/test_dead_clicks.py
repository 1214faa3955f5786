"""A click that leads to nothing is told; one that leads to anything is not."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.capture.capturing import LOGS, Captured

Capture = Callable[..., Captured]

# What each answers with; a second after the last of them the dead button is told.
ALIVE = {
    "changes the page": "this.after('changed')",
    "changes an attribute": "this.className = 'pressed'",
    "asks a server": "fetch('/status/200')",
    "asks a server with what it kept": "kept('/status/200')",
    "asks a server as before": "const r = new XMLHttpRequest(); r.open('GET', '/echo'); r.send()",
    "changes the address": "history.pushState({}, '', '#paid')",
    "changes late": "setTimeout(() => this.after('late'), 500)",
    "goes to a field": "document.querySelector('input').focus()",
    "scrolls": "box.scrollTop = 9",
    "says so": "alert('paid')",
    "opens a window": "window.open('about:blank').close()",
}


def dead_clicks(captured: Captured) -> list[dict[str, Any]]:
    return [entry for entry in captured.records(LOGS) if entry["type"] == "dead-click"]


def wait_for_dead_click(captured: Captured) -> str:
    patience = 500
    while not (found := dead_clicks(captured)):
        captured.page.wait_for_timeout(20)
        patience -= 1
        assert patience > 0, "no dead click was told"
    message: str = found[0]["message"]
    return message


@pytest.mark.parametrize("does", ALIVE.values(), ids=list(ALIVE))
def test_a_button_that_does_something_is_not_dead(capture: Capture, does: str) -> None:
    captured = capture(
        f"""<script>const kept = fetch</script><button id="alive" onclick="{does}">Pay</button>
        <button id="dead">Nothing</button><input><div id="box" style="height: 9px; overflow: auto"><p>long</p></div>"""
    )

    captured.page.click("#alive")
    captured.page.wait_for_timeout(1050)
    captured.page.click("#dead")

    told = wait_for_dead_click(captured)
    assert told.startswith('Nothing followed a click on "Nothing" within a second')
    assert len(dead_clicks(captured)) == 1


@pytest.mark.parametrize(
    ("html", "name"),
    [
        ("<button id=t onclick=\"console.log('todo')\">Pay <b>now</b></button>", "Pay now"),
        ('<button id=t aria-label="Close"><svg width=9 height=9></svg></button>', "Close"),
        ("<div id=t role=button tabindex=0>Open</div>", "Open"),
        ('<input id=t type=button value="Go">', "Go"),
        ('<a id=t href="javascript:void 0">More</a>', "More"),
    ],
)  # fmt: skip
def test_whatever_looks_like_a_button_and_does_nothing_is_told_by_its_name(
    capture: Capture, html: str, name: str
) -> None:
    captured = capture(html)

    captured.page.click("#t")

    assert f'"{name}"' in wait_for_dead_click(captured)
    (entry,) = dead_clicks(captured)
    assert (entry["level"], entry["url"]) == ("warn", captured.page.url)


def test_neither_a_switched_off_button_nor_a_scripts_own_click_is_dead(capture: Capture) -> None:
    captured = capture(
        "<button id=off aria-disabled=true>Off</button><button id=own>Own</button><button id=dead>Dead</button>"
    )

    captured.page.click("#off", force=True)
    captured.run("own.click()")
    captured.page.click("#dead")

    assert '"Dead"' in wait_for_dead_click(captured)
    assert len(dead_clicks(captured)) == 1


def test_nothing_is_told_when_actions_are_not_captured(capture: Capture) -> None:
    captured = capture("<button id=a>A</button><button id=b>B</button>")
    captured.run("__gasoline.setActionCapture(false)")
    captured.page.click("#a")
    captured.page.wait_for_timeout(1050)
    captured.run("__gasoline.setActionCapture(true)")

    captured.page.click("#b")

    assert '"B"' in wait_for_dead_click(captured)
    assert len(dead_clicks(captured)) == 1
