"""How much longer a test takes under capture: with and without in turns, test by test, in one run.

Two runs of a suite differ by more than capture takes, two tests in one browser hardly do. What a
run takes beside its tests, before and after them, only `suite.py` knows.
"""

import argparse
import math
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from statistics import mean, stdev

import msgspec
import suite
from table import Row, report

sys.path.insert(0, str(suite.ROOT))

from examples.shop.server import running_shop  # found only now

# Of each test, half of them under capture.
TIMES = 40
# The first pair does not count: the browser starts in it.
WARM_UP = 2
# Two pairs after it: fewer do not tell how sure they are.
FEWEST = WARM_UP + 4
TAKEN = "taken.jsonl"
# What a step takes longer by, at least, to be named.
WORTH_A_ROW_MS = 0.3
GREETING = b"[gasoline-ci] Capture initialized"

# Every other test, in every other round the others. Lines are what tests differ by.
PLAYWRIGHT_CONFIG = """
import {test} from '@playwright/test';
const session = Reflect.get(globalThis, Symbol.for('gasoline.hook'));
const adopt = session?.adopt;
const isWatched = () => (test.info().line + test.info().repeatEachIndex) % 2 === 0;
if (adopt) session.adopt = async context => isWatched() && adopt.call(session, context);
"""

PLAYWRIGHT_REPORTER = """
const {appendFileSync} = require('node:fs');
module.exports = class {
  onTestEnd({title, location, repeatEachIndex: round}, {duration, steps}) {
    const taken = {};
    for (const {category, title, duration} of steps) {
      const name = {hook: title, 'pw:api': title.split(' ')[0]}[category] ?? 'Expect';
      taken[name] = (taken[name] ?? 0) + duration;
    }
    const isWatched = (location.line + round) % 2 === 0;
    const line = JSON.stringify({title, round, isWatched, duration, steps: taken});
    appendFileSync('taken.jsonl', `${line}\\n`);
  }
};
"""

PYTEST_CONFTEST = """
import json
import re
from pathlib import Path

from gasoline.drivers import playwright_sync

attach = playwright_sync.attach
taken = {}


def describe(nodeid, location):
    round = int(re.search(r"test_shop_(\\d+)", nodeid)[1])
    return round, (round + location[1]) % 2 == 0


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    _, is_watched = describe(item.nodeid, item.location)
    playwright_sync.attach = attach if is_watched else lambda context, observation: None


def pytest_runtest_logreport(report):
    steps = taken.setdefault(report.nodeid, {})
    steps[report.when] = 1000 * report.duration
    if report.when == "teardown":
        round, is_watched = describe(report.nodeid, report.location)
        test = {"title": report.location[2], "round": round, "isWatched": is_watched}
        test |= {"duration": sum(steps.values()), "steps": steps}
        with Path("taken.jsonl").open("a") as file:
            file.write(json.dumps(test) + "\\n")
"""


class Test(msgspec.Struct, frozen=True, rename="camel"):
    """What one test took, and its steps."""

    title: str
    round: int
    is_watched: bool
    duration: float
    steps: dict[str, float]


def prepare_playwright(folder: Path, times: int) -> list[str]:
    """The suite of Playwright Test, told to take turns."""
    command = suite.prepare_playwright(folder)
    config = folder / "playwright.config.ts"
    config.write_text(PLAYWRIGHT_CONFIG + config.read_text())
    (folder / "reporter.cjs").write_text(PLAYWRIGHT_REPORTER)
    return [*command, "--repeat-each", str(times), "--reporter", "./reporter.cjs"]


def prepare_pytest(folder: Path, times: int) -> list[str]:
    """The suite of pytest, told to take turns."""
    command = suite.prepare_pytest(folder, times)
    conftest = folder / "conftest.py"
    conftest.write_text(conftest.read_text() + PYTEST_CONFTEST)
    return command


RUNNERS: dict[str, Callable[[Path, int], list[str]]] = {
    "Playwright Test": prepare_playwright,
    "pytest": prepare_pytest,
}


def measure(*, runners: list[str] | None = None, times: int = TIMES) -> list[Row]:
    """Each runner's tests in turns."""
    return [row for name in runners or RUNNERS for row in _measure(name, times)]


def _measure(name: str, times: int) -> list[Row]:
    tests = [test for test in _run(RUNNERS[name], times) if test.round >= WARM_UP]
    whole = _longer(tests, lambda test: test.duration)
    without_ms = mean(test.duration for test in tests if not test.is_watched)
    shares = [100 * one / without_ms for one in whole]
    steps = sorted({step for test in tests for step in test.steps})
    longer = {step: mean(_longer(tests, _taken_by(step))) for step in steps}
    return [
        Row(what=f"a test of {name}, without", measured=without_ms, unit="ms"),
        Row(what=f"a test of {name}, longer by", measured=mean(shares), unit="%"),
        Row(
            what="standard error of that", measured=stdev(shares) / math.sqrt(len(shares)), unit="%"
        ),
        *(
            Row(what=f"of it, {step}", measured=more_ms, unit="ms")
            for step, more_ms in sorted(longer.items(), key=lambda one: -one[1])
            if more_ms >= WORTH_A_ROW_MS
        ),
    ]


def _taken_by(step: str) -> Callable[[Test], float]:
    return lambda test: test.steps.get(step, 0.0)


def _longer(tests: list[Test], took: Callable[[Test], float]) -> list[float]:
    """What a test takes longer, on average over all tests, for each two rounds."""
    differences: dict[int, list[float]] = defaultdict(list)
    by_turn = {(test.title, test.round): test for test in tests}
    for (title, turn), one in by_turn.items():
        if turn % 2 == 0:
            other = by_turn[title, turn + 1]
            watched, bare = (one, other) if one.is_watched else (other, one)
            assert watched.is_watched > bare.is_watched
            differences[turn].append(took(watched) - took(bare))
    return [mean(several) for several in differences.values()]


def _run(prepare: Callable[[Path, int], list[str]], times: int) -> list[Test]:
    with tempfile.TemporaryDirectory() as place, running_shop() as shop:
        folder = Path(place)
        reports = folder / "reports"
        command = prepare(folder, times)
        ran = subprocess.run(
            [*(sys.executable, "-m", "gasoline", "run", "--report-dir", reports, "--"), *command],
            cwd=folder,
            env=suite.environment_for(shop.url, folder),
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stdout[-2000:] + ran.stderr[-2000:]
        tests = [
            msgspec.json.decode(line, type=Test)
            for line in (folder / TAKEN).read_bytes().splitlines()
        ]
        seen = _tests_seen((reports / "record.jsonl").read_bytes())
    assert len(tests) == suite.TESTS * times
    assert seen == sum(test.is_watched for test in tests), "the wrong tests were watched"
    return tests


def _tests_seen(record: bytes) -> int:
    """In how many tests a page said that it is captured."""
    lines = [line for line in record.splitlines() if GREETING in line]
    return len({test_id for line in lines for test_id in _test_ids(msgspec.json.decode(line))})


def _test_ids(value: object) -> set[str]:
    if isinstance(value, list):
        return set().union(*map(_test_ids, value))
    if not isinstance(value, dict):
        return set()
    own = {str(value["test_id"])} if value.get("test_id") else set()
    return own.union(*map(_test_ids, value.values()))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runner", choices=RUNNERS, help="only this one")
    parser.add_argument(
        "--times",
        type=int,
        default=TIMES,
        help=f"each test runs, an even number (default: {TIMES})",
    )
    given = parser.parse_args()
    if given.times < FEWEST or given.times % 2:
        parser.error(f"--times takes an even number from {FEWEST} on")
    runners = [given.runner] if given.runner else None
    report(measure(runners=runners, times=given.times))


if __name__ == "__main__":
    main()
