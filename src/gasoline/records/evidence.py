"""Everything captured during one attempt at one test."""

from msgspec import Struct

from gasoline.records.action import EnhancedAction
from gasoline.records.console import LogEntry
from gasoline.records.health import CaptureHealth
from gasoline.records.network import NetworkBody
from gasoline.records.performance import PerformanceSnapshot
from gasoline.records.test import TestRun
from gasoline.records.websocket import WebSocketEvent


class Evidence(Struct, frozen=True, kw_only=True):
    """What the browser saw while a test ran, and how well it could be seen."""

    run: TestRun
    logs: tuple[LogEntry, ...] = ()
    exchanges: tuple[NetworkBody, ...] = ()
    websocket_events: tuple[WebSocketEvent, ...] = ()
    actions: tuple[EnhancedAction, ...] = ()
    loads: tuple[PerformanceSnapshot, ...] = ()
    capture: CaptureHealth | None = None
