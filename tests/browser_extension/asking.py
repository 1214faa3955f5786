"""What the server has of the browser's, as tests look at it."""

from typing import Any

from tests.servers import RunningServer, wait_until


def snapshot(server: RunningServer) -> Any:
    return server.request("GET", "/snapshot").json


def logs(server: RunningServer, **fields: Any) -> list[Any]:
    """The log entries that have these values."""
    return [entry for entry in snapshot(server)["logs"] if fields.items() <= entry.items()]


def messages(server: RunningServer) -> list[str]:
    return [entry["message"] for entry in snapshot(server)["logs"]]


def wait_for_message(server: RunningServer, message: str) -> Any:
    """The first entry that says this, once it is there."""
    wait_until(lambda: message in messages(server), f"the message {message!r}")
    return logs(server, message=message)[0]
