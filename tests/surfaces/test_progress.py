"""The progress line of `gasoline run`, on a real terminal."""

import fcntl
import os
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ASK = """
import http.client, json, os
def ask(path, body):
    connection = http.client.HTTPConnection('127.0.0.1', int(os.environ['GASOLINE_PORT']))
    connection.request('POST', path, json.dumps(body))
    connection.getresponse().read()
"""
# Ends when the line that it waits for is on the terminal, or after so long.
WAITS = """
import os, select, sys
select.select([sys.stdin], [], [], 20)
"""
TESTS = f"""{ASK}
for name, status in (('a', 'passed'), ('b', 'failed'), ('c', None)):
    ask('/test-boundary', {{'test_id': name, 'action': 'start'}})
    ask('/logs', {{'test_id': name, 'entries': [{{'level': 'error', 'message': name}}]}})
    if status:
        ask('/test-boundary', {{'test_id': name, 'action': 'end', 'status': status}})
"""
LINE = "gasoline: 3 tests, 1 failed, "


class Terminal(NamedTuple):
    """A terminal of 60 columns, and what a command left on it."""

    ours: int
    theirs: int

    def run(self, folder: Path, script: str, *, until: str | None) -> str:
        """Run a script behind `gasoline run`; press Enter when this is on the terminal."""
        process = subprocess.Popen(
            [sys.executable, "-m", "gasoline", "run", "--", sys.executable, "-c", script],
            cwd=folder,
            env={**os.environ, "GASOLINE_STATE": str(folder / "state")},
            stdin=self.theirs,
            stdout=self.theirs,
            stderr=self.theirs,
        )
        os.close(self.theirs)
        seen = ""
        while chunk := _read(self.ours):
            seen += chunk
            if until and re.search(until, seen, re.DOTALL):
                os.write(self.ours, b"\n")
                until = None
        assert process.wait() == 0
        return seen


def _read(terminal: int) -> str:
    try:
        return os.read(terminal, 65_536).decode()
    except OSError:
        return ""


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 60, 0, 0))
    # What we press must not be seen as what was said.
    settings = termios.tcgetattr(theirs)
    settings[3] &= ~termios.ECHO
    termios.tcsetattr(theirs, termios.TCSANOW, settings)
    yield Terminal(ours, theirs)
    os.close(ours)


def test_the_line_counts_tests_failures_and_events_while_the_command_is_silent(
    terminal: Terminal, tmp_path: Path
) -> None:
    script = f"{TESTS}\nprint('one', flush=True)\n{WAITS}\nprint('two')"

    # On a busy machine the line may also be there before the first word.
    seen = terminal.run(tmp_path, script, until="one.*" + LINE)

    # The line is erased before the command goes on, and so its own lines stand whole.
    assert re.search(r"one\r\n(gasoline: [^\n]*\r\x1b\[K)+two\r\n", seen), seen
    assert re.search(re.escape(LINE) + r"\d+ events", seen)


def test_a_line_that_the_command_has_not_ended_is_left_alone(
    terminal: Terminal, tmp_path: Path
) -> None:
    waits = WAITS.replace("20", "1")
    script = f"print('half', end='', flush=True)\n{waits}\nprint(' and half')"

    assert "half and half\r\n" in terminal.run(tmp_path, script, until=None)


def test_nothing_is_put_into_the_picture_of_a_command_that_owns_the_screen(
    terminal: Terminal, tmp_path: Path
) -> None:
    waits = WAITS.replace("20", "1")
    script = f"print('\\x1b[?1049h\\x1b[2;5Hmenu', flush=True)\n{waits}\nprint('end')"

    assert "\x1b[2;5Hmenu\r\nend\r\n" in terminal.run(tmp_path, script, until=None)


def test_the_command_still_finds_a_terminal_of_the_same_size(
    terminal: Terminal, tmp_path: Path
) -> None:
    script = "import os, sys; print(sys.stdout.isatty(), os.get_terminal_size(1))"

    seen = terminal.run(tmp_path, script, until=None)

    assert "True os.terminal_size(columns=60, lines=30)\r\n" in seen


def test_much_output_arrives_whole(terminal: Terminal, tmp_path: Path) -> None:
    script = "for n in range(20000): print('line', n)"

    seen = terminal.run(tmp_path, script, until=None)

    assert re.findall(r"line (\d+)\r\n", seen) == [str(n) for n in range(20_000)]


@pytest.mark.parametrize(
    ("ends", "said"),
    [
        ([], "1 test, no failures"),
        ([("a", "passed"), ("b", "skipped"), ("b", "Passed")], "2 tests, no failures"),
        ([("a", "failed"), ("a", "passed")], "1 test, no failures, 1 flaky"),
    ],
)
def test_the_last_line_counts_the_tests(
    tmp_path: Path, terminal: Terminal, ends: list[tuple[str, str]], said: str
) -> None:
    script = f"""{ASK}
for name, status in {ends}:
    ask('/test-boundary', {{'test_id': name, 'action': 'start'}})
    ask('/test-boundary', {{'test_id': name, 'action': 'end', 'status': status}})
"""

    seen = terminal.run(tmp_path, script, until=None)

    assert seen.endswith(f"gasoline: {said}\r\n")
