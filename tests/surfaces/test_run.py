"""`gasoline run`: a command, unchanged, with what its browser saw."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import venv
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from gasoline.surfaces.cli.run import environment_for
from tests.drivers.browsers import browser_in_report
from tests.servers import free_port, running_server

ROOT = Path(__file__).parents[2]
PATIENCE_S = 120
BROWSER = os.environ.get("GASOLINE_BROWSER", "chromium")
SCRIPT = f"""
import shutil
from playwright.sync_api import sync_playwright

with sync_playwright() as playwright:
    browser = playwright.chromium.launch(
        executable_path=shutil.which({BROWSER!r}), args=["--no-sandbox"]
    )
    page = browser.new_page()
    page.goto("data:text/html,<h1>checkout")
    page.evaluate("console.error('cart failed', 42)")
    browser.close()
raise SystemExit(3)
"""


NODE_SCRIPT = f"""
const {{chromium}} = require({str(ROOT / "node_modules" / "playwright")!r});
(async () => {{
  const browser = await chromium.launch({{executablePath: {shutil.which(BROWSER)!r}}});
  const page = await browser.newPage();
  await page.evaluate(() => console.error('cart failed', 42));
  await browser.close();
  process.exit(3);
}})();
"""


def gasoline_run(
    folder: Path, *command: str, flags: tuple[str, ...] = (), **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gasoline", "run", *flags, "--", *command],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


@pytest.mark.parametrize(
    ("name", "text", "program"),
    [("checkout.py", SCRIPT, sys.executable), ("checkout.cjs", NODE_SCRIPT, "node")],
)
def test_a_server_on_another_address_is_reached_from_python_and_node(
    tmp_path: Path, name: str, text: str, program: str
) -> None:
    (tmp_path / name).write_text(text)

    with running_server(tmp_path, "--host", "::1") as server:
        state, flags = str(server.state_folder), ("--port", str(server.port))
        ran = gasoline_run(tmp_path, program, name, flags=flags, GASOLINE_STATE=state)

    assert ran.returncode == 3, ran.stderr
    assert "Primary failure: cart failed 42" in ran.stdout
    assert ran.stderr == ""


# Nothing tells a process of another's niceness: it has to look.
YIELDING = """
import os, time
def niceness(pid): return os.getpriority(os.PRIO_PROCESS, pid)
giving_up_at = time.monotonic() + 10
while niceness(os.getppid()) <= niceness(0) and time.monotonic() < giving_up_at: time.sleep(0.01)
print(niceness(0), niceness(os.getppid()))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="processes have no niceness there")
def test_the_command_is_as_important_as_without_us_and_more_than_we_are(tmp_path: Path) -> None:
    ran = gasoline_run(tmp_path, sys.executable, "-c", YIELDING)

    theirs, ours = map(int, ran.stdout.split())
    assert theirs == os.getpriority(os.PRIO_PROCESS, 0)
    assert ours > theirs


def test_what_node_drives_is_named_in_a_bug_report(tmp_path: Path) -> None:
    acts = "await page.goto('data:text/html,<button>Buy</button>'); await page.click('button');"
    acting = NODE_SCRIPT.replace("await page", f"{acts} await page", 1)
    (tmp_path / "click.cjs").write_text(acting)

    with running_server(tmp_path) as server:
        state, flags = str(server.state_folder), ("--port", str(server.port))
        gasoline_run(tmp_path, "node", "click.cjs", flags=flags, GASOLINE_STATE=state)
        named = browser_in_report(server)

    assert re.fullmatch(r"Chrome \d+", named)


def test_a_script_that_knows_nothing_of_gasoline_leaves_its_evidence(tmp_path: Path) -> None:
    (tmp_path / "checkout.py").write_text(SCRIPT)

    ran = gasoline_run(tmp_path, sys.executable, "checkout.py", flags=("--report-dir", "out"))

    assert ran.returncode == 3, ran.stderr
    assert "Primary failure: cart failed 42" in ran.stdout
    assert ran.stderr == ""
    out = tmp_path / "out"
    assert {path.name for path in out.iterdir()} == {
        "report.txt",
        "report.json",
        "ai-context.md",
        "junit.xml",
        "record.jsonl",
    }
    (test,) = json.loads((out / "report.json").read_text())["tests"]
    assert (test["status"], test["errors"][0]["message"]) == ("fail", "cart failed 42")
    assert ET.parse(out / "junit.xml").getroot().find("testsuite/testcase/failure") is not None  # noqa: S314  # our own output
    assert "## Test Failure" in (out / "ai-context.md").read_text()


def test_a_command_without_a_browser_is_left_alone(tmp_path: Path) -> None:
    ran = gasoline_run(tmp_path, sys.executable, "-c", "print('hello')")

    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "hello\n", "")


@pytest.mark.parametrize(
    ("script", "code"),
    [
        ("import sys; sys.exit(3)", 3),
        ("import os; os.kill(os.getpid(), 9)", 128 + signal.SIGKILL),
    ],
)
def test_the_command_s_exit_code_is_ours(tmp_path: Path, script: str, code: int) -> None:
    assert gasoline_run(tmp_path, sys.executable, "-c", script).returncode == code


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("no-such-command-here", 127, "no-such-command-here: command not found"),
        ("text.txt", 126, "text.txt: Permission denied"),
    ],
)
def test_a_command_that_cannot_be_started_is_named_and_nothing_is_reported(
    tmp_path: Path, name: str, code: int, said: str
) -> None:
    (tmp_path / "text.txt").touch()
    command = str(tmp_path / name) if "." in name else name

    ran = gasoline_run(tmp_path, command)

    assert (ran.returncode, ran.stdout) == (code, "")
    assert said in ran.stderr


def test_a_report_folder_that_cannot_be_written_is_named_before_the_command_runs(
    tmp_path: Path,
) -> None:
    (tmp_path / "out" / "record.jsonl").mkdir(parents=True)

    ran = gasoline_run(tmp_path, "touch", "started", flags=("--report-dir", "out"))

    assert (ran.returncode, ran.stderr) == (1, "Error: Cannot write to out: Is a directory.\n")
    assert not (tmp_path / "started").exists()


def test_nothing_to_run_is_wrong_usage(tmp_path: Path) -> None:
    assert gasoline_run(tmp_path).returncode == 2


def test_a_server_that_dies_during_the_run_leaves_its_record(tmp_path: Path) -> None:
    kill_server = (
        "import http.client, json, os, signal\n"
        "port = int(os.environ['GASOLINE_PORT'])\n"
        "def ask(method, path, body=None):\n"
        "    connection = http.client.HTTPConnection('127.0.0.1', port)\n"
        "    connection.request(method, path, body)\n"
        "    return json.loads(connection.getresponse().read())\n"
        "entries = [{'level': 'error', 'message': 'last words'}]\n"
        "ask('POST', '/logs', json.dumps({'entries': entries}))\n"
        "os.kill(ask('GET', '/health')['pid'], signal.SIGKILL)\n"
        "raise SystemExit(1)\n"
    )

    ran = gasoline_run(tmp_path, sys.executable, "-c", kill_server)

    assert ran.returncode == 1
    assert "note: the server died during the run; this is what it had recorded" in ran.stdout
    assert "last words" in ran.stdout


def test_a_server_that_fails_while_it_starts_says_why(tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "uvicorn.py").write_text("raise SystemExit('no such library')")
    # A connection that ends when the server does, and a test that fails then.
    until_it_ends = """
import contextlib, os, socket
with contextlib.suppress(ConnectionError):
    socket.create_connection(("127.0.0.1", int(os.environ["GASOLINE_PORT"]))).recv(1)
raise SystemExit(3)
"""

    ran = gasoline_run(tmp_path, sys.executable, "-c", until_it_ends, PYTHONPATH=str(broken))

    assert ran.returncode == 3
    assert ran.stderr == "Gasoline's server ended by itself: no such library\n"
    assert "the server died during the run" in ran.stdout


def test_what_the_user_set_for_node_and_python_stays() -> None:
    environment = environment_for(
        7, {"NODE_OPTIONS": "--max-old-space-size=4096", "PYTHONPATH": "mine"}
    )

    assert environment["NODE_OPTIONS"].startswith("--max-old-space-size=4096 --require ")
    assert environment["PYTHONPATH"].endswith(f"{os.pathsep}mine")


def test_a_sitecustomize_of_the_environment_still_runs(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("print('theirs')\n")

    ran = gasoline_run(tmp_path, sys.executable, "-c", "print('ours')", PYTHONPATH=str(tmp_path))

    # Once for the Python of `gasoline run` itself, once for its command.
    assert ran.stdout == "theirs\ntheirs\nours\n"


def test_a_token_that_the_user_has_set_opens_the_run_s_own_server(tmp_path: Path) -> None:
    (tmp_path / "visit.py").write_text(SCRIPT)

    ran = gasoline_run(tmp_path, sys.executable, "visit.py", GASOLINE_TOKEN="secret")

    assert "cart failed 42" in ran.stdout
    assert "the server died" not in ran.stdout


def test_a_server_that_asks_for_a_token_is_opened_by_its_own_word(tmp_path: Path) -> None:
    (tmp_path / "visit.py").write_text(SCRIPT)
    with running_server(tmp_path, "--token", "secret") as server:
        ran = gasoline_run(
            tmp_path,
            *(sys.executable, "visit.py"),
            flags=("--port", str(server.port)),
            GASOLINE_STATE=str(server.state_folder),
        )

    assert "cart failed 42" in ran.stdout


SUITE = """
def test_good():
    pass

def test_bad():
    assert 1 == 2
"""


def test_pytest_of_an_environment_without_gasoline_tells_its_tests_apart(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(SUITE)
    venv.create(tmp_path / "env")
    (packages,) = (tmp_path / "env").glob("lib/python*/site-packages")
    for name in ("pytest", "_pytest", "py.py", "pluggy", "iniconfig", "packaging", "pygments"):
        (packages / name).symlink_to(Path(pytest.__file__).parents[1] / name)

    ran = gasoline_run(tmp_path, str(tmp_path / "env/bin/python"), "-m", "pytest", "-q", "-rN")

    assert ran.returncode == 1
    assert "1 failed, 1 passed" in ran.stdout
    assert "\n2 tests, 1 failure, 1 cause\n\nFAILED  test_it.py::test_bad\n" in ran.stdout
    assert "Gasoline could not" not in ran.stdout + ran.stderr


def test_a_failure_that_the_command_keeps_to_itself_is_reported(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(SUITE)

    ran = gasoline_run(tmp_path, "sh", "-c", f"{sys.executable} -m pytest -q || true")

    assert ran.returncode == 0
    assert "\n2 tests, 1 failure, 1 cause\n\nFAILED  test_it.py::test_bad\n" in ran.stdout


def test_a_port_without_a_server_is_named_and_the_command_runs(tmp_path: Path) -> None:
    port = free_port()

    ran = gasoline_run(tmp_path, "false", flags=("--port", str(port)))

    assert ran.returncode == 1
    absence = f"no server answers on port {port}, so nothing is captured. Leave --port out"
    assert ran.stderr.startswith(f"gasoline: {absence}")
    assert f"note: {absence}" in ran.stdout
