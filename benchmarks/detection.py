"""How many of the labelled secrets the audit finds, and how many of its findings are right."""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from table import Row, report

from gasoline.analysis.security.audit import audit
from gasoline.analysis.security.traffic import Traffic
from gasoline.ingest import Ingest
from gasoline.ingest.streams import LOGS, NETWORK_BODIES, WEBSOCKET_EVENTS
from gasoline.records import LogEntry, NetworkBody, WebSocketEvent
from gasoline.store import Store

CASES = Path(__file__).parent / "security_cases"
# Stands inside long words, so that scanners of repositories do not take the cases for leaks.
BREAK = "·"
API = "https://api.acme.io/v2/things"


class Case(Struct, frozen=True, rename={"place": "in"}):
    """A text, where a browser would meet it, and for a secret what it is."""

    place: str
    text: str
    what: str = ""


def read_cases(path: Path) -> Iterator[Case]:
    """The cases of a file, one a line."""
    for line in path.read_text(encoding="utf-8").splitlines():
        yield msgspec.json.decode(line.replace(BREAK, ""), type=Case)


def is_found(case: Case) -> bool:
    """Send the case the way a page does, and ask the audit."""
    store = Store(clock=lambda: 0.0)
    stream, entry = _as_sent(case)
    Ingest(store).take(stream, json.dumps({stream.list_name: [entry]}).encode())
    traffic = Traffic(
        tuple(kept.read(NetworkBody) for kept in store.oldest(NetworkBody)),
        tuple(kept.read(LogEntry) for kept in store.oldest(LogEntry)),
        tuple(kept.read(WebSocketEvent) for kept in store.oldest(WebSocketEvent)),
    )
    return bool(audit(traffic, checks=("credentials", "pii_exposure")).findings)


def _as_sent(case: Case) -> tuple[Any, dict[str, Any]]:
    if case.place == "console":
        return LOGS, {"level": "log", "message": case.text, "args": [case.text]}
    if case.place == "args":
        return LOGS, {"level": "log", "args": ["state", json.loads(case.text)]}
    if case.place == "websocket":
        return WEBSOCKET_EVENTS, {"event": "message", "id": "1", "url": API, "data": case.text}
    exchange = {"method": "POST", "url": API, "status": 200}
    field = {"url": "url", "request": "requestBody", "response": "responseBody"}[case.place]
    return NETWORK_BODIES, {**exchange, field: case.text}


def measure(*, show: bool = False) -> list[Row]:
    """Precision and recall over all labelled cases."""
    secrets, harmless = (list(read_cases(CASES / f"{name}.jsonl")) for name in ("true", "false"))
    missed = [case for case in secrets if not is_found(case)]
    mistaken = [case for case in harmless if is_found(case)]
    if show:
        for case in missed:
            print(f"missed: {case.what}: {case.text}")
        for case in mistaken:
            print(f"mistaken: {case.place}: {case.text}")
    found = len(secrets) - len(missed)
    precision = found / (found + len(mistaken)) if found else 0.0
    return [
        Row(
            what="secrets in labelled cases",
            measured=len(secrets),
            unit="",
            budget=200,
            budget_is="at least",
        ),
        Row(
            what="harmless labelled cases",
            measured=len(harmless),
            unit="",
            budget=300,
            budget_is="at least",
        ),
        _share("precision", precision),
        _share("recall", found / len(secrets)),
    ]


def _share(what: str, share: float) -> Row:
    return Row(what=what, measured=share * 100, unit="%", budget=95, budget_is="at least")


def main() -> None:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", action="store_true", help="list what was missed or mistaken")
    report(measure(show=parser.parse_args().show))


if __name__ == "__main__":
    main()
