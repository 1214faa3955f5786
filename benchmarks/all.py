"""Every benchmark in turn, or parts by name; --write puts them into docs/performance.md."""

import argparse
import os
import platform
import re
from collections.abc import Callable
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
import turns
import visit
from table import Row, format_table, report

import report as failure_report

PAGE = Path(__file__).parents[1] / "docs" / "performance.md"

INTRODUCTION = """\
# Performance

Written by `python benchmarks/all.py --write`, which fails when anything is over its budget; with
`--part TITLE` it measures that section alone and leaves the others as they are.

Measured on {cores} cores with Python {python}, the load generator sharing them with the server.
Shares and ratios are medians of three alternating pairs (five for browser tests) and carry over to
other machines; times do not.

**The limit** is a bare uvicorn handler (uvloop, httptools) that decodes each batch into typed
msgspec structs and answers: the least any Python server could do.

**The peer** is another server's binary under the same load (`--peer PATH`).
"""
PEER = "Beside the peer"

PARTS: dict[str, Callable[[], list[Row]]] = {
    "Taking in": ingest.measure,
    "Reading": reading.measure,
    "Judging traffic": traffic.measure,
    "From a session to code": generation.measure,
    "Explaining errors": sources.measure,
    "Before, after, and unasked": sessions.measure,
    "Auditing": lambda: [*audit.measure(), *detection.measure()],
    "Starting": bridge.measure,
    "Memory": memory.measure,
    "In the page": capture.measure,
    "The extension": extension.measure,
    "Browser tests": suite.measure,
    "Browser tests, in turns": turns.measure,
    "A visit, step by step": visit.measure,
    "Reports and endurance": lambda: [*failure_report.measure(), *soak.measure()],
}
SECTION = re.compile(r"^## (.+)\n\n((?:\|.*\n)+)", re.MULTILINE)


def write_page(earlier: str, measured: dict[str, list[Row]]) -> str:
    """The page as Markdown, without a word about whose machine it was."""
    tables = {str(title): str(table) for title, table in SECTION.findall(earlier)}
    tables |= {title: format_table(rows) + "\n" for title, rows in measured.items()}
    introduction = INTRODUCTION.format(cores=os.cpu_count(), python=platform.python_version())
    sections = [f"\n## {title}\n\n{tables[title]}" for title in (*PARTS, PEER) if title in tables]
    return introduction + "".join(sections)


def main() -> None:
    """Measure, write, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="into docs/performance.md")
    parser.add_argument("--part", action="append", choices=PARTS, help="only this section")
    parser.add_argument("--peer", type=Path, metavar="PATH", help="another server's binary")
    options = parser.parse_args()
    parts = {title: PARTS[title] for title in options.part or PARTS}
    if options.peer:
        peer = options.peer.resolve(strict=True)
        parts[PEER] = lambda: ingest.measure_peer(peer)
    measured: dict[str, list[Row]] = {}
    for title, measure in parts.items():
        measured[title] = measure()
        # At once: all of it takes an hour.
        if options.write:
            PAGE.write_text(
                write_page(PAGE.read_text(encoding="utf-8"), measured), encoding="utf-8"
            )
    report([row for rows in measured.values() for row in rows])


if __name__ == "__main__":
    main()
