"""Requests without an answer when their test or page ended, and whether a test waited for one."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from gasoline.analysis.elsewhere import Elsewhere
from gasoline.records import NetworkBody
from gasoline.records.evidence import Evidence
from gasoline.records.test import TestRun

# A request under way for less may just have begun when the test ended.
HANGING_MS = 1000
TIMED_OUT = frozenset({"timedout", "timed_out", "timeout", "interrupted"})
# How runners and drivers say that something did not come; a command tells its exit code only.
_WAITED = re.compile(
    r"time(?:d[ -]?|[ -])?out|\bwaiting (?:for|until)\b|Locator expected|\bexpect\("
    r"|no such element|not found|unable to (?:find|locate)|^exit code",
    re.IGNORECASE,
)
# These wait on purpose.
_LONG_POLL = re.compile(
    r"(?:^|[/_.-])(?:long-?)?(?:poll(?:ing)?|streams?|events?|subscribe|subscriptions?|sse|live"
    r"|listen|watch|notifications?|hubs?|signalr|socket\.io|sockjs|comet)(?:[/_.?-]|$)",
    re.IGNORECASE,
)


def last_words(exchanges: Sequence[NetworkBody]) -> tuple[NetworkBody, ...]:
    """Each request once: what was told while it waited gives way to what was told later."""
    if not any(exchange.pending for exchange in exchanges):
        return tuple(exchanges)
    is_last_word = last_word_of_each()
    kept = [exchange for exchange in reversed(exchanges) if is_last_word(exchange)]
    return tuple(reversed(kept))


def last_word_of_each() -> Callable[[NetworkBody], bool]:
    """To be asked about exchanges from the newest to the oldest: whether nothing later is known."""
    told: set[tuple[float, str, str]] = set()

    def is_last_word(exchange: NetworkBody) -> bool:
        request = (exchange.at_ms, exchange.method, exchange.url)
        is_last = not exchange.pending or request not in told
        told.add(request)
        return is_last

    return is_last_word


def find_hanging(evidence: Evidence, elsewhere: Elsewhere) -> list[NetworkBody]:
    """The unanswered requests that a failed test may have waited for in vain."""
    if not has_waited(evidence.run):
        return []
    found = unanswered_at_the_end(evidence, elsewhere)
    return [exchange for exchange in found if _waited_ms(exchange) >= HANGING_MS]


def unanswered_at_the_end(evidence: Evidence, elsewhere: Elsewhere) -> Iterator[NetworkBody]:
    """Those under way for longer than usual when all ended, without those that wait on purpose."""
    begun_ms = max(_beginnings(evidence), default=0.0)
    for exchange in evidence.exchanges:
        if (
            exchange.pending
            # Else the page that asked was left, and others came after it.
            and exchange.at_ms + _waited_ms(exchange) >= begun_ms
            and not _LONG_POLL.search(exchange.url)
            and elsewhere.is_slow(evidence, exchange)
        ):
            yield exchange


def has_waited(run: TestRun) -> bool:
    """Whether a test failed because something did not come, as far as it says."""
    if (run.status or "").lower() in TIMED_OUT:
        return True
    return run.status is not None and (not run.message or bool(_WAITED.search(run.message)))


def _beginnings(evidence: Evidence) -> Iterable[float]:
    yield from (exchange.at_ms for exchange in evidence.exchanges)
    yield from (action.at_ms for action in evidence.actions)


def _waited_ms(exchange: NetworkBody) -> float:
    return exchange.duration or 0.0
