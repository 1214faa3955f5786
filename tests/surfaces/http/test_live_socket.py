"""Extensions on the line of a real server: asked, answering, leaving, misbehaving."""

import asyncio
import json
import threading
import time
from collections.abc import Iterator, MutableMapping
from contextlib import ExitStack, nullcontext
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from gasoline.live.questions import Questions
from gasoline.surfaces.http.live_socket import live_socket
from gasoline.surfaces.settings import Settings
from tests.extension import (
    SHOP_TAB,
    Extension,
    Silence,
    answer_of,
    answering,
    call_tool,
    connected,
    error_of,
)
from tests.servers import PATIENCE_S, RunningServer, running_server, wait_until

INFO = {"url": "http://shop/cart", "title": "Cart"}
OTHER_TAB = {"tabId": 40, "url": "http://blog/", "title": "Blog", "active": True}


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[RunningServer]:
    """A server nobody has connected to."""
    with running_server(tmp_path) as running:
        yield running


def test_a_question_goes_to_the_active_tab_and_is_answered_at_once(server: RunningServer) -> None:
    background = {**OTHER_TAB, "active": False}
    with answering(server, lambda _question: INFO, background, SHOP_TAB) as extension:
        call_tool(server, "get_page_info")
        started = time.perf_counter()
        answer = answer_of(call_tool(server, "get_page_info"))
        took_s = time.perf_counter() - started

    assert answer["capture"] == {"state": "complete", "why": "Answered live by tab 31."}
    assert answer["url"] == "http://shop/cart"
    assert extension.asked[-1] == {
        "type": "question",
        "id": extension.asked[-1]["id"],
        "question": "page_info",
        "params": {},
        "tabId": 31,
    }
    # Two milliseconds when nothing else runs.
    assert took_s < 1


def test_with_several_windows_the_extension_decides_which_is_in_front(
    server: RunningServer,
) -> None:
    with answering(server, lambda _question: INFO, SHOP_TAB, OTHER_TAB) as extension:
        answer = answer_of(call_tool(server, "get_page_info"))

    assert extension.asked[0]["tabId"] is None
    assert answer["capture"]["why"] == "Answered live by the page that was last in front."


def test_two_browsers_are_asked_each_for_its_own_tab(server: RunningServer) -> None:
    with (
        answering(server, lambda _q: INFO, SHOP_TAB, session="a") as shop,
        answering(server, lambda _q: {**INFO, "title": "Blog"}, OTHER_TAB, session="b") as blog,
    ):
        titles = [
            answer_of(call_tool(server, "get_page_info", **arguments))["title"]
            for arguments in ({"tab_id": 31}, {"tab_id": 40}, {})
        ]

    # Without a tab: the browser that was heard of last.
    assert titles == ["Cart", "Blog", "Blog"]
    assert [len(shop.asked), len(blog.asked)] == [1, 2]


def test_the_browser_whose_tabs_changed_last_is_the_one_in_use(server: RunningServer) -> None:
    with (
        answering(server, lambda _q: INFO, SHOP_TAB, session="a"),
        connected(server) as blog,
    ):
        blog.hello(OTHER_TAB, session="b")
        blog.say({"type": "tabs", "tabs": [{**OTHER_TAB, "tabId": 41}]})
        blog.settle()

        error = error_of(call_tool(server, "get_page_info", tab_id=40))

    assert error.startswith("tab_id: there is no tab 40. Open tabs: 31 (http://shop/cart), 41 (")


def test_no_secret_of_an_address_is_shown(server: RunningServer) -> None:
    tab = {**SHOP_TAB, "url": "http://shop/?api_key=abcdefgh12345678"}
    with answering(server, lambda _q: INFO, tab):
        error = error_of(call_tool(server, "get_page_info", tab_id=5))

    assert "abcdefgh12345678" not in error


def test_nobody_connected_is_said_at_once_with_what_to_do(fresh: RunningServer) -> None:
    started = time.perf_counter()
    error = error_of(call_tool(fresh, "query_dom", selector="h1"))

    assert time.perf_counter() - started < 2
    assert error.startswith("No page is connected")
    assert "`gasoline extension`" in error
    assert "`gasoline doctor`" in error


def test_a_browser_that_leaves_fails_its_open_questions_at_once(fresh: RunningServer) -> None:
    with connected(fresh) as extension:
        extension.hello(SHOP_TAB)
        results: list[dict[str, Any]] = []
        asking = threading.Thread(
            target=lambda: results.append(call_tool(fresh, "query_dom", selector="h1"))
        )
        asking.start()
        extension.hear_type("question")
        started = time.perf_counter()
        extension.socket.close()
        asking.join()

    assert time.perf_counter() - started < 5
    assert error_of(results[0]).startswith("The browser disconnected before it answered.")
    assert error_of(call_tool(fresh, "get_page_info")).startswith("No page is connected")


@pytest.mark.long
def test_a_page_that_does_not_answer_is_given_up_after_ten_seconds(server: RunningServer) -> None:
    with answering(server, lambda _question: Silence()) as extension:
        error = error_of(call_tool(server, "query_dom", selector="h1"))
        late = {"id": extension.asked[0]["id"], "result": {}}
        refused = server.request("POST", "/dom-result", late)
        extension.say({"type": "answer", **late})
        # The line still works.
        extension.say({"type": "ping"})

    assert error.startswith("The page did not answer within 10 s.")
    assert refused.status == 404


def test_an_answer_by_the_wrong_browser_or_to_no_question_is_ignored(
    server: RunningServer,
) -> None:
    with connected(server) as intruder:
        intruder.hello(OTHER_TAB, session="b")

        def answer_late(question: dict[str, Any]) -> Any:
            forged = {"type": "answer", "id": question["id"], "result": {"title": "forged"}}
            intruder.say({"type": "answer", "id": "q-9999", "result": 1})
            intruder.say(forged)
            intruder.settle()
            return INFO

        with answering(server, answer_late, SHOP_TAB, session="a"):
            answer = answer_of(call_tool(server, "get_page_info", tab_id=31))

    assert answer["title"] == "Cart"


def test_a_connected_browser_may_also_answer_over_http(server: RunningServer) -> None:
    def answer_by_post(question: dict[str, Any]) -> Any:
        answer = server.request("POST", "/dom-result", {"id": question["id"], "result": INFO})
        assert answer.status == 200
        return Silence()

    with answering(server, answer_by_post):
        assert answer_of(call_tool(server, "get_page_info"))["title"] == "Cart"


def test_settings_are_told_on_connect_and_on_change(fresh: RunningServer) -> None:
    with connected(fresh) as extension:
        assert extension.hear() == {"type": "settings", "captureOverrides": {}}
        extension.hello(SHOP_TAB)
        call_tool(fresh, "capture_screenshot", auto_screenshot={"on_action": True}, tab_id=9)
        told = extension.hear_type("settings")["captureOverrides"]
        fresh.request("POST", "/clear", {"preserve_config": False})
        reset = extension.hear_type("settings")["captureOverrides"]

    automatic = {"on_navigation": False, "on_error": True, "on_action": True}
    assert told == {"auto_screenshot": automatic, "screenshot_on_error": "true"}
    assert reset == {}


def test_hello_counts_as_a_sign_of_life(fresh: RunningServer) -> None:
    with connected(fresh) as extension:
        extension.hello(session="s-1")
        health = fresh.request("GET", "/health").json

    assert health["extension"]["session_id"] == "s-1"


def test_the_dead_line_of_a_browser_is_cut_when_it_connects_again(server: RunningServer) -> None:
    with connected(server) as earlier:
        earlier.hello(SHOP_TAB, session="same")
        with answering(server, lambda _q: INFO, SHOP_TAB, session="same"):
            with pytest.raises(ConnectionClosed):
                earlier.hear_type("nothing")

            assert answer_of(call_tool(server, "get_page_info"))["title"] == "Cart"


@pytest.mark.parametrize(
    "frame",
    [
        b"binary",
        "",
        "{",
        "[]",
        "{}",
        '{"type":"unheard-of"}',
        '{"type":"tabs","tabs":[{"tabId":"x"}]}',
        '{"type":"answer"}',
        '{"type":"hello","debugger":"maybe"}',
        '{"type":"answer","id":"q","result":' + "[" * 5000 + "]" * 5000 + "}",
        '{"type":"hello","session":"\\u202e\\n forged log line"}',
    ],
    ids=range(11),
)
def test_a_bad_frame_is_ignored_and_the_line_goes_on(
    server: RunningServer, frame: str | bytes
) -> None:
    with connected(server) as extension:
        extension.say(frame)

        extension.settle()


def test_a_bad_frame_leaves_a_line_in_the_log(fresh: RunningServer) -> None:
    with connected(fresh) as extension:
        extension.say('{"type":"forged\\nline"}')
        extension.settle()

    wait_until(lambda: any("Ignored a frame on /live" in line for line in fresh.said), "the log")
    assert not any(line.startswith("line") for line in fresh.said)


def test_half_an_emoji_spoils_no_answer(server: RunningServer) -> None:
    with answering(server, lambda _q: {**INFO, "title": "cut \ud83d"}):
        assert answer_of(call_tool(server, "get_page_info"))["title"] == "cut \ufffd"


@pytest.mark.parametrize("excess", [0, 1])
def test_a_message_may_be_ten_mebibytes_and_no_more(server: RunningServer, excess: int) -> None:
    limit = 10 * 1024 * 1024
    frame = json.dumps({"type": "answer", "id": "q", "result": ""})
    frame = frame.replace('""', '"' + "x" * (limit - len(frame) + excess) + '"')
    outcome = pytest.raises(ConnectionClosed) if excess else nullcontext()

    with connected(server) as extension, outcome:
        exchange(extension, frame)


def exchange(extension: Extension, frame: str) -> None:
    extension.say(frame)
    extension.settle()


def test_fifty_extensions_at_once(server: RunningServer) -> None:
    with connected(server) as first:
        first.hello(SHOP_TAB, session="0")
        with ExitStack() as others:
            for number in range(1, 50):
                others.enter_context(connected(server)).hello(session=str(number))

            first.settle()


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "http://localhost:5173", "null", "https://127.0.0.1"]
)
def test_no_page_gets_on_the_line(server: RunningServer, origin: str) -> None:
    url = f"ws://127.0.0.1:{server.port}/live"

    with pytest.raises(InvalidStatus) as refused, connect(url, origin=Origin(origin)):
        pass

    assert refused.value.response.status_code == 403


def test_a_client_that_stops_reading_is_dropped() -> None:
    questions = Questions()
    said = [{"type": "websocket.connect"}]
    said += [{"type": "websocket.receive", "text": '{"type":"hello"}'}]
    said += [{"type": "websocket.receive", "text": '{"type":"ping"}'}] * 1000

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(0)
        return said.pop(0) if said else await asyncio.Future()

    async def send(message: MutableMapping[str, Any]) -> None:
        if message["type"] != "websocket.accept":
            await asyncio.Future()

    async def serve() -> None:
        app = live_socket(questions, Settings(), now_ms=lambda: 0)
        async with asyncio.timeout(PATIENCE_S):
            await app({}, receive, send)

    asyncio.run(serve())

    assert not questions.browsers
