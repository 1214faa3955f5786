"""What all formats say: which tests failed, of what, and how many share a cause."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from gasoline.analysis.diagnosis import Diagnosis
from gasoline.records.health import CaptureHealth

TEST_ID_CHARS = 120


class Outcome(Struct, frozen=True):
    """One test over all its attempts: the last one decides, an earlier failure makes it flaky."""

    test_id: str
    attempts: tuple[Diagnosis, ...]

    @property
    def last(self) -> Diagnosis:
        return self.attempts[-1]

    @property
    def failed(self) -> bool:
        return self.last.failed

    @property
    def flaky(self) -> bool:
        return self.last.status == "pass" and any(attempt.failed for attempt in self.attempts)

    @property
    def status(self) -> str:
        return "flaky" if self.flaky else self.last.status

    @property
    def telling(self) -> Diagnosis:
        """The attempt worth reading: the last that failed, else the last."""
        return next((attempt for attempt in reversed(self.attempts) if attempt.failed), self.last)


class Summary(Struct, frozen=True):
    """A whole run."""

    outcomes: tuple[Outcome, ...]
    notes: tuple[str, ...] = ()

    @property
    def failures(self) -> list[Outcome]:
        return [outcome for outcome in self.outcomes if outcome.failed]

    @property
    def causes(self) -> dict[str, list[Outcome]]:
        """Failures by cause, the most common first."""
        grouped: dict[str, list[Outcome]] = {}
        for outcome in self.failures:
            grouped.setdefault(outcome.telling.cause, []).append(outcome)
        return dict(sorted(grouped.items(), key=lambda item: -len(item[1])))


def history(outcome: Outcome) -> str:
    """Every attempt in one sentence: `attempt 1 failed (cause), attempt 2 passed`."""
    words = {"pass": "passed", "fail": "failed", "skipped": "was skipped", "error": "broke off"}
    return ", ".join(
        f"attempt {one.evidence.run.attempt} {words[one.status]}"
        + (f" ({one.cause})" if one.failed else "")
        for one in outcome.attempts
    )


def summarise(diagnoses: Sequence[Diagnosis], notes: Sequence[str] = ()) -> Summary:
    """Join the attempts of each test, tests in the order in which they first appeared."""
    attempts: dict[str, list[Diagnosis]] = {}
    for diagnosis in diagnoses:
        attempts.setdefault(diagnosis.evidence.run.test_id, []).append(diagnosis)
    return Summary(
        tuple(
            Outcome(test_id, tuple(sorted(of, key=lambda one: one.evidence.run.attempt)))
            for test_id, of in attempts.items()
        ),
        tuple(notes),
    )


def short_id(test_id: str) -> str:
    """A test id in one line of at most 120 characters."""
    line = " ".join(test_id.split())
    return line if len(line) <= TEST_ID_CHARS else line[: TEST_ID_CHARS - 3] + "..."


def describe_capture(capture: CaptureHealth | None) -> Iterator[str]:
    """How badly the browser was seen, and what to do about it; nothing when all is well."""
    if capture is None or capture.state == "complete":
        return
    yield f"Capture was {capture.state}: {capture.why}"
    if capture.next:
        yield f"To see more: {capture.next}"


def headline(summary: Summary) -> str:
    """The run in one sentence."""
    failures, causes = len(summary.failures), len(summary.causes)
    tests = f"{len(summary.outcomes)} test{'' if len(summary.outcomes) == 1 else 's'}"
    flaky = sum(outcome.flaky for outcome in summary.outcomes)
    also = f", {flaky} flaky" if flaky else ""
    if not failures:
        return f"{tests}, no failures{also}"
    return (
        f"{tests}, {failures} failure{'' if failures == 1 else 's'}, "
        f"{causes} cause{'' if causes == 1 else 's'}{also}"
    )
