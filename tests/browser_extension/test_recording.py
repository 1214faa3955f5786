"""What the extension recorded becomes tests that pass: the tabs are known, popups too."""

import json
from pathlib import Path
from typing import Any

from examples.shop.server import running_shop
from tests.browser_extension.browsers import ExtensionBrowser
from tests.extension import call_tool
from tests.journeys.journeys import JOURNEYS
from tests.journeys.recording import Visit
from tests.journeys.running import run_playwright
from tests.servers import RunningServer

WANTED = ("sign in", "look at the size guide", "drag a wish")


def ask(server: RunningServer, tool: str, **arguments: Any) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(call_tool(server, tool, **arguments)["content"][0]["text"])
    return told


def pages_shown(server: RunningServer) -> set[str]:
    timeline = ask(server, "get_session_timeline", include=["dom"])["timeline"]
    return {entry["url"] for entry in timeline}


def test_journeys_through_the_extension_become_tests_that_pass(
    chrome: ExtensionBrowser, server: RunningServer, tmp_path: Path
) -> None:
    scripts = {}
    with running_shop() as shop:
        for journey in [journey for journey in JOURNEYS if journey.name in WANTED]:
            server.request("POST", "/clear")
            chrome.context.clear_cookies()
            visit = Visit(chrome.context, shown=lambda: pages_shown(server))
            visit.follow(journey, shop.url)
            visit.flush()
            name = journey.name.replace(" ", "_")
            answer = ask(
                server, "generate_test", test_name=journey.name, assertions={}, inline=True
            )
            scripts[name] = answer["test_script"]
            for page in chrome.context.pages:
                page.close()
        outcomes = run_playwright(tmp_path, scripts)

    assert {name: outcome.said for name, outcome in outcomes.items()} == dict.fromkeys(scripts, "")
    assert scripts["look_at_the_size_guide"].count("\ntest(") == 2
