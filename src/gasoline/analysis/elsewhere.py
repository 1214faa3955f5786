"""What the other tests of a run saw at the same places: the measure of what is unusual in one."""

from collections.abc import Sequence
from functools import cached_property
from statistics import median

from msgspec import Struct

from gasoline.analysis.answers import Usual, learn_usual
from gasoline.analysis.endpoint import endpoint_of
from gasoline.analysis.json_body import read_success
from gasoline.analysis.shape import Shape, shape_of
from gasoline.records import NetworkBody, PerformanceSnapshot
from gasoline.records.evidence import Evidence

PASSED = frozenset({"passed", "pass", "ok", "expected"})
# So many times the usual is no accident of a busy machine.
UNUSUALLY_MORE = 3.0
# What is read of answers in all, so that a report of any run stays quick.
READ_BYTES = 3_000_000
# Deeper than a contract is learned: one wrong value anywhere can be what a page failed of.
DEEPEST_LEVEL = 6


class Seen(Struct, frozen=True):
    """The answers with a JSON body that one test got, by endpoint, and its page loads."""

    test_id: str
    passed: bool
    shapes: dict[str, list[tuple[NetworkBody, Shape]]]
    durations: dict[str, list[float]]
    loads: tuple[PerformanceSnapshot, ...]


class Reading:
    """The forms of answers; the same answer comes again and again in a run."""

    def __init__(self, most_bytes: int = READ_BYTES) -> None:
        self._shapes: dict[str, Shape | None] = {}
        self._left = most_bytes

    def shape(self, exchange: NetworkBody) -> Shape | None:
        """The form of an answer, unless it has none or too much was read already."""
        body = exchange.response_body or ""
        if body not in self._shapes and self._left > 0:
            self._left -= len(body)
            answer = read_success(exchange)
            shape = None if answer is None else shape_of(answer, deepest_level=DEEPEST_LEVEL)
            self._shapes[body] = shape
        return self._shapes.get(body)


class Elsewhere:
    """All tests of a run. Those that passed are the measure, else all but the one in question."""

    def __init__(self, evidence: Sequence[Evidence] = ()) -> None:
        self._evidence = evidence
        self._usual: dict[tuple[str, bool], Usual] = {}

    @cached_property
    def _seen(self) -> dict[tuple[str, int], Seen]:
        """Read when first needed: most failures explain themselves."""
        reading = Reading()
        # Those that failed first: they are the ones in question, should the reading end early.
        ordered = sorted(self._evidence, key=_has_passed)
        return {_key(one): _see(one, reading) for one in ordered}

    def answers_of(self, evidence: Evidence) -> dict[str, list[tuple[NetworkBody, Shape]]]:
        """The answers of one test, by endpoint, in the order in which they came."""
        return self._seen_by(evidence).shapes

    def usual_answer(self, evidence: Evidence, endpoint: str) -> Usual:
        """What other tests were answered there."""
        if not self._is_measure(evidence):
            passed = self._count(endpoint, passed_only=True)
            if passed.answers:
                return passed
        own = [shape for _, shape in self.answers_of(evidence).get(endpoint, ())]
        return self._count(endpoint, passed_only=False).without(own)

    def is_slow(self, evidence: Evidence, exchange: NetworkBody) -> bool:
        """Whether it took far longer than it usually does, as far as others are known."""
        endpoint = str(endpoint_of(exchange))
        others = [
            duration
            for seen in self._others(evidence)
            for duration in seen.durations.get(endpoint, ())
        ]
        if exchange.pending:
            others += self._seen_by(evidence).durations.get(endpoint, ())
        return is_unusual(exchange.duration or 0, others)

    def other_loads(self, evidence: Evidence, page: str) -> list[PerformanceSnapshot]:
        """How the same page loaded in other tests."""
        return [load for seen in self._others(evidence) for load in seen.loads if load.url == page]

    def _count(self, endpoint: str, *, passed_only: bool) -> Usual:
        key = (endpoint, passed_only)
        if key not in self._usual:
            self._usual[key] = learn_usual(
                shape
                for seen in self._seen.values()
                if seen.passed or not passed_only
                for _, shape in seen.shapes.get(endpoint, ())
            )
        return self._usual[key]

    def _others(self, evidence: Evidence) -> list[Seen]:
        others = [seen for seen in self._seen.values() if seen.test_id != evidence.run.test_id]
        return [seen for seen in others if seen.passed] or others

    def _seen_by(self, evidence: Evidence) -> Seen:
        key = _key(evidence)
        if key not in self._seen:
            self._seen[key] = _see(evidence, Reading())
        return self._seen[key]

    def _is_measure(self, evidence: Evidence) -> bool:
        return self._seen_by(evidence).passed


def is_unusual(measured: float, others: Sequence[float]) -> bool:
    """Whether this is far above the others; with nothing to compare, anything may be."""
    return not others or measured >= UNUSUALLY_MORE * median(others)


def _key(evidence: Evidence) -> tuple[str, int]:
    return evidence.run.test_id, evidence.run.attempt


def _has_passed(evidence: Evidence) -> bool:
    return (evidence.run.status or "").lower() in PASSED


def _see(evidence: Evidence, reading: Reading) -> Seen:
    shapes: dict[str, list[tuple[NetworkBody, Shape]]] = {}
    durations: dict[str, list[float]] = {}
    for exchange in evidence.exchanges:
        # Without its origin: parallel tests often have a server, and so a port, each.
        endpoint = str(endpoint_of(exchange))
        # How long a request waited in vain is no measure, unless its test did well without it.
        if not exchange.pending or _has_passed(evidence):
            durations.setdefault(endpoint, []).append(exchange.duration or 0)
        if (shape := reading.shape(exchange)) is not None:
            shapes.setdefault(endpoint, []).append((exchange, shape))
    return Seen(evidence.run.test_id, _has_passed(evidence), shapes, durations, evidence.loads)
