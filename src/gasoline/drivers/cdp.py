"""Any browser with a debugging port: capture in every page, frame and popup of it."""

import contextlib
import http.client
import itertools
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from concurrent.futures import wait as wait_for_all
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

from gasoline.drivers.delivery import Delivery
from gasoline.drivers.observation import (
    BINDING,
    FIRST_LOOK_S,
    HAND_OVER,
    LONGEST_FLUSH_S,
    Observation,
    crowding,
    patience_with_page,
    quietly,
)
from gasoline.drivers.worker_log import read_worker_event

ANSWER_S = 5.0
# These have documents; the others (workers, the browser's own windows) are only let go.
WITH_DOCUMENTS = frozenset({"page", "iframe", "webview"})
WORKERS = frozenset({"worker", "shared_worker", "service_worker"})

# Recursive: a cross-origin frame is a child of its page, not of the browser.
AUTO_ATTACH = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True}


class NoBrowserError(Exception):
    """No browser can be debugged there; the message says what to do."""


class Target(NamedTuple):
    """Something in the browser that runs scripts."""

    kind: str
    url: str
    title: str


def find_websocket(address: str) -> str:
    """The browser's own WebSocket, from its address in any spelling: 9222, host:port, http, ws."""
    if address.isdigit():
        address = f"127.0.0.1:{address}"
    if "://" not in address:
        address = f"http://{address}"
    parts = urlsplit(address)
    is_encrypted = parts.scheme in {"https", "wss"}
    kind = http.client.HTTPSConnection if is_encrypted else http.client.HTTPConnection
    try:
        host, port = parts.hostname or "", parts.port or kind.default_port
        if parts.scheme in {"ws", "wss"}:
            socket.create_connection((host, port), timeout=ANSWER_S).close()
            return address
        connection = kind(host, port, timeout=ANSWER_S)
        with contextlib.closing(connection):
            connection.request("GET", "/json/version")
            found = json.loads(connection.getresponse().read())["webSocketDebuggerUrl"]
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError) as error:
        raise NoBrowserError(
            f"No browser answers at {address} ({error or type(error).__name__}). Start one with "
            "a debugging port: chromium --remote-debugging-port=9222 "
            "--user-data-dir=/tmp/gasoline-profile"
        ) from error
    return str(found)


class Attachment:
    """A browser that is being watched, until it is closed or let go."""

    def __init__(
        self,
        observation: Observation,
        address: str,
        *,
        on_target: Callable[[Target], None] = lambda _target: None,
    ) -> None:
        self.ended = threading.Event()
        self.delivery = observation.delivery
        self._observation = observation
        self._on_target = on_target
        self._numbers = itertools.count(1)
        self._answers: dict[int, Future[dict[str, Any]]] = {}
        self._setups: list[Future[dict[str, Any]]] = []
        self._targets: dict[str, Target] = {}
        # The origin of each document, which Chrome knows and a page cannot forge.
        self._origins: dict[str, dict[int, str]] = {}
        self._open = contextlib.ExitStack()
        self._socket = self._connect(find_websocket(address))
        self._thread = threading.Thread(target=self._listen, name="gasoline-cdp", daemon=True)
        self._thread.start()
        self._ask("Browser.getVersion").add_done_callback(self._name_browser)
        self._attach_to_all()

    def flush(self) -> None:
        """Have every page hand over what it holds, as far as it does within the time."""
        asked = {
            self._ask_document(session, context): origin
            for session, target in list(self._targets.items())
            if target.kind in WITH_DOCUMENTS
            for context, origin in list(self._origins.get(session, {}).items())
        }
        waiting = wait_for_all(asked, FIRST_LOOK_S).not_done
        if waiting:
            patience_s = patience_with_page(self._round_trip_s(), crowding=crowding())
            waiting = wait_for_all(asked, patience_s).not_done
        for answer, origin in asked.items():
            # A frame may go while it is asked; its page has handed over what it held.
            if answer not in waiting and not answer.cancelled():
                self._take_answer(answer.result(), origin)
        if waiting:
            self._observation.page_was_late()

    def _ask_document(self, session: str, context: int) -> Future[dict[str, Any]]:
        return self._ask(
            "Runtime.evaluate",
            {
                "expression": f"({HAND_OVER})(1)",
                "contextId": context,
                "awaitPromise": True,
                "returnByValue": True,
            },
            session=session,
        )

    def _take_answer(self, answer: dict[str, Any], origin: str) -> None:
        with quietly("take a batch"):
            held = answer.get("result", {}).get("result", {}).get("value")
            self._observation.take_answer(held, origin)

    def _round_trip_s(self) -> float:
        asked_s = time.monotonic()
        wait_for_all([self._ask("Browser.getVersion")], LONGEST_FLUSH_S)
        return time.monotonic() - asked_s

    def close(self) -> None:
        """Let the browser go; its pages go on without us."""
        with quietly("let a browser go"):
            self._open.close()
        self._thread.join(ANSWER_S)

    def _connect(self, url: str) -> ClientConnection:
        try:
            # A proxy is for the world outside, and Chrome sends bodies of any size.
            connection = connect(
                url, max_size=None, compression=None, proxy=None, ping_interval=None
            )
            return self._open.enter_context(connection)
        except (OSError, WebSocketException, ValueError) as error:
            raise NoBrowserError(
                f"{url} cannot be debugged ({error}). Is the browser still running?"
            ) from error

    def _name_browser(self, asked: Future[dict[str, Any]]) -> None:
        with quietly("name a browser"):
            self.delivery.name_browser(asked.result()["result"]["userAgent"])

    def _attach_to_all(self) -> None:
        """Return once every page that is open now has its capture."""
        deadline_s = time.monotonic() + ANSWER_S
        # Chrome announces what is open before it answers.
        wait_for_all([self._ask("Target.setAutoAttach", AUTO_ATTACH)], ANSWER_S)
        wait_for_all(list(self._setups), max(0.0, deadline_s - time.monotonic()))
        self._setups.clear()

    def _listen(self) -> None:
        with quietly("listen to a browser"), contextlib.suppress(WebSocketException, OSError):
            for text in self._socket:
                self._hear(json.loads(text))
        self.ended.set()
        for answer in list(self._answers.values()):
            answer.cancel()

    def _hear(self, message: dict[str, Any]) -> None:
        if "id" in message:
            answer = self._answers.pop(message["id"], None)
            if answer and not answer.cancelled():
                answer.set_result(message)
            return
        session, params = message.get("sessionId", ""), message.get("params", {})
        match message.get("method"):
            case "Target.attachedToTarget":
                self._welcome(params["sessionId"], params["targetInfo"])
            case "Target.detachedFromTarget":
                self._targets.pop(params["sessionId"], None)
                self._origins.pop(params["sessionId"], None)
            case str(method) if session in self._targets:
                self._hear_target(method, params, session)

    def _hear_target(self, method: str, params: dict[str, Any], session: str) -> None:
        target = self._targets[session]
        origins = self._origins.setdefault(session, {})
        match method:
            case "Page.frameNavigated" if "parentId" not in params["frame"]:
                self._targets[session] = target._replace(url=params["frame"]["url"])
            case "Inspector.targetCrashed":
                # Nobody is left in it to answer.
                origins.clear()
                with quietly("say that a page crashed"):
                    self._observation.page_crashed(target.url)
            case "Runtime.executionContextCreated" if _is_document(params["context"]):
                origins[params["context"]["id"]] = params["context"]["origin"]
            case "Runtime.executionContextDestroyed":
                origins.pop(params["executionContextId"], None)
            case "Runtime.executionContextsCleared":
                origins.clear()
            case "Runtime.bindingCalled" if params["name"] == BINDING:
                self._take(params["payload"], origins.get(params["executionContextId"], ""))
            case "Runtime.consoleAPICalled" | "Runtime.exceptionThrown":
                # What a page's own worker throws, the page reports itself.
                thrown_in_page = method.endswith("Thrown") and target.kind == "worker"
                if target.kind in WORKERS and not thrown_in_page:
                    self._note_worker_event(method, params, target)

    def _take(self, message: str, origin: str) -> None:
        with quietly("take a batch"):
            # This binding answers nothing: the page would not know that it should try again.
            self._observation.take_or_lose(message, origin)

    def _welcome(self, session: str, found: dict[str, Any]) -> None:
        target = Target(found["type"], found.get("url", ""), found.get("title", ""))
        if target.kind in WITH_DOCUMENTS | WORKERS:
            self._targets[session] = target
        if target.kind in WITH_DOCUMENTS:
            self._setups += self._put_capture_into(session)
        elif target.kind in WORKERS:
            # Let go first: a worker that waits for its debugger answers nothing.
            self._ask("Runtime.runIfWaitingForDebugger", session=session)
            self._ask("Runtime.enable", session=session)
        self._ask("Target.setAutoAttach", AUTO_ATTACH, session=session)
        self._ask("Runtime.runIfWaitingForDebugger", session=session)
        if session in self._targets:
            self._observation.browsers += 1
            self._on_target(target)

    def _put_capture_into(self, session: str) -> Iterator[Future[dict[str, Any]]]:
        # Without both, Chrome forgets the binding and the script with the next document.
        yield self._ask("Page.enable", session=session)
        yield self._ask("Runtime.enable", session=session)
        yield self._ask("Inspector.enable", session=session)
        yield self._ask("Runtime.addBinding", {"name": BINDING}, session=session)
        yield self._ask(
            "Page.addScriptToEvaluateOnNewDocument",
            {"source": self._observation.script, "runImmediately": True},
            session=session,
        )

    def _note_worker_event(self, method: str, params: dict[str, Any], target: Target) -> None:
        with quietly("note what a worker said"):
            entry = read_worker_event(method, params, url=target.url)
            self._observation.note([entry])

    def _ask(
        self, method: str, params: dict[str, Any] | None = None, *, session: str = ""
    ) -> Future[dict[str, Any]]:
        number = next(self._numbers)
        answer: Future[dict[str, Any]] = Future()
        self._answers[number] = answer
        message: dict[str, Any] = {"id": number, "method": method, "params": params or {}}
        if session:
            message["sessionId"] = session
        try:
            self._socket.send(json.dumps(message))
        except (WebSocketException, OSError):
            self._answers.pop(number, None)
            answer.cancel()
        return answer


def _is_document(context: dict[str, Any]) -> bool:
    """Other contexts are worlds that extensions and drivers have in the same document."""
    return bool(context.get("auxData", {}).get("isDefault", True))


def observe(
    address: str,
    *,
    port: int,
    host: str | None = None,
    test_id: str | None = None,
    mode: str = "all",
    token: str | None = None,
    on_target: Callable[[Target], None] = lambda _target: None,
) -> Attachment:
    """Watch the browser with a debugging port at an address, for the server on a port."""
    delivery = Delivery(port, host=host, token=token)
    return Attachment(
        Observation(delivery, test_id=test_id, mode=mode), address, on_target=on_target
    )
