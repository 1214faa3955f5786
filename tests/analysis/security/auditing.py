"""Traffic as a browser sends it, through redaction into the audit."""

from typing import Any

from gasoline.analysis.security.audit import audit
from gasoline.analysis.security.finding import Audit, Finding
from gasoline.analysis.security.traffic import Traffic
from gasoline.ingest import Ingest
from gasoline.records import LogEntry, NetworkBody, WebSocketEvent
from gasoline.store import Store
from tests.builders import exchange, ingest, log, message, send_events, send_exchanges, send_logs


def traffic_in(store: Store) -> Traffic:
    return Traffic(
        tuple(kept.read(NetworkBody) for kept in store.oldest(NetworkBody)),
        tuple(kept.read(LogEntry) for kept in store.oldest(LogEntry)),
        tuple(kept.read(WebSocketEvent) for kept in store.oldest(WebSocketEvent)),
    )


class Session:
    """What a page did, and the audit of it."""

    def __init__(self) -> None:
        self.ingest: Ingest = ingest()

    def call(self, **fields: Any) -> "Session":
        send_exchanges(self.ingest, exchange(method="GET", **fields))
        return self

    def say(self, text: str, **fields: Any) -> "Session":
        send_logs(self.ingest, log(**{"level": "log", "message": text, **fields}))
        return self

    def hear(self, data: str, **fields: Any) -> "Session":
        send_events(self.ingest, message(data=data, **fields))
        return self

    def audit(self, **options: Any) -> Audit:
        return audit(traffic_in(self.ingest.store), **{"severity_min": "info", **options})

    def find(self, *checks: str, **options: Any) -> list[Finding]:
        """The findings of these checks."""
        return list(self.audit(checks=checks, **options).findings)
