"""A page with the capture inside it, and what it has said so far."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import BrowserContext, Page

ROOT = Path(__file__).parent.parent.parent
SCRIPT = ROOT / "packages" / "gasoline-ci" / "gasoline-ci.min.js"

LOGS = "/logs"
BODIES = "/network-bodies"
SOCKETS = "/websocket-events"
ACTIONS = "/enhanced-actions"
PERFORMANCE = "/performance-snapshots"
DOM = "/dom-snapshots"
LIST_OF = {
    LOGS: "entries",
    BODIES: "bodies",
    SOCKETS: "events",
    ACTIONS: "actions",
    PERFORMANCE: "snapshots",
    DOM: "snapshots",
}


class Batch(NamedTuple):
    """One of those that a call of the binding brings."""

    route: str
    body: dict[str, Any]

    @property
    def records(self) -> list[dict[str, Any]]:
        records: list[dict[str, Any]] = self.body[LIST_OF[self.route]]
        return records


class Inbox:
    """Everything that came through the binding of one context, each batch once, as a server keeps it."""

    def __init__(self) -> None:
        self.batches: list[Batch] = []
        self._seen: set[tuple[str, int]] = set()

    def receive(self, _source: object, message: str) -> None:
        for line in message.split("\n"):
            route, opening, rest = line.partition("{")
            body = json.loads(opening + rest)
            number = (body["sender"], body["batch"])
            if number not in self._seen:
                self._seen.add(number)
                self.batches.append(Batch(route, body))

    def records(self, route: str) -> list[dict[str, Any]]:
        return [
            record
            for batch in self.batches
            if batch.route == route
            for record in batch.records
            if record.get("type") != "gasoline-ci"
        ]


def configure(context: BrowserContext, settings: Mapping[str, Any], script: Path = SCRIPT) -> None:
    """Put the capture into every page of a context, settings first."""
    lines = [f"window.{name} = {json.dumps(value)};" for name, value in settings.items()]
    context.add_init_script("\n".join(lines))
    context.add_init_script(path=script)


class Captured:
    """One page, and the records that it sent through the binding."""

    def __init__(self, page: Page, inbox: Inbox) -> None:
        self.page = page
        self.inbox = inbox

    def run(self, script: str, argument: Any = None) -> Any:
        return self.page.evaluate(script, argument)

    def flush(self) -> None:
        self.page.evaluate("window.__gasoline.flush()")

    def records(self, route: str) -> list[dict[str, Any]]:
        """Everything of one kind, once it is all delivered."""
        self.flush()
        return self.inbox.records(route)

    def wait_for(self, route: str, how_many: int = 1) -> list[dict[str, Any]]:
        """Wait for records that come by themselves."""
        deadline = 20_000
        while len(found := self.records(route)) < how_many:
            self.page.wait_for_timeout(20)
            deadline -= 20
            assert deadline > 0, f"{len(found)} of {how_many} records came to {route}: {found}"
        return found

    def logs(self) -> list[dict[str, Any]]:
        return self.records(LOGS)

    def messages(self) -> list[str]:
        return [entry["message"] for entry in self.logs()]

    def bodies(self) -> list[dict[str, Any]]:
        return self.records(BODIES)

    def sockets(self) -> list[dict[str, Any]]:
        return self.records(SOCKETS)

    def actions(self) -> list[dict[str, Any]]:
        return self.records(ACTIONS)


class RawCaptured(Captured):
    """A page driven over the bare protocol: Playwright's own evaluation breaks on pages that replace JSON or Promise."""

    def __init__(self, page: Page, inbox: Inbox) -> None:
        super().__init__(page, inbox)
        self._session = page.context.new_cdp_session(page)
        self._session.on(
            "Runtime.bindingCalled", lambda event: inbox.receive(None, event["payload"])
        )
        self._session.send("Runtime.enable")
        self._session.send("Runtime.addBinding", {"name": "__gasolineSend"})

    def run(self, script: str, argument: Any = None) -> Any:  # noqa: ARG002  # as the class above
        answer = self._session.send(
            "Runtime.evaluate",
            {"expression": f"({script})()", "awaitPromise": True, "returnByValue": True},
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def flush(self) -> None:
        self.run("() => window.__gasoline.flush()")
