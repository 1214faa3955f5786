"""How long it takes to turn a session into a timeline, a script, a test or a report."""

import argparse
import asyncio
import time
from typing import Any

from samples import full_buffers
from table import Row, report
from timing import median_ms

from gasoline.analysis.recording import Recording
from gasoline.analysis.session import build_sessions
from gasoline.analysis.shape_notation import describe_response_shape
from gasoline.analysis.timeline import build_timeline
from gasoline.generation.script.fixtures import classify, derive_mocks, plan_setup
from gasoline.generation.script.planning import Options
from gasoline.generation.script.reproduction import write_reproduction
from gasoline.ingest import Ingest, RateLimit
from gasoline.ingest.streams import STREAMS
from gasoline.live.capture_overrides import CaptureOverrides
from gasoline.live.questions import Questions
from gasoline.sources.explainer import Explainer
from gasoline.sources.sources import Sources
from gasoline.store import Store
from gasoline.surfaces.mcp.answering import answer_call
from gasoline.tools.context import Context
from gasoline.tools.recorded import read_recording

TIMES = 30
EVERYTHING: dict[str, Any] = {"assertions": {"visual": True}, "fixtures": True, "inline": True}


def measure(*, times: int = TIMES) -> list[Row]:
    """The parts and the whole tools, every buffer full."""
    context = _full_context()
    recording = read_recording(context)
    sessions = build_sessions(recording)

    def write_script() -> None:
        write_reproduction(sessions, Options(), language="playwright", header=(), error=None)

    def ask(tool: str, **arguments: Any) -> float:
        return median_ms(lambda: _ask(context, tool, arguments), times=times)

    timeline_ms = median_ms(lambda: build_timeline(recording), times=times)
    shapes_ms = median_ms(lambda: _shapes(recording), times=times)
    return [
        _row("timeline, 200 entries", timeline_ms, 10),
        _row("shape of one answer", shapes_ms / len(recording.exchanges), 1),
        _row("script, 50 actions", median_ms(write_script, times=times), 50),
        _row("fixtures", median_ms(lambda: _fixtures(recording), times=times), 20),
        _row("get_session_timeline", ask("get_session_timeline"), 100),
        _row("get_reproduction_script", ask("get_reproduction_script"), 100),
        _row("generate_test", ask("generate_test", inline=True), 100),
        _row("generate_test, everything", ask("generate_test", **EVERYTHING), 200),
        _row("generate_bug_report", ask("generate_bug_report", inline=True), 50),
    ]


def _full_context() -> Context:
    store = Store(clock=lambda: time.time() * 1000)
    ingest = Ingest(store, rate_limit=RateLimit(1_000_000))
    by_route = {stream.route: stream for stream in STREAMS}
    for route, body in full_buffers():
        ingest.take(by_route[route], body)
    return Context(store, Questions(), ingest, CaptureOverrides(), Explainer(ingest, Sources()))


def _shapes(recording: Recording) -> None:
    for exchange in recording.exchanges:
        describe_response_shape(exchange)


def _fixtures(recording: Recording) -> None:
    plan_setup(classify(recording))
    derive_mocks(recording)


def _ask(context: Context, tool: str, arguments: dict[str, Any]) -> None:
    answer = asyncio.run(answer_call(context, tool, arguments))
    assert not answer.is_error, answer.text[:500]


def _row(what: str, measured: float, budget: float) -> Row:
    return Row(what=what, measured=measured, unit="ms", budget=budget)


def main() -> None:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=TIMES, help="per question (default: 30)")
    report(measure(times=parser.parse_args().times))


if __name__ == "__main__":
    main()
