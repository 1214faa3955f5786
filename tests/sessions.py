"""Sessions for tests: what a user does, by the second, and what the page does in turn."""

from typing import Any

from gasoline.ingest import Ingest
from gasoline.records.time import format_time
from tests.builders import (
    NOON_MS,
    action,
    exchange,
    ingest,
    log,
    send_actions,
    send_exchanges,
    send_logs,
    send_snapshots,
    snapshot,
)


class Session:
    """A session in the making; every call says at which second something happened."""

    def __init__(self, url: str = "http://app/login") -> None:
        self.into: Ingest = ingest()
        self.url = url

    def act(self, second: float, kind: str, **fields: Any) -> "Session":
        sent = {"url": self.url, "timestamp": NOON_MS + second * 1000, "type": kind}
        send_actions(self.into, action(**sent | fields))
        return self

    def click(self, second: float, name: str = "Log in", **fields: Any) -> "Session":
        selectors = {"role": {"role": "button", "name": name}, "cssPath": "form > button"}
        return self.act(second, "click", **{"selectors": selectors} | fields)

    def fill(self, second: float, value: str, field: str = "email", **fields: Any) -> "Session":
        return self.act(second, "input", selectors={"testId": field}, value=value, **fields)

    def go(self, second: float, to: str) -> "Session":
        self.act(second, "navigate", fromUrl=self.url, toUrl=to)
        self.url = f"http://app{to}"
        return self

    def ask(self, second: float, path: str, **fields: Any) -> "Session":
        sent = {"ts": format_time(NOON_MS + second * 1000), "url": f"http://app{path}"}
        given = {"contentType": "application/json", "pageUrl": self.url}
        send_exchanges(self.into, exchange(**sent | given | fields))
        return self

    def say(self, second: float, message: str, **fields: Any) -> "Session":
        ts = format_time(NOON_MS + second * 1000)
        send_logs(self.into, log(ts=ts, message=message, url=self.url, **fields))
        return self

    def show(self, second: float, *elements: dict[str, Any]) -> "Session":
        sent = {"timestamp": NOON_MS + second * 1000, "url": self.url, "elements": list(elements)}
        send_snapshots(self.into, snapshot(**sent))
        return self


def heading(text: str, level: int = 1) -> dict[str, Any]:
    return {"role": "heading", "level": level, "text": text, "visible": True}


def tagged(test_id: str, text: str) -> dict[str, Any]:
    return {"role": None, "testId": test_id, "text": text, "visible": True}


def login() -> Session:
    """Somebody signs in and gets home."""
    session = Session()
    session.ask(-1, "/api/config", method="GET", responseBody="{}")
    session.fill(0, "sam@example.com", inputType="email")
    session.fill(0.5, "[redacted]", "password", inputType="password")
    session.click(1)
    session.act(1.01, "submit", selectors={"id": "f"})
    session.ask(
        1.1,
        "/api/login",
        requestBody='{"email":"sam@example.com","password":"[redacted]"}',
        responseBody='{"token":"abc","user":{"id":5,"name":"Bob"},"roles":[{"id":1}],"note":null}',
    )
    session.go(1.3, "/home")
    session.ask(1.4, "/api/home", method="GET", responseBody='{"items":[]}')
    session.show(1.9, heading("Home"), tagged("greeting", "Hello Bob"), tagged("clock", "12:30"))
    return session
