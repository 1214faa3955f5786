"""What an AI is told of an error in a real app: the source as written, whatever was built of it."""

import json
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from gasoline.drivers.observation import BINDING
from gasoline.drivers.playwright import observe
from tests.apps.errors_page import PAGE, put_answers, without_chance
from tests.apps.running import (
    APPS,
    FRAMEWORKS,
    App,
    Framework,
    build_app,
    running_app,
    running_dev_server,
)
from tests.drivers.browsers import BROWSER, FLAGS
from tests.servers import RunningServer, run_gasoline, running_server
from tests.sources.site import running_site

HOWS = ("production build", "development build", "dev server")
BECAUSE = "Likely because GET /api/orders/7 had answered 200 with null in total."
# What the documentation shows: each framework once, and each way to serve it.
SHOWN: dict[str, tuple[Framework, str]] = {
    "React, from its development server": ("react", "dev server"),
    "Vue, as built for production": ("vue", "production build"),
    "Svelte, as built for development": ("svelte", "development build"),
}
SVELTE_KEEPS_NAMES = ("svelte", "development build")
RECORDS = bool(os.environ.get("GASOLINE_RECORD_EXAMPLES"))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=BROWSER, args=list(FLAGS))
        yield started
        started.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    folder = tmp_path_factory.mktemp("errors")
    with running_server(folder, "--record", str(folder / "record.jsonl")) as running:
        yield running


def served(framework: Framework, how: str) -> AbstractContextManager[App]:
    if how == "dev server":
        return running_dev_server(framework)
    return running_app(framework, "development" if how == "development build" else "production")


def visit(
    browser: Browser, server: RunningServer, app: App, *buttons: str, until_gone: str | None = None
) -> None:
    """Click through the app, in a browser that this server watches."""
    server.request("POST", "/clear")
    context = browser.new_context()
    observation = observe(context, port=server.port)
    page = context.new_page()
    page.goto(app.url)
    for button in buttons:
        page.get_by_role("button", name=button).click()
    if until_gone:
        page.locator(until_gone).wait_for(state="detached")
    # What was thrown is reported before the next task.
    page.evaluate("new Promise(done => setTimeout(done))")
    context.close()
    assert observation.delivery.drain(10)


def ask_errors(server: RunningServer, **arguments: Any) -> dict[str, Any]:
    call = {"name": "get_browser_errors", "arguments": arguments}
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    answer = server.request("POST", "/mcp", request).json
    text = answer["result"]["content"][0]["text"]
    assert len(text.encode()) / 4 < 800
    # A development server names files by where they are on this machine.
    told: dict[str, Any] = json.loads(text.replace(str(APPS.parents[1]), ""))
    return told


@pytest.fixture(scope="module")
def answers(browser: Browser, server: RunningServer) -> dict[tuple[Framework, str], dict[str, Any]]:
    """The answer of every app, however it is served, to a click on an order without a total."""
    found = {}
    for framework in FRAMEWORKS:
        for how in HOWS:
            with served(framework, how) as app:
                visit(browser, server, app, "Load order", "Show total")
                found[framework, how] = ask_errors(server)
    return found


@pytest.mark.parametrize("framework", FRAMEWORKS)
@pytest.mark.parametrize("how", HOWS)
def test_an_error_names_the_line_as_it_was_written(
    answers: dict[tuple[Framework, str], dict[str, Any]], framework: Framework, how: str
) -> None:
    error = answers[framework, how]["errors"][0]

    assert error["at"].lstrip("/") == "tests/apps/format.js:3:30"
    assert "> 3 |   const amount = order.total.amount;\n" in error["code"]
    assert "OrderCard." in error["called_by"][0]


@pytest.mark.parametrize("framework", FRAMEWORKS)
@pytest.mark.parametrize("how", HOWS)
def test_the_sentence_says_what_was_null_and_which_answer_it_came_in(
    answers: dict[tuple[Framework, str], dict[str, Any]], framework: Framework, how: str
) -> None:
    answer = answers[framework, how]
    error = answer["errors"][0]
    sentence = "tests/apps/format.js:3 — `order.total` is null when reading `amount`."

    assert sentence in error["explained"]
    assert error["explained"].endswith(BECAUSE)
    assert error["requests"] == ["GET /api/orders/7 had answered 200 with null in total"]
    assert [action.split(",")[0] for action in error["actions"]] == [
        "click 'Load order'",
        "click 'Show total'",
    ]
    assert sentence in answer["summary"]


@pytest.mark.parametrize(
    ("framework", "how"),
    [
        (framework, how)
        for framework in FRAMEWORKS
        for how in HOWS
        # A minifier leaves React's components short names; Svelte's leave nothing in production.
        if how == "dev server" or framework == "vue" or (framework, how) == SVELTE_KEEPS_NAMES
    ],
)
def test_the_component_is_named_from_the_root_of_the_app_on(
    answers: dict[tuple[Framework, str], dict[str, Any]], framework: Framework, how: str
) -> None:
    error = answers[framework, how]["errors"][0]

    assert error["components"].endswith("App > OrderCard")
    assert f"Component tree: {error['components']}." in error["explained"]


def test_a_component_that_fails_while_it_renders_is_explained(
    browser: Browser, server: RunningServer
) -> None:
    with served("react", "production build") as app:
        # React takes away what it cannot render.
        visit(browser, server, app, "Load order", "Show receipt", until_gone="main")
        error = ask_errors(server)["errors"][0]

    assert error["at"] == "tests/apps/react/Receipt.jsx:2:34"
    assert "`order.shipping` is null when reading `address`" in error["explained"]


def test_a_finished_run_is_explained_from_its_build_folder(
    browser: Browser, server: RunningServer
) -> None:
    with served("svelte", "production build") as app:
        visit(browser, server, app, "Load order", "Show total")
    record = server.state_folder.parent / "record.jsonl"
    build = build_app("svelte", "production")

    told = run_gasoline(
        server.state_folder, "report", "--from", str(record), "--source-maps", str(build)
    )

    assert "tests/apps/format.js:3 — `order.total` is null when reading `amount`." in told.out


def test_a_page_cannot_pass_for_another_through_its_driver(
    browser: Browser, server: RunningServer
) -> None:
    context = browser.new_context()
    observation = observe(context, port=server.port)
    with running_site() as site, running_site() as other:
        site.files["/page"] = b"<!doctype html>"
        other.serve_app()
        forged = {"url": other.url, "stack": other.stack(), "level": "error", "type": "exception"}
        batch = "/logs" + json.dumps({"entries": [forged | {"_errorId": "f"}]})
        page = context.new_page()
        page.goto(f"{site.url}/page")
        page.evaluate(f"batch => window.{BINDING}(batch)", batch)
        context.close()
        assert observation.delivery.drain(10)
        server.request("GET", "/snapshot?explained=true")

        assert other.asked == []


def test_the_documentation_shows_what_is_answered(
    answers: dict[tuple[Framework, str], dict[str, Any]],
) -> None:
    documented = PAGE.read_text(encoding="utf-8")

    page = put_answers(documented, {title: answers[shown] for title, shown in SHOWN.items()})

    if RECORDS:
        PAGE.write_text(page, encoding="utf-8")
    else:
        assert without_chance(documented) == without_chance(page)
