"""Our MCP server against the official conformance suite."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.servers import environment_of

ROOT = Path(__file__).parents[2]
NODE_MODULES = ROOT / "node_modules"
SUITE = NODE_MODULES / "@modelcontextprotocol/conformance/dist/index.js"
OLDEST_NODE = 22
SCENARIOS = 32


def test_the_server_passes_every_scenario_of_the_official_suite(tmp_path: Path) -> None:
    assert SUITE.exists(), f"{SUITE.relative_to(ROOT)} is missing: run scripts/test"

    with served_fixtures(tmp_path / "state") as url:
        output = run_suite(url, results=tmp_path / "results")

    verdicts = read_verdicts(tmp_path / "results")
    failures = "\n".join(line for lines in verdicts.values() for line in lines)
    assert not failures, f"failing scenarios:\n{failures}"
    assert len(verdicts) == SCENARIOS, output


@contextmanager
def served_fixtures(state_folder: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "tests.conformance.fixture_server"]
    environment = environment_of(state_folder)
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        port = server.stdout.readline().strip()
        assert port, "the fixture server ended before it listened; its reason is on stderr"
        try:
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            server.terminate()


def run_suite(url: str, *, results: Path) -> str:
    options = ["--suite", "all", "--url", url, "--output-dir", str(results)]
    command = [find_node(), str(SUITE), "server", *options]
    suite = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    return suite.stdout + suite.stderr


def find_node() -> str:
    """Return the machine's Node if the suite runs on it, else the one among our npm packages."""
    installed = shutil.which("node")
    if installed is not None and node_major(installed) >= OLDEST_NODE:
        return installed
    packaged = NODE_MODULES / ".bin/node"
    assert packaged.exists(), f"{packaged.relative_to(ROOT)} is missing: run scripts/test"
    return str(packaged)


def node_major(node: str) -> int:
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True)
    found = re.match(r"v(\d+)\.", version.stdout)
    return int(found[1]) if found else 0


def read_verdicts(results: Path) -> dict[str, list[str]]:
    """Read what the suite wrote: the failed checks of each scenario, as lines to print."""
    return {
        checks.parent.name: [
            f"{checks.parent.name}: {check['name']}: {check.get('errorMessage', '')}"
            for check in json.loads(checks.read_bytes())
            if check["status"] == "FAILURE"
        ]
        for checks in results.glob("*/checks.json")
    }
