"""Events nobody asked for just now: over the bridge, over HTTP, as server-sent events."""

import asyncio
import http.client
import json
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.extension import ClientExtension, NotificationBinding
from pydantic import BaseModel, ConfigDict

from tests.bridges import Bridge, running_bridge
from tests.servers import (
    LOOPBACK,
    PATIENCE_S,
    RunningServer,
    environment_of,
    running_server,
)

METHOD = "notifications/gasoline/event"
# What a client of the newest protocol says with every request.
NEWEST = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
}


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running_server(tmp_path_factory.mktemp("pushing")) as running:
        yield running


def fail(server: RunningServer, message: str = "boom", **fields: Any) -> None:
    entry = {"level": "error", "message": message, "url": "http://localhost/cart"} | fields
    server.request("POST", "/logs", {"entries": [entry]})


def subscribe(bridge: Bridge, **wishes: Any) -> dict[str, Any]:
    bridge.shake_hands()
    answer = bridge.call("configure_streaming", enabled=True, **wishes)
    told: dict[str, Any] = json.loads(answer["result"]["content"][0]["text"])
    return told


@pytest.mark.parametrize("flags", [(), ("--http",)], ids=["unix socket", "HTTP"])
def test_a_raw_client_hears_events_through_the_bridge(
    server: RunningServer, flags: tuple[str, ...]
) -> None:
    with running_bridge(server.port, server.state_folder, *flags) as bridge:
        told = subscribe(bridge)
        fail(server, "Cannot read \u202ex")
        heard = bridge.receive()

    assert told["enabled"] is True
    assert told["throttle_seconds"] == 5
    assert heard["jsonrpc"] == "2.0"
    assert heard["method"] == METHOD
    assert "id" not in heard
    assert heard["params"]["category"] == "errors"
    assert heard["params"]["message"] == "New error: Cannot read x"
    assert heard["params"]["context"]["url"] == "http://localhost/cart"


def test_each_client_has_wishes_of_its_own_and_nothing_is_pushed_unasked(
    server: RunningServer,
) -> None:
    with (
        running_bridge(server.port, server.state_folder) as wants_errors,
        running_bridge(server.port, server.state_folder) as wants_security,
        running_bridge(server.port, server.state_folder) as wants_nothing,
    ):
        subscribe(wants_errors, events=["errors"])
        subscribe(wants_security, events=["security"])
        wants_nothing.shake_hands()
        fail(server)
        server.request(
            "POST",
            "/network-bodies",
            {"bodies": [{"url": "http://localhost/api?password=hunter2hunter2", "status": 200}]},
        )

        heard = [wants_errors.receive(), wants_security.receive()]
        unasked = wants_nothing.ask("ping")

    assert [message["params"]["category"] for message in heard] == ["errors", "security"]
    assert "hunter2" not in json.dumps(heard)
    assert unasked["result"] == {}


def test_switched_off_means_silence(server: RunningServer) -> None:
    with running_bridge(server.port, server.state_folder) as bridge:
        subscribe(bridge)
        bridge.call("configure_streaming", enabled=False)
        with listening(server) as stream:
            fail(server)
            # By the time somebody else has heard it, this one would have.
            stream.receive()

        assert bridge.ask("ping")["result"] == {}


def test_the_server_says_that_it_has_events(server: RunningServer) -> None:
    with running_bridge(server.port, server.state_folder) as bridge:
        hello = bridge.shake_hands()

    assert hello["result"]["capabilities"]["experimental"] == {"gasoline/events": {}}


class Params(BaseModel):
    """Whatever an event holds."""

    model_config = ConfigDict(extra="allow")

    message: str


class Events(ClientExtension):
    """The official client's way of hearing notifications of a server's own."""

    identifier = "app.gasoline/events"

    def __init__(self) -> None:
        self.heard: asyncio.Queue[Params] = asyncio.Queue()

    def notifications(self) -> list[NotificationBinding[Any]]:
        return [NotificationBinding(method=METHOD, params_type=Params, handler=self.heard.put)]


@pytest.mark.parametrize("door", ["bridge", "HTTP"])
def test_the_official_client_hears_events(server: RunningServer, door: str) -> None:
    bridge = StdioServerParameters(
        command=sys.executable,
        args=["-m", "gasoline", "mcp", "--port", str(server.port)],
        env=environment_of(server.state_folder),
    )

    async def talk() -> Params:
        events = Events()
        target = bridge if door == "bridge" else f"{server.url}/mcp"
        async with Client(target, mode="legacy", extensions=[events]) as client:
            answer = await client.call_tool("configure_streaming", {"enabled": True})
            assert not answer.is_error
            await asyncio.to_thread(fail, server)
            return await asyncio.wait_for(events.heard.get(), PATIENCE_S)

    assert asyncio.run(talk()).message == "New error: boom"


def test_a_client_without_a_lasting_connection_is_told_what_to_do(server: RunningServer) -> None:
    async def talk() -> Any:
        async with Client(f"{server.url}/mcp", mode="2026-07-28") as client:
            return await client.call_tool("configure_streaming", {"enabled": True})

    answer = asyncio.run(talk())

    assert answer.is_error
    assert "gasoline/events/listen" in answer.content[0].text
    assert "GET /events/stream" in answer.content[0].text


def test_a_request_without_session_is_told_the_same(server: RunningServer) -> None:
    call = {"name": "configure_streaming", "arguments": {"enabled": True}}
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}

    answer = server.request("POST", "/mcp", asked).json["result"]

    assert answer["isError"]
    assert "GET /events/stream" in answer["content"][0]["text"]


class Stream:
    """Server-sent events as a client reads them."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.response = response

    def receive(self) -> dict[str, Any]:
        """The data of the next event."""
        for line in self.response:
            if line.startswith(b"data: "):
                data: dict[str, Any] = json.loads(line[6:])
                return data
        raise AssertionError("the stream ended")


@contextmanager
def listening(
    server: RunningServer, query: str = "", *, last_event_id: str = ""
) -> Iterator[Stream]:
    headers = {"Last-Event-ID": last_event_id} if last_event_id else {}
    connection = http.client.HTTPConnection(LOOPBACK, server.port, timeout=PATIENCE_S)
    connection.request("GET", f"/events/stream{query}", headers=headers)
    response = connection.getresponse()
    assert response.status == 200, response.read()
    assert response.readline() == b": connected\n"
    try:
        yield Stream(response)
    finally:
        response.close()
        connection.close()


@contextmanager
def asking_to_listen(server: RunningServer, **wishes: Any) -> Iterator[http.client.HTTPResponse]:
    """The response to the request whose response is the stream."""
    asked = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "gasoline/events/listen",
        "params": {"_meta": NEWEST, **wishes},
    }
    connection = http.client.HTTPConnection(LOOPBACK, server.port, timeout=PATIENCE_S)
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "gasoline/events/listen",
    }
    connection.request("POST", "/mcp", json.dumps(asked), headers)
    response = connection.getresponse()
    try:
        yield response
    finally:
        response.close()
        connection.close()


def test_newest_clients_hear_events_in_the_response_of_a_request(server: RunningServer) -> None:
    with asking_to_listen(server, throttle_seconds=1) as response:
        stream = Stream(response)
        listening_now = stream.receive()
        fail(server)
        heard = stream.receive()

    assert listening_now["method"] == "notifications/gasoline/listening"
    assert listening_now["params"]["throttle_seconds"] == 1
    assert heard["method"] == METHOD
    assert heard["params"]["message"] == "New error: boom"


@pytest.mark.parametrize("flags", [(), ("--http",)], ids=["unix socket", "HTTP"])
def test_newest_clients_hear_events_through_the_bridge(
    server: RunningServer, flags: tuple[str, ...]
) -> None:
    with running_bridge(server.port, server.state_folder, *flags) as bridge:
        bridge.post("gasoline/events/listen", {"_meta": NEWEST, "throttle_seconds": 1})
        listening_now = bridge.receive()
        fail(server)
        heard = bridge.receive()

    assert listening_now["method"] == "notifications/gasoline/listening"
    assert heard["params"]["message"] == "New error: boom"


def test_whoever_reconnects_hears_what_is_new_and_nothing_twice(server: RunningServer) -> None:
    with listening(server, "?throttle_seconds=1") as stream:
        fail(server, "before")
        stream.receive()

    with listening(server, "?throttle_seconds=1", last_event_id="1") as stream:
        fail(server, "before")
        fail(server, "after")
        heard = stream.receive()

    assert heard["message"] == "New error: after"
    assert "events" not in heard


def test_server_sent_events_have_a_name_and_a_number(server: RunningServer) -> None:
    with listening(server) as stream:
        fail(server)
        lines = [stream.response.readline() for _ in range(4)]

    assert lines[1:3] == [b"event: gasoline\n", b"id: 1\n"]
    assert json.loads(lines[3][6:])["message"] == "New error: boom"


def test_events_close_together_come_as_one(server: RunningServer) -> None:
    with listening(server) as stream:
        fail(server, "first")
        fail(server, "second")
        heard = stream.receive()

    assert heard["message"] == "New error: first"
    assert [event["message"] for event in heard["events"]] == [
        "New error: first",
        "New error: second",
    ]


def test_a_stream_takes_its_wishes_from_the_query(server: RunningServer) -> None:
    with listening(server, "?events=errors,security&url_filter=/cart&throttle_seconds=1") as stream:
        fail(server, "elsewhere", url="http://localhost/about")
        server.request(
            "POST", "/network-bodies", {"bodies": [{"url": "http://localhost/cart", "status": 500}]}
        )
        fail(server, "here")
        heard = stream.receive()

    assert (heard["message"], "events" in heard) == ("New error: here", False)


@pytest.mark.parametrize(
    ("method", "query", "status", "reason"),
    [
        ("POST", "", 405, "Method not allowed"),
        ("GET", "?events=weather", 400, "events: weather is none of errors, "),
        ("GET", "?throttle_seconds=soon", 400, "throttle_seconds: a number"),
    ],
)
def test_a_wrong_request_hears_why(
    server: RunningServer, method: str, query: str, status: int, reason: str
) -> None:
    answer = server.request(method, f"/events/stream{query}")

    assert answer.status == status
    assert reason in answer.json["error"]


def test_a_page_may_not_listen(server: RunningServer) -> None:
    answer = server.request("GET", "/events/stream", headers={"Origin": "http://evil.example"})

    assert answer.status == 403


def test_a_listener_that_never_reads_holds_up_nobody(server: RunningServer) -> None:
    deaf = socket.create_connection((LOOPBACK, server.port))
    deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
    deaf.sendall(b"GET /events/stream?throttle_seconds=1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
    with listening(server, "?throttle_seconds=1") as stream:
        for number in range(3):
            fail(server, f"error number {'x' * number}")
            assert stream.receive()["category"] == "errors"
    deaf.close()

    assert server.request("GET", "/health").status == 200


def test_a_bridge_that_left_is_forgotten(server: RunningServer) -> None:
    with running_bridge(server.port, server.state_folder) as bridge:
        subscribe(bridge)
        bridge.end_input()
    with listening(server) as stream:
        fail(server)
        heard = stream.receive()

    assert heard["message"] == "New error: boom"
    assert not [line for line in server.said if "Traceback" in line]


def test_a_reset_switches_streaming_off(server: RunningServer) -> None:
    with running_bridge(server.port, server.state_folder) as bridge:
        subscribe(bridge, events=["errors"])
        server.request("POST", "/clear", {"preserve_config": False})
        told = bridge.call("configure_streaming")

    answer = json.loads(told["result"]["content"][0]["text"])
    assert (answer["enabled"], len(answer["events"])) == (False, 5)


@pytest.mark.parametrize(
    ("listeners", "wishes", "said"),
    [(64, {}, "Too many listeners"), (0, {"events": ["weather"]}, "weather is none of errors")],
)
def test_a_listening_request_that_cannot_be_served_hears_why(
    server: RunningServer, listeners: int, wishes: dict[str, Any], said: str
) -> None:
    with ExitStack() as others:
        for _ in range(listeners):
            others.enter_context(listening(server))
        answer = others.enter_context(asking_to_listen(server, **wishes))
        refusal = json.loads(answer.read())

    assert said in refusal["error"]["message"]
