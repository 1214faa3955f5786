"""A player of the extension: a real WebSocket on `/live`, and answers as a test wants them."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tests.servers import PATIENCE_S, Answer, RunningServer

Answers = Callable[[dict[str, Any]], Any]

EXTENSION = Origin("chrome-extension://abc")
SHOP_TAB = {"tabId": 31, "url": "http://shop/cart", "title": "Cart", "active": True}


class Silence:
    """The answer of a page that does not answer."""


class Extension:
    """One connected browser profile."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.asked: list[dict[str, Any]] = []

    def say(self, message: Any) -> None:
        self.socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    def hear(self) -> dict[str, Any]:
        heard: dict[str, Any] = json.loads(self.socket.recv(PATIENCE_S))
        return heard

    def hear_type(self, wanted: str) -> dict[str, Any]:
        while True:
            heard = self.hear()
            if heard["type"] == wanted:
                return heard

    def hello(self, *tabs: dict[str, Any], **more: Any) -> None:
        """Say hello, and wait until it was heard."""
        self.say({"type": "hello", "client": "extension", "version": "1", "tabs": tabs, **more})
        self.settle()

    def settle(self) -> None:
        """Wait until the server has dealt with everything said before."""
        self.say({"type": "ping"})
        self.hear_type("pong")

    def answer_all(self, answers: Answers) -> None:
        """Answer questions until the line ends."""
        try:
            while True:
                question = self.hear_type("question")
                self.asked.append(question)
                result = answers(question)
                if not isinstance(result, Silence):
                    self.say({"type": "answer", "id": question["id"], "result": result})
        except ConnectionClosed:
            return


@contextmanager
def connected(server: RunningServer) -> Iterator[Extension]:
    """An open line that has said nothing yet."""
    url = f"ws://127.0.0.1:{server.port}/live"
    with connect(url, origin=EXTENSION, max_size=None) as socket:
        yield Extension(socket)


@contextmanager
def answering(
    server: RunningServer, answers: Answers, *tabs: dict[str, Any], **hello: Any
) -> Iterator[Extension]:
    """An extension that answers every question in the background."""
    with connected(server) as extension:
        extension.hello(*(tabs or (SHOP_TAB,)), **hello)
        thread = threading.Thread(target=extension.answer_all, args=(answers,))
        thread.start()
        try:
            yield extension
        finally:
            extension.socket.close()
            thread.join(PATIENCE_S)


def call_tool(server: RunningServer, name: str, **arguments: Any) -> dict[str, Any]:
    """The result of a tool call, over the real protocol in its one-shot form."""
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": name, "arguments": arguments},
    }
    answer: Answer = server.request("POST", "/mcp", call)
    assert answer.status == 200, answer
    result: dict[str, Any] = answer.json["result"]
    return result


def error_of(result: dict[str, Any]) -> str:
    assert result.get("isError") is True, result
    text: str = result["content"][0]["text"]
    return text


def answer_of(result: dict[str, Any]) -> dict[str, Any]:
    assert "isError" not in result, result
    answer: dict[str, Any] = json.loads(result["content"][0]["text"])
    return answer
