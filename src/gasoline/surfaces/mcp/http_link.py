"""The bridge's way to the server where unix sockets are missing: HTTP to `/mcp`."""

import base64
import http.client
import threading
from collections.abc import Callable, Iterator

from gasoline.surfaces.daemon.place import Place, address_of, authorization
from gasoline.surfaces.mcp.message import Message, refuse

CONNECT_TIMEOUT_S = 2.0
# For what is answered at once. A server that takes longer hangs, and must not take us with it.
SHORT_ANSWER_TIMEOUT_S = 10.0
EVENT_STREAM = "text/event-stream"
HEADERS = {"Accept": f"application/json, {EVENT_STREAM}", "Content-Type": "application/json"}

# From 2026-07-28 on there are no sessions: each request says what it is, in headers too.
VERSION_OF_REQUEST = "io.modelcontextprotocol/protocolVersion"
NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}


class HttpLink:
    """Posts each request in a thread of its own and listens for what the server says unasked."""

    def __init__(
        self,
        place: Place,
        on_message: Callable[[Message], None],
        on_lost: Callable[["HttpLink"], None],
    ) -> None:
        self._address = (address_of(place), place.port)
        self._authorization = authorization(place)
        self._on_message = on_message
        self._on_lost = on_lost
        self._session: dict[str, str] = {}
        self._closed = False

    def send(self, message: Message) -> None:
        """Deliver a message. Only requests may take their time; the rest must keep its order."""
        if message.is_request and message.method != "initialize":
            connection = self._connect(timeout_s=None)
            threading.Thread(target=self._post, args=(connection, message), daemon=True).start()
        else:
            self._post(self._connect(), message)

    def close(self) -> None:
        self._closed = True
        if not self._session:
            return
        try:
            connection = self._connect(timeout_s=CONNECT_TIMEOUT_S)
            connection.request("DELETE", "/mcp", headers=self._headers())
            connection.getresponse()
            connection.close()
        except (OSError, http.client.HTTPException):
            # It forgets an idle session by itself.
            pass

    def _connect(
        self, *, timeout_s: float | None = SHORT_ANSWER_TIMEOUT_S
    ) -> http.client.HTTPConnection:
        connection = http.client.HTTPConnection(*self._address, timeout=CONNECT_TIMEOUT_S)
        connection.connect()
        connection.sock.settimeout(timeout_s)
        return connection

    def _post(self, connection: http.client.HTTPConnection, message: Message) -> None:
        try:
            connection.request("POST", "/mcp", message.line, self._headers(message))
            response = connection.getresponse()
            if response.status == http.client.NOT_FOUND and self._session:
                # A restarted server does not know the session.
                self._report_lost()
                return
            self._note_session(message, response)
            if not self._read(response, asked=message) and message.expects_answer:
                self._on_message(refuse(message.id, f"the server answered HTTP {response.status}"))
            if message.method == "initialize" and self._session:
                threading.Thread(target=self._listen, daemon=True).start()
        except (OSError, http.client.HTTPException):
            self._report_lost()
        finally:
            connection.close()

    def _note_session(self, message: Message, response: http.client.HTTPResponse) -> None:
        session = response.getheader("mcp-session-id")
        if session and message.method == "initialize":
            self._session = {"Mcp-Session-Id": session}

    def _listen(self) -> None:
        """Keep the stream open on which the server speaks unasked, and whose end is its own."""
        try:
            connection = self._connect(timeout_s=None)
            connection.request("GET", "/mcp", headers=self._headers())
            response = connection.getresponse()
            if response.status == http.client.OK:
                self._read(response)
                self._report_lost()
            connection.close()
        except (OSError, http.client.HTTPException):
            self._report_lost()

    def _read(self, response: http.client.HTTPResponse, *, asked: Message | None = None) -> bool:
        """Pass on what a response holds; tell whether it answered what was asked."""
        answered = False
        for message in map(Message, _lines(response)):
            if "jsonrpc" not in message.content:
                continue
            if asked is None or "method" in message.content:
                self._on_message(message)
            elif asked.expects_answer:
                answered = True
                self._note_version(asked, message)
                # An error may come without the id, because the server did not get that far.
                self._on_message(message if message.is_answer else message.with_id(asked.id))
        return answered

    def _note_version(self, asked: Message, answer: Message) -> None:
        result = answer.content.get("result")
        if asked.method == "initialize" and isinstance(result, dict):
            version = result.get("protocolVersion")
            if isinstance(version, str):
                self._session["Mcp-Protocol-Version"] = version

    def _report_lost(self) -> None:
        if not self._closed:
            self._on_lost(self)

    def _headers(self, message: Message | None = None) -> dict[str, str]:
        meta = message.params.get("_meta") if message else None
        version = meta.get(VERSION_OF_REQUEST) if isinstance(meta, dict) else None
        if message and isinstance(version, str):
            return {
                **HEADERS,
                **self._authorization,
                "Mcp-Protocol-Version": version,
                **_name(message),
            }
        return {**HEADERS, **self._authorization, **self._session}


def _lines(response: http.client.HTTPResponse) -> Iterator[bytes]:
    if EVENT_STREAM in (response.getheader("content-type") or ""):
        yield from (line[5:].strip() for line in response if line.startswith(b"data:"))
    else:
        yield response.read()


def _name(message: Message) -> dict[str, str]:
    named = {"Mcp-Method": _header_value(message.method or "")}
    name = message.params.get(NAMED_BY.get(message.method or "", ""))
    return {**named, "Mcp-Name": _header_value(name)} if isinstance(name, str) else named


def _header_value(text: str) -> str:
    """Text as MCP puts it into a header: as it is, or in base64 where HTTP would spoil it."""
    plain = text.isascii() and text.isprintable() and text == text.strip()
    if plain and not text.startswith("=?base64?"):
        return text
    return f"=?base64?{base64.b64encode(text.encode()).decode()}?="
