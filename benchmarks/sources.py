"""What it takes to find the source of an error, and what that costs those who send meanwhile."""

import argparse
import http.client
import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count, cycle
from statistics import quantiles

import msgspec
import psutil
from samples import log_batch
from servers import Running, gasoline_server
from table import Row, report
from timing import median_ms

from gasoline.analysis.source_map import SourceMap, read_source_map
from gasoline.analysis.stack import Frame
from gasoline.sources.resolving import resolve

FILES = 60
SEGMENTS_PER_FILE = 1650
COLUMNS_PER_SEGMENT = 9
URL = "http://127.0.0.1:5173/assets/app.js.map"
REPEATS = 7
REQUESTS = 400
PAUSE_S = 0.005
MIB = 1024 * 1024
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def write_map() -> bytes:
    """A map of 1.2 MB, as of a bundle on one line: half mappings, half sources."""
    lines = "\n".join(f"  const value{n} = total[{n}].amount + shipping;" for n in range(230))
    content = {
        "version": 3,
        "sources": [f"../src/module{number}.ts" for number in range(FILES)],
        "sourcesContent": [f"// module {number}\n{lines}\n" for number in range(FILES)],
        "names": [],
        "mappings": ",".join(_segments()),
    }
    return json.dumps(content).encode()


def _segments() -> Iterator[str]:
    line = column = 0
    for file in range(FILES):
        for number in range(SEGMENTS_PER_FILE):
            # Numbers as compilers write them: small steps, now and then a large one.
            to_line, to_column = number // 6, (number * 7919) % 48
            steps = (5 + number % COLUMNS_PER_SEGMENT, int(number == 0 and file > 0))
            yield "".join(map(_digits, (*steps, to_line - line, to_column - column)))
            line, column = to_line, to_column


def _digits(number: int) -> str:
    value = (-number << 1 | 1) if number < 0 else number << 1
    digits = ""
    while value > 31:  # noqa: PLR2004  # five bits a digit
        digits += _LETTERS[value & 31 | 32]
        value >>= 5
    return digits + _LETTERS[value]


def measure() -> list[Row]:
    """Decoding, resolving, and how long senders wait while others' maps are decoded."""
    body = write_map()
    decoded = read_source_map(body, URL)
    with gasoline_server() as server:
        process = psutil.Process(server.pid)
        quiet_ms = _latencies_ms(server)
        stop = threading.Event()
        uploads = threading.Thread(target=_upload, args=(server, body, stop))
        uploads.start()
        busy_ms = _latencies_ms(server)
        stop.set()
        uploads.join()
        peak_bytes = process.memory_info().rss
    return [
        Row(what="a frame of a decoded map", measured=_resolve_ms(decoded), unit="ms", budget=1),
        Row(
            what=f"decoding a map of {len(body) / 1e6:.1f} MB in a thread",
            measured=_decode_ms(body),
            unit="ms",
            budget=150,
        ),
        Row(what="decoded, of its size", measured=100 * decoded.size_bytes / len(body), unit="%"),
        Row(what="ingest p99 at rest", measured=_p99(quiet_ms), unit="ms"),
        Row(
            what="ingest p99 while map after map is decoded",
            measured=_p99(busy_ms),
            unit="ms",
            budget=20,
        ),
        Row(what="resident after that", measured=peak_bytes / MIB, unit="MB", budget=100),
    ]


def _resolve_ms(decoded: SourceMap) -> float:
    frames = [Frame("f", "http://app/app.js", 1, column) for column in range(1, 500_000, 5000)]
    remaining = cycle(frames)
    return median_ms(lambda: resolve([next(remaining)], lambda _url: decoded), times=len(frames))


def _decode_ms(body: bytes) -> float:
    with ThreadPoolExecutor(1) as thread:
        decode = thread.submit(median_ms, lambda: read_source_map(body, URL), times=REPEATS)
        return decode.result()


def _latencies_ms(server: Running) -> list[float]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    taken = []
    for number in range(REQUESTS):
        body = log_batch(number)
        time.sleep(PAUSE_S)
        started = time.perf_counter()
        connection.request("POST", "/logs", body)
        connection.getresponse().read()
        taken.append((time.perf_counter() - started) * 1000)
    connection.close()
    return taken


def _upload(server: Running, body: bytes, stop: threading.Event) -> None:
    """A map that is not known yet, and another, as fast as they are taken."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    for number in count():
        if stop.wait(0.2):
            break
        entry = {"type": "gasoline-source", "url": f"http://cdn/{number}.js", "map": body.decode()}
        connection.request("POST", "/logs", msgspec.json.encode({"entries": [entry]}))
        answer = json.loads(connection.getresponse().read())
        assert answer["received"] == 1, answer
    connection.close()


def _p99(taken_ms: list[float]) -> float:
    return quantiles(taken_ms, n=100)[-1]


def main() -> None:
    """Measure, print, judge."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    report(measure())


if __name__ == "__main__":
    main()
