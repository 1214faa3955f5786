"""Every benchmark in turn; --write also puts the table into docs/performance.md."""

import argparse
import os
import platform
from pathlib import Path

import audit
import bridge
import capture
import detection
import extension
import generation
import ingest
import memory
import reading
import sessions
import soak
import sources
import suite
import traffic
from table import Row, format_table, report

import report as failure_report

PAGE = Path(__file__).parents[1] / "docs" / "performance.md"

INTRODUCTION = """\
# Performance

Written by `python benchmarks/all.py --write`, which fails when anything is over its budget.
Each part is a file beside it that also runs alone; `--long` adds the extension's.

Measured on {cores} cores with Python {python}, the load generator sharing them with the server.
Shares and ratios are medians of three alternating pairs (five for browser tests) and carry over to
other machines; times do not.

**The limit** is a bare uvicorn handler (uvloop, httptools) that decodes each batch into typed
msgspec structs and answers: the least any Python server could do.
"""
PEER = """
**The peer** is another server's binary under the same load (`--peer PATH`).
"""


def measure(peer: Path | None, *, with_long: bool) -> list[tuple[str, list[Row]]]:
    """Each benchmark's title and rows."""
    parts = [
        ("Taking in", ingest.measure()),
        ("Reading", reading.measure()),
        ("Judging traffic", traffic.measure()),
        ("From a session to code", generation.measure()),
        ("Explaining errors", sources.measure()),
        ("Before, after, and unasked", sessions.measure()),
        ("Auditing", [*audit.measure(), *detection.measure()]),
        ("Starting", bridge.measure()),
        ("Memory", memory.measure()),
        ("In the page", capture.measure()),
        ("Browser tests", [*suite.measure(), *failure_report.measure(), *soak.measure()]),
    ]
    if with_long:
        parts.append(("The extension", extension.measure()))
    return [*parts, ("Beside the peer", ingest.measure_peer(peer))] if peer else parts


def write_page(parts: list[tuple[str, list[Row]]], *, with_peer: bool) -> str:
    """The page as Markdown, without a word about whose machine it was."""
    introduction = INTRODUCTION.format(cores=os.cpu_count(), python=platform.python_version())
    sections = [f"\n## {title}\n\n{format_table(rows)}\n" for title, rows in parts]
    return introduction + (PEER if with_peer else "") + "".join(sections)


def main() -> None:
    """Measure, write, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="regenerate docs/performance.md")
    parser.add_argument("--peer", type=Path, metavar="PATH", help="another server's binary")
    parser.add_argument("--long", action="store_true", help="also the extension: three minutes")
    options = parser.parse_args()
    parts = measure(
        options.peer.resolve(strict=True) if options.peer else None, with_long=options.long
    )
    if options.write:
        PAGE.write_text(write_page(parts, with_peer=bool(options.peer)), encoding="utf-8")
    report([row for _, rows in parts for row in rows])


if __name__ == "__main__":
    main()
