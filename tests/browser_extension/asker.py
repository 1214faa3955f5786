"""A bare server that puts questions to the extension as a test wants them."""

import json
import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.sync.server import ServerConnection, serve

from tests.browser_extension.site import LOOPBACK
from tests.servers import PATIENCE_S

HEALTH = {"status": "ok", "name": "gasoline", "version": "9.9.9", "entries": 0, "maxEntries": 1}


class Asker:
    """A server that only knows how to ask."""

    def __init__(self) -> None:
        self.url = ""
        self.heard: queue.Queue[dict[str, Any]] = queue.Queue()
        self.hellos = 0
        self._asked = 0
        self._line: ServerConnection | None = None

    def listen(self, line: ServerConnection) -> None:
        # A browser that was told another address hangs up and calls again.
        self._line = line
        try:
            for text in line:
                message = json.loads(text)
                self.hellos += message["type"] == "hello"
                # As the server does: a line that stays silent is taken for a dead one.
                if message["type"] == "ping":
                    line.send('{"type": "pong"}')
                self.heard.put(message)
        except ConnectionClosed:
            pass

    def answer_health(self, line: ServerConnection, request: Request) -> Response | None:
        del line
        if request.path == "/live":
            return None
        headers = Headers({"Content-Type": "application/json", "Connection": "close"})
        return Response(HTTPStatus.OK.value, "OK", headers, json.dumps(HEALTH).encode())

    def wait_for(self, kind: str) -> dict[str, Any]:
        while True:
            message = self.heard.get(timeout=PATIENCE_S)
            if message["type"] == kind:
                return message

    def wait_for_page(self, url: str) -> None:
        """Wait until a page is open: what was before the browser called is in its first words."""
        while True:
            tabs = self.heard.get(timeout=PATIENCE_S).get("tabs", [])
            if any(tab["url"].startswith(url) for tab in tabs):
                return

    def say(self, **message: Any) -> None:
        assert self._line is not None
        self._line.send(json.dumps(message))

    def put(self, question: str, tab_id: int | None = None, **params: Any) -> str:
        """Ask, and do not wait."""
        self._asked += 1
        asked = f"q-{self._asked}"
        self.say(type="question", id=asked, question=question, params=params, tabId=tab_id)
        return asked

    def answer_to(self, asked: str) -> Any:
        answer = self.wait_for("answer")
        assert answer["id"] == asked
        return answer["result"]

    def ask(self, question: str, tab_id: int | None = None, **params: Any) -> Any:
        return self.answer_to(self.put(question, tab_id, **params))


@contextmanager
def running_asker() -> Iterator[Asker]:
    asker = Asker()
    with serve(asker.listen, LOOPBACK, 0, process_request=asker.answer_health) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        asker.url = f"http://{LOOPBACK}:{server.socket.getsockname()[1]}"
        yield asker
        server.shutdown()
