"""What a failed test most likely failed of, from what the browser saw: derived, never invented."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

import msgspec
from msgspec import Struct

from gasoline.analysis.abnormal import (
    SERVER_FAILURE,
    AbnormalEvent,
    find_abnormal_events,
    from_hanging,
)
from gasoline.analysis.clues import Clue, find_clues, unlike_the_others
from gasoline.analysis.elsewhere import Elsewhere
from gasoline.analysis.message import normalise_message
from gasoline.analysis.root_cause import find_root_cause
from gasoline.analysis.status_words import ERRORED, FAILED, SKIPPED
from gasoline.analysis.unanswered import find_hanging, last_words
from gasoline.records.evidence import Evidence

CLUES_SHOWN = 3
CAUSE_CHARS = 200
QUOTED_CHARS = 60
# These say little of why a test failed: what else was remarkable is told beside them.
WEAK_KINDS = frozenset({"console", "resource", "csp"})
BLIND = "the browser could not be seen"
# Of two such failures it is the values that tell whether they are of one kind.
_COMPARES = re.compile(r"\b(?:Expected|Received|Actual value):|\bassert ")


class Diagnosis(Struct, frozen=True, kw_only=True):
    """One attempt, judged."""

    evidence: Evidence
    status: str
    events: tuple[AbnormalEvent, ...]
    primary: AbnormalEvent | None
    root_cause: str | None
    clues: tuple[Clue, ...]
    hints: tuple[str, ...]

    @property
    def failed(self) -> bool:
        return self.status in {"fail", "error"}

    @property
    def because(self) -> str:
        """What led to the failure, in one sentence, as far as the evidence says."""
        return self.root_cause or (self.clues[0].text if self.clues else "")

    @property
    def cause(self) -> str:
        """Equal for failures of the same cause, whatever ids and times they carry."""
        if self.primary:
            return self.primary.signature
        if self.clues:
            return self.clues[0].signature
        if self.events:
            return self.events[0].signature
        said = " ".join((self.evidence.run.message or "").split())[:CAUSE_CHARS]
        quiet = BLIND if _is_blind(self.evidence) else "nothing abnormal in the browser"
        return (said if _COMPARES.search(said) else normalise_message(said)) or quiet


def diagnose_all(evidence: Sequence[Evidence], *, min_severity: str = "warn") -> list[Diagnosis]:
    """Judge the attempts of a run, each measured by what the others saw."""
    elsewhere = Elsewhere(evidence)
    return [diagnose(one, elsewhere, min_severity=min_severity) for one in evidence]


def diagnose(
    evidence: Evidence, elsewhere: Elsewhere | None = None, *, min_severity: str = "warn"
) -> Diagnosis:
    """Judge one attempt from its evidence."""
    elsewhere = elsewhere or Elsewhere()
    evidence = msgspec.structs.replace(evidence, exchanges=last_words(evidence.exchanges))
    events = find_abnormal_events(
        evidence.logs,
        evidence.exchanges,
        evidence.websocket_events,
        min_severity=min_severity,
    )
    events += [from_hanging(exchange) for exchange in find_hanging(evidence, elsewhere)]
    primary = choose_primary(events) or find_quoted(events, evidence.run.message or "")
    status = _judge_status(evidence.run.status, events)
    clues: tuple[Clue, ...] = ()
    root_cause = None
    if primary:
        unlike = unlike_the_others(evidence, elsewhere)
        root_cause = find_root_cause(primary, evidence.exchanges, unlike)
    if primary is None or (primary.kind in WEAK_KINDS and root_cause is None):
        clues = tuple(islice(find_clues(evidence, elsewhere), CLUES_SHOWN))
    return Diagnosis(
        evidence=evidence,
        status=status,
        events=tuple(events),
        primary=primary,
        root_cause=root_cause,
        clues=clues,
        hints=tuple(_hints(evidence, events, primary, root_cause, clues)),
    )


def choose_primary(events: Sequence[AbnormalEvent]) -> AbnormalEvent | None:
    """A crash, else the first server failure, else the first exception, else whatever is first."""
    telling = [event for event in events if event.noise is None]
    ranks: tuple[Callable[[AbnormalEvent], bool], ...] = (
        lambda event: event.kind == "crash",
        lambda event: event.exchange is not None and event.exchange.status >= SERVER_FAILURE,
        lambda event: event.kind in {"exception", "unhandledrejection"},
        lambda event: event.exchange is not None and event.severity == "error",
        # A page works without a picture, hardly without a script.
        lambda event: event.severity == "error" and "<img>" not in event.title,
        lambda event: event.severity == "error",
        lambda _event: True,
    )
    for is_wanted in ranks:
        if found := next((event for event in telling if is_wanted(event)), None):
            return found
    return None


# Runners cut long texts in the middle: `['Unchecked r...ED_BY_CLIENT']`.
_CUT_QUOTE = re.compile(r"""['"]([^'"]{8,80}?)\.\.\.""")


def find_quoted(events: Sequence[AbnormalEvent], message: str) -> AbnormalEvent | None:
    """The event that the test itself complains of, as one that wants a clean console does."""
    said = " ".join(message.split())
    beginnings = tuple(_CUT_QUOTE.findall(said))
    for event in events:
        title = " ".join(event.title.split())
        if title[:QUOTED_CHARS] in said or (beginnings and title.startswith(beginnings)):
            return event
    return None


def _judge_status(said: str | None, events: Sequence[AbnormalEvent]) -> str:
    word = (said or "").lower()
    if word in FAILED:
        return "fail"
    if word in ERRORED:
        return "error"
    if word in SKIPPED:
        return "skipped"
    if word:
        return "pass"
    return (
        "fail" if any(event.severity == "error" and not event.noise for event in events) else "pass"
    )


def _hints(
    evidence: Evidence,
    events: Sequence[AbnormalEvent],
    primary: AbnormalEvent | None,
    root_cause: str | None,
    clues: Sequence[Clue],
) -> Iterator[str]:
    noise = [event for event in events if event.noise and event is not primary]
    reasons = ", ".join(dict.fromkeys(event.noise for event in noise if event.noise))
    if primary:
        likely = f" [likely noise: {primary.noise}]" if primary.noise else ""
        yield f"Primary failure: {primary.title}{primary.where}{likely}"
        if primary.context.summary and primary.where:
            yield primary.context.summary
        if root_cause:
            yield f"Root cause likely: {root_cause}"
    elif noise:
        worst = min(noise, key=lambda event: event.severity != "error")
        yield f"The browser reported nothing but likely noise ({reasons}), such as: {worst.title}"
    elif _is_blind(evidence):
        yield f"Unknown: {BLIND}"
    else:
        yield "The browser reported nothing abnormal"
    yield from (clue.text for clue in clues)
    if primary and noise:
        yield f"{len(noise)} unrelated: likely noise ({reasons})"


def _is_blind(evidence: Evidence) -> bool:
    return evidence.capture is not None and evidence.capture.state == "blind"
