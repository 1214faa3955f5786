"""How fast events are taken in, beside a bare handler that only decodes them."""

import argparse
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from statistics import median

from load import put_load, write_post
from samples import BATCH_ENTRIES, log_batch
from servers import Running, gasoline_server, limit_server, peer_server
from table import Row, report

PAIRS = 3
SECONDS = 3.0
DIFFERENT_BATCHES = 20
# What the original asks of every request; other servers ignore it.
PEER_HEADERS = ("X-Gasoline-Client: gasoline-extension/0.7.9",)

BATCHES = [log_batch(number) for number in range(DIFFERENT_BATCHES)]
SECRET_BATCHES = [log_batch(number, secret=True) for number in range(DIFFERENT_BATCHES)]
SINGLES = [log_batch(number, entries=1) for number in range(DIFFERENT_BATCHES)]

Start = Callable[[], AbstractContextManager[Running]]


class Pairs:
    """Two servers under the same load, in turn, so that both meet the same weather."""

    def __init__(self, other: Start, *, seconds: float) -> None:
        self._other = other
        self._seconds = seconds

    def compare(self, bodies: Sequence[bytes]) -> tuple[float, float]:
        """Our requests a second, and the median of our share of the other's."""
        with gasoline_server() as ours, self._other() as other:
            rates = [(self._rate(ours, bodies), self._rate(other, bodies)) for _ in range(PAIRS)]
        return median(our for our, _ in rates), median(our / its for our, its in rates)

    def _rate(self, server: Running, bodies: Sequence[bytes]) -> float:
        requests = [write_post(server.port, "/logs", body, PEER_HEADERS) for body in bodies]
        load = put_load(server.port, requests, seconds=self._seconds)
        if load.refused:
            raise RuntimeError(f"{load.refused} requests of {load.answered} were refused")
        return load.per_second


def measure(*, seconds: float = SECONDS) -> list[Row]:
    """Our share of the limit."""
    pairs = Pairs(limit_server, seconds=seconds)
    batches, batches_share = pairs.compare(BATCHES)
    secrets, secrets_share = pairs.compare(SECRET_BATCHES)
    singles, singles_share = pairs.compare(SINGLES)
    return [
        _share(f"batches of {BATCH_ENTRIES}, entries/s of the limit's", batches_share, 40),
        _share(f"batches of {BATCH_ENTRIES}, a secret in each", secrets_share),
        _share("single entries, requests/s of the limit's", singles_share, 50),
        Row(what="batches, entries/s", measured=batches * BATCH_ENTRIES, unit="/s"),
        Row(what="batches with a secret, entries/s", measured=secrets * BATCH_ENTRIES, unit="/s"),
        Row(what="single entries, requests/s", measured=singles, unit="/s"),
    ]


def measure_peer(binary: Path, *, seconds: float = SECONDS) -> list[Row]:
    """How many times as fast as another server."""
    pairs = Pairs(lambda: peer_server(binary), seconds=seconds)
    return [
        _times(f"batches of {BATCH_ENTRIES}, times the peer", pairs.compare(BATCHES)[1]),
        _times("single entries, times the peer", pairs.compare(SINGLES)[1]),
    ]


def _share(what: str, share: float, budget: float | None = None) -> Row:
    return Row(what=what, measured=share * 100, unit="%", budget=budget, budget_is="at least")


def _times(what: str, ratio: float) -> Row:
    return Row(what=what, measured=ratio, unit="x", budget=15, budget_is="at least")


def main() -> None:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer", type=Path, metavar="PATH", help="another server's binary")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="per load (default: 3)")
    options = parser.parse_args()
    if options.peer:
        report(measure_peer(options.peer.resolve(strict=True), seconds=options.seconds))
    report(measure(seconds=options.seconds))


if __name__ == "__main__":
    main()
