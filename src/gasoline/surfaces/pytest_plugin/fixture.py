"""The `gasoline` fixture: a test asks what its own browser saw."""

import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from gasoline.drivers.everywhere import ASYNC
from gasoline.surfaces.cli.client import request

if TYPE_CHECKING:
    from gasoline.surfaces.pytest_plugin.run import BrowserRun


class BrowserEvidence:
    """What was captured during one test."""

    def __init__(self, run: "BrowserRun", test_id: str) -> None:
        self.test_id = test_id
        self._run = run

    @property
    def port(self) -> int:
        """Where the server of this run listens."""
        return self._run.provide().delivery.port

    def snapshot(self, *, since: str | None = None) -> dict[str, Any]:
        """Everything so far: `logs`, `network_bodies`, `websocket_events`, `stats` and more."""
        self._run.catch_up()
        query = {"test_id": self.test_id, **({"since": since} if since else {})}
        _status, snapshot = request(self.port, "GET", f"/snapshot?{urlencode(query)}")
        return dict(snapshot)

    def clear(self) -> None:
        """Forget what was captured so far, of this test only."""
        self._run.catch_up()
        request(self.port, "POST", f"/clear?{urlencode({'test_id': self.test_id})}")

    def mark(self, text: str) -> None:
        """Put a line of the test's own into the timeline: what it is about to do."""
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        entry = {"level": "info", "type": "mark", "source": "mark", "message": text, "ts": now}
        self._run.provide().note([entry])

    async def settle(self) -> None:
        """In an async test, await this before asking: its pages cannot be asked from outside."""
        if ASYNC in sys.modules:
            await sys.modules[ASYNC].drain()
