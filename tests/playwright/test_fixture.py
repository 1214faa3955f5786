"""The fixture: its options, what it gives a test, what a failed one carries."""

import base64
import json
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.playwright.suite import (
    FIXTURE,
    PACKAGES,
    Ran,
    Suite,
    errors_in,
    new_suite,
    snapshot_of,
)
from tests.servers import RunningServer, request, wait_until

# Every way to end that decides about attachments.
ENDINGS = f"""
import {{expect, test}} from '{FIXTURE}';
test('fails', async ({{page}}) => {{
  await page.goto('/?say=oh no&fetch=me');
  await expect(page.getByText('done')).toBeVisible();
  await page.evaluate(() => setTimeout(() => {{ throw new TypeError('thrown'); }}));
  await page.evaluate(() => console.warn('careful'));
  throw new Error('on purpose');
}});
test('passes', async ({{page}}) => {{ await page.goto('/?say=fine'); }});
test.describe(() => {{
  test.use({{gasolineCaptureMode: 'all'}});
  test('waits', async ({{page, gasoline}}) => {{
    await page.route('**/never', () => {{}});
    await page.goto('/');
    await page.evaluate(() => void fetch('/never'));
    await gasoline.getSnapshot();
    throw new Error('on purpose');
  }});
}});
test.describe(() => {{
  test.use({{gasolineAttachOnFailure: false}});
  test('fails unseen', () => {{ throw new Error('on purpose'); }});
}});
test('fails as expected', async ({{page}}) => {{
  test.fail();
  await page.goto('/?say=expected');
  throw new Error('on purpose');
}});
"""


ASKS = f"""
import {{expect, test}} from '{FIXTURE}';
test.use({{gasolineCaptureMode: 'all'}});
test('asks', async ({{page, gasoline, gasolineServer}}) => {{
  await page.goto('/?say=one&fetch=me');
  await expect(page.getByText('done')).toBeVisible();
  const first = await gasoline.getSnapshot();
  expect(first.stats.error_count).toBe(2);
  expect(first.stats.network_failures).toBe(1);

  await page.evaluate(() => console.error('two'));
  const since = await gasoline.getSnapshot(first.timestamp);
  expect(since.logs.map(log => log.message)).toEqual(['two']);

  const theirs = [{{level: 'error', message: 'theirs'}}];
  const body = JSON.stringify({{test_id: 'of another', entries: theirs}});
  await fetch(`${{gasolineServer.url}}/logs`, {{method: 'POST', body}});
  await gasoline.clear();
  expect((await gasoline.getSnapshot()).stats.total_logs).toBe(0);

  await gasoline.markTest('my own', 'start');
  await gasoline.markTest('my own', 'end');
}});
"""
REQUESTS = f"""
import {{expect, test}} from '{FIXTURE}';
const seen = async (page, gasoline) => {{
  await page.goto('/?fetch=me');
  await expect(page.getByText('done')).toBeVisible();
  await page.evaluate(async () => (await fetch('/fine')).text());
  return (await gasoline.getSnapshot()).network_bodies.map(body => body.status);
}};
test('errors', async ({{page, gasoline}}) => {{
  await expect.poll(() => seen(page, gasoline)).toEqual([500]);
}});
test.describe(() => {{
  test.use({{gasolineCaptureMode: 'all'}});
  test('all', async ({{page, gasoline}}) => {{
    await expect.poll(() => seen(page, gasoline)).toEqual([500, 200]);
  }});
}});
"""
NEVER_STARTED = "must-not-be-started"


@pytest.fixture(scope="module")
def together(
    tmp_path_factory: pytest.TempPathFactory,
    installed: Path,
    site: str,
    shared_server: RunningServer,
) -> tuple[Suite, Ran]:
    """One run of all that needs a server which is there."""
    suite = new_suite(tmp_path_factory.mktemp("together"), installed, site)
    suite.use(shared_server)
    for name, text in {"endings": ENDINGS, "asks": ASKS, "requests": REQUESTS}.items():
        suite.write(f"{name}.spec.ts", text)
    return suite, suite.run("--workers", "2", use={"gasolineBinary": NEVER_STARTED})


def test_a_failed_test_carries_what_the_browser_saw(together: tuple[Suite, Ran]) -> None:
    suite, ran = together

    attached = ran.attachments("fails")
    assert attached["gasoline-snapshot"]["contentType"] == "application/json"
    assert attached["gasoline-summary"]["contentType"] == "text/plain"
    text = body_of(attached["gasoline-snapshot"])
    snapshot = json.loads(text)
    assert text == json.dumps(snapshot, indent=2, ensure_ascii=False)
    assert {"timestamp", "logs", "websocket_events", "network_bodies", "stats"} <= snapshot.keys()
    assert errors_in(snapshot) == ["oh no", "careful"]
    assert snapshot["stats"] == {
        "total_logs": 5,
        "error_count": 3,
        "warning_count": 1,
        "network_failures": 1,
        "ws_connections": 0,
    }
    broken = f"{suite.site}/broken?for=me"
    assert body_of(attached["gasoline-summary"]).splitlines() == [
        "=== Gasoline Failure Context ===",
        f"Captured at: {snapshot['timestamp']}",
        "",
        "--- Stats ---",
        "Total logs: 5",
        "Errors: 3",
        "Warnings: 1",
        "Network failures: 1",
        "WebSocket connections: 0",
        "",
        "--- Errors ---",
        *(line for log in snapshot["logs"] if log["level"] == "error" for line in told(log)),
        "",
        "--- Network Failures ---",
        f"  GET {broken} → 500",
        '    {"error": "no room for me"}',
    ]
    assert not attached_by_us(ran, "fails unseen")
    assert not attached_by_us(ran, "passes")
    assert not attached_by_us(ran, "fails as expected")
    # Cleared between tests; what was archived stays.
    left = [log["message"] for log in snapshot_of(suite.server)["logs"]]
    assert left == ["theirs"]
    assert suite.errors("endings.spec.ts > passes") == ["fine"]


def test_a_failed_test_says_what_was_never_answered(together: tuple[Suite, Ran]) -> None:
    suite, ran = together

    summary = body_of(ran.attachments("waits")["gasoline-summary"])
    heading, line = summary.splitlines()[-2:]
    assert heading == "--- Never Answered ---"
    assert re.fullmatch(rf"  GET {suite.site}/never → no answer after \d+ ms", line)


def told(log: dict[str, Any]) -> list[str]:
    stack = log.get("stack")
    return [
        f"  [{log['source']}] {log['message']}",
        *([f"    {stack.splitlines()[0]}"] if stack else []),
    ]


def test_a_test_asks_clears_and_marks(together: tuple[Suite, Ran]) -> None:
    suite, ran = together

    assert ran.results()["asks"][0]["status"] == "passed", ran.out
    assert [log["message"] for log in suite.evidence("of another")["logs"]] == ["theirs"]
    assert ("my own", 1) in suite.attempts()


def test_only_failed_requests_are_kept_unless_all_are_wanted(together: tuple[Suite, Ran]) -> None:
    _, ran = together

    statuses = [ran.results()[title][0]["status"] for title in ("errors", "all")]
    assert statuses == ["passed", "passed"], ran.out


def test_a_server_that_was_there_stays(together: tuple[Suite, Ran]) -> None:
    suite, ran = together

    assert NEVER_STARTED not in ran.out
    assert suite.server is not None
    assert request(suite.server.port, "GET", "/health").status == 200


def test_the_options_have_the_documented_defaults(lonely_suite: Suite) -> None:
    lonely_suite.write(
        "defaults.spec.ts",
        f"""
        import {{expect, test}} from '{FIXTURE}';
        test.use({{gasolineAutoStart: false}});
        test('of the worker', ({{gasolinePort, gasolineBinary}}) => {{
          expect([gasolinePort, gasolineBinary]).toEqual([7890, 'gasoline']);
        }});
        test('of the test', ({{gasolineCaptureMode, gasolineAttachOnFailure}}) => {{
          expect([gasolineCaptureMode, gasolineAttachOnFailure]).toEqual(['errors-only', true]);
        }});
        """,
    )

    ran = lonely_suite.run(port=0, GASOLINE_PORT="")

    assert ran.code == 0, ran.out


WITHOUT_A_BROWSER = f"""
import {{expect, test}} from '{FIXTURE}';
for (let n = 0; n < 8; n++)
  test(`asks ${{n}}`, async ({{gasoline}}, info) => {{
    expect((await gasoline.getSnapshot()).blind).toBeUndefined();
    if (n < 2) throw new Error(`on purpose in worker ${{info.workerIndex}}`);
  }});
"""


def test_workers_share_one_server_that_ends_with_the_run(lonely_suite: Suite) -> None:
    lonely_suite.write("many.spec.ts", WITHOUT_A_BROWSER)
    port = free_port()
    reporters = [["json", {"outputFile": "report.json"}], ["gasoline-playwright/reporter"]]

    ran = lonely_suite.run("--workers", "4", port=port, options={"reporter": reporters})

    failed = [error["message"] for test in ran.results().values() for error in test[0]["errors"]]
    assert len(failed) == 2, ran.out
    assert all("on purpose" in message for message in failed), ran.out
    assert ran.out.strip().endswith(
        "Gasoline: what the browser saw in 2 tests that failed: test-results/gasoline-report.txt"
    )
    report = (lonely_suite.folder / "test-results" / "gasoline-report.txt").read_text()
    assert "many.spec.ts > asks 0" in report
    assert "many.spec.ts > asks 1" in report
    wait_until(lambda: not listens(port), "the end of the server that the run started")


def test_without_a_server_tests_run_and_snapshots_say_that_they_are_blind(
    lonely_suite: Suite,
) -> None:
    lonely_suite.write("endings.spec.ts", ENDINGS)

    ran = lonely_suite.run(
        *("--workers", "1", "-g", "fails$|passes"),
        port=free_port(),
        use={"gasolineBinary": "no-such-program"},
    )

    assert ran.results()["passes"][0]["status"] == "passed", ran.out
    assert ran.out.count("Gasoline: tests run without capture, because `no-such-program`") == 1
    summary = body_of(ran.attachments("fails")["gasoline-summary"])
    assert "Nothing could be read: connect ECONNREFUSED" in summary


def test_a_server_that_never_answers_costs_little_and_fails_nothing(lonely_suite: Suite) -> None:
    lonely_suite.write("endings.spec.ts", ENDINGS)

    with silent_listener() as port:
        ran = lonely_suite.run(
            "-g", "passes|as expected", port=port, use={"gasolineAutoStart": False}
        )

    assert ran.code == 0, ran.out


def test_the_package_is_what_was_specified() -> None:
    package = json.loads((PACKAGES / "gasoline-playwright" / "package.json").read_text())
    capture = json.loads((PACKAGES / "gasoline-ci" / "package.json").read_text())

    assert (package["name"], package["version"]) == ("gasoline-playwright", "1.0.0")
    assert package["main"] == "dist/index.js"
    assert package["types"] == "dist/index.d.ts"
    assert package["peerDependencies"] == {"@playwright/test": ">=1.40.0"}
    assert package["dependencies"] == {"gasoline-ci": "^1.0.0"}
    assert capture["version"] == "1.0.0"


def body_of(attachment: dict[str, Any]) -> str:
    return base64.b64decode(attachment["body"]).decode()


def attached_by_us(ran: Ran, title: str) -> list[str]:
    return [name for name in ran.attachments(title) if name.startswith("gasoline")]


def listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port


@contextmanager
def silent_listener() -> Iterator[int]:
    """A port that takes connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]
