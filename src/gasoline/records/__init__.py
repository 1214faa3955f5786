"""Frozen structs: the words everyone uses."""

from gasoline.records.action import EnhancedAction, Role, Selectors
from gasoline.records.base import Record, read_record
from gasoline.records.console import LogEntry
from gasoline.records.dom import DomSnapshot
from gasoline.records.network import NetworkBody
from gasoline.records.performance import PerformanceSnapshot
from gasoline.records.screenshot import Screenshot
from gasoline.records.test import TestRun
from gasoline.records.websocket import WebSocketEvent

__all__ = [
    "DomSnapshot",
    "EnhancedAction",
    "LogEntry",
    "NetworkBody",
    "PerformanceSnapshot",
    "Record",
    "Role",
    "Screenshot",
    "Selectors",
    "TestRun",
    "WebSocketEvent",
    "read_record",
]
