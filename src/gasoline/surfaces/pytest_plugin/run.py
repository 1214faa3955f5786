"""A pytest run with Gasoline: where each test starts and ends, and what its browsers saw."""

import contextlib
import json
import os
from collections import Counter
from collections.abc import Generator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from gasoline.drivers.delivery import Delivery
from gasoline.drivers.everywhere import drain_everything, observe_everything
from gasoline.drivers.observation import Observation, quietly
from gasoline.surfaces.cli.client import NoServerError, request
from gasoline.surfaces.daemon.place import address_of, find_place, find_token
from gasoline.surfaces.daemon.private import private_server
from gasoline.surfaces.pytest_plugin.attempt import Attempt

TITLE = "Browser (Gasoline)"
SNAPSHOT_TITLE = "Browser snapshot (Gasoline)"
CATCH_UP_S = 2.0
# Should this process be killed, nobody else would end its server.
IDLE_EXIT_S = "1800"
PORT, LOST = "gasoline_port", "gasoline_lost"


class BrowserRun:
    """The hooks of one process: of the run itself, or of one xdist worker."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._server = contextlib.ExitStack()
        self._observation: Observation | None = None
        self._attempt: Attempt | None = None
        # How often each test began: the first time in this run is its first attempt.
        self._started: Counter[str] = Counter()
        self._lost = 0
        _use_noise_file()
        port = _given_port(config)
        if port:
            self._observation = _observation(port)
        observe_everything(self.provide)

    def provide(self) -> Observation:
        """The way to the server, which is started when the first browser opens."""
        if self._observation is None:
            port = self._server.enter_context(
                private_server("--no-mcp", "--idle-exit", IDLE_EXIT_S)
            )
            self._observation = _observation(port)
            if self._attempt:
                self._begin(self._observation, self._attempt)
        return self._observation

    def catch_up(self) -> None:
        """What browsers have shown so far reaches the server."""
        with quietly("ask open pages for what they hold"):
            drain_everything()
        if self._observation:
            self._observation.delivery.drain(CATCH_UP_S)

    # Each test

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, object, object]:
        with quietly("mark the start of a test"):
            seen = self._observation
            self._started[item.nodeid] += 1
            self._attempt = Attempt(item, self._started[item.nodeid], seen)
            if seen:
                self._begin(seen, self._attempt)
        return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, call: "pytest.CallInfo[Any]"
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        attempt = self._attempt
        if attempt:
            with quietly("add what the browser saw to a report"):
                attempt.note(report, call)
                if report.failed and self._observation:
                    self._show(report, attempt, self._observation)
        if report.when == "teardown":
            self._end()
        return report

    def _begin(self, observation: Observation, attempt: Attempt) -> None:
        observation.test_id = attempt.test_id
        observation.delivery.post("/test-boundary", attempt.start)

    def _end(self) -> None:
        attempt, self._attempt = self._attempt, None
        if attempt is None or self._observation is None:
            return
        with quietly("mark the end of a test"):
            # Pages that outlive the test: what they hold now is still of this one.
            drain_everything()
            self._observation.test_id = None
            self._observation.delivery.post("/test-boundary", attempt.end)

    def _show(self, report: pytest.TestReport, attempt: Attempt, observation: Observation) -> None:
        self.catch_up()
        if not attempt.concerns(observation):
            return
        try:
            # Imported here: a run without failures needs none of it.
            from gasoline.surfaces.pytest_plugin.section import read_section  # noqa: PLC0415
        except ImportError:
            # Another environment than Gasoline's: the report of `gasoline run` tells it all.
            return
        port = observation.delivery.port
        try:
            report.sections.append((TITLE, read_section(port, attempt.test_id)))
            if self._config.getoption("--gasoline-snapshot"):
                report.sections.append((SNAPSHOT_TITLE, _read_snapshot(port, attempt.test_id)))
        except NoServerError:
            lost = f"Capture was blind: the server on port {port} does not answer."
            report.sections.append((TITLE, lost))

    # The run

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """A worker of xdist starts: all of them share this process's server."""
        with quietly("start a server"):
            node.workerinput[PORT] = self.provide().delivery.port

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self._lost += getattr(node, "workeroutput", {}).get(LOST, 0)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self._observation is None:
            return
        with quietly("deliver what was left"):
            self._observation.delivery.close(CATCH_UP_S)
        self._lost += self._observation.delivery.lost
        workeroutput = getattr(session.config, "workeroutput", None)
        if workeroutput is not None:
            workeroutput[LOST] = self._lost

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self._lost:
            batches = "batch" if self._lost == 1 else "batches"
            terminalreporter.write_line(
                f"gasoline: {self._lost} {batches} did not reach the server; "
                "what the browser saw is incomplete"
            )

    def pytest_unconfigure(self) -> None:
        with quietly("stop its server"):
            self._server.close()


def _use_noise_file() -> None:
    if path := os.environ.get("GASOLINE_NOISE"):
        # Imported here: few have such a file.
        from gasoline.surfaces.noise_file import use_noise_file  # noqa: PLC0415

        with quietly("read the noise file"):
            use_noise_file(Path(path))


def _given_port(config: pytest.Config) -> int | None:
    """The port of a server that is there already: the controller's, or one the user named."""
    from_controller = getattr(config, "workerinput", {}).get(PORT)
    port = from_controller or config.getoption("--gasoline-port") or os.environ.get("GASOLINE_PORT")
    return int(port) if port else None


def _observation(port: int) -> Observation:
    place = find_place(port)
    return Observation(Delivery(port, host=address_of(place), token=find_token(place)))


def _read_snapshot(port: int, test_id: str) -> str:
    _status, snapshot = request(port, "GET", f"/snapshot?{urlencode({'test_id': test_id})}")
    return json.dumps(snapshot, indent=2, ensure_ascii=False)
