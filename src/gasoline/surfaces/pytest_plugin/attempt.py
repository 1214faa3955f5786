"""One attempt at one test, from its setup to the end of its teardown."""

from typing import Any

import pytest

from gasoline.drivers.naming import fit_message, fit_test_id
from gasoline.drivers.observation import Observation

PYTEST_ADVICE = "Use -v to get "


class Attempt:
    """What pytest has said about an attempt so far."""

    def __init__(self, item: pytest.Item, number: int, observation: Observation | None) -> None:
        self.test_id = fit_test_id(item.nodeid)
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
    said = call.excinfo.exconly(tryshort=True) if call.excinfo else str(report.longrepr)
    return fit_message(said, leave_out=PYTEST_ADVICE)
