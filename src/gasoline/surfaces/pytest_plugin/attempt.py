"""One attempt at one test, from its setup to the end of its teardown."""

from hashlib import sha256
from typing import Any

import pytest

from gasoline.drivers.observation import Observation

TEST_ID_CHARS = 4096
MESSAGE_LINES = 3
PYTEST_ADVICE = "Use -v to get "
MESSAGE_CHARS = 500


def name_test(item: pytest.Item) -> str:
    """What a test is called on the server, which refuses longer names; cut ones stay apart."""
    name = item.nodeid
    if len(name) <= TEST_ID_CHARS:
        return name
    mark = f" #{sha256(name.encode(errors='replace')).hexdigest()[:12]}"
    return name[: TEST_ID_CHARS - len(mark)] + mark


class Attempt:
    """What pytest has said about an attempt so far."""

    def __init__(self, item: pytest.Item, number: int, observation: Observation | None) -> None:
        self.test_id = name_test(item)
        # pytest-rerunfailures knows better: it may have moved the test to another process.
        self.number: int = getattr(item, "execution_count", number)
        self._seen_before = _seen_by(observation) if observation else (0, 0, 0)
        self.duration_ms = 0.0
        self.message: str | None = None
        self._outcomes: dict[str, str] = {}

    def note(self, report: pytest.TestReport, call: "pytest.CallInfo[Any]") -> None:
        self._outcomes[report.when or ""] = report.outcome
        self.duration_ms += report.duration * 1000
        if report.failed and self.message is None:
            self.message = _first_lines(call, report)

    def concerns(self, observation: Observation) -> bool:
        """Whether it drove a browser at all."""
        return _seen_by(observation) != self._seen_before

    @property
    def status(self) -> str:
        if self._outcomes.get("call") == "failed":
            return "failed"
        if "failed" in self._outcomes.values():
            return "error"
        return "skipped" if "skipped" in self._outcomes.values() else "passed"

    @property
    def start(self) -> dict[str, Any]:
        return {"test_id": self.test_id, "action": "start", "attempt": self.number}

    @property
    def end(self) -> dict[str, Any]:
        return {
            "test_id": self.test_id,
            "action": "end",
            "status": self.status,
            "duration_ms": round(self.duration_ms, 1),
            "message": self.message,
            "attempt": self.number,
        }


def _seen_by(observation: Observation) -> tuple[int, int, int]:
    return observation.browsers, observation.batches, observation.troubles


def _first_lines(call: "pytest.CallInfo[Any]", report: pytest.TestReport) -> str:
    """What was expected, and in the lines after it what was there instead."""
    said = call.excinfo.exconly(tryshort=True) if call.excinfo else str(report.longrepr)
    lines = [line for line in said.splitlines() if line.strip() and PYTEST_ADVICE not in line]
    return "\n".join(lines[:MESSAGE_LINES])[:MESSAGE_CHARS] or "failed"
