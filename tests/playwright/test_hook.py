"""NODE_OPTIONS="--require hook.cjs": everything is captured, and nothing else is different."""

import json
import re
from pathlib import Path

import pytest

from tests.playwright.suite import FIXTURE, HOOK, ROOT, Suite, errors_in, snapshot_of
from tests.servers import running_server

DRIVES = """
const browser = await chromium.launch({executablePath: process.env.BROWSER});
const page = await browser.newPage();
await page.goto(`${process.env.SITE}/?say=from a script`);
await page.evaluate(() => console.error('last words'));
await browser.close();
"""
DIES = """
import {test} from '@playwright/test';
test.describe.configure({mode: 'serial'});
test('kills it', async ({page}) => {
  await page.goto('/?say=alive');
  process.kill(%d, 'SIGKILL');
  await page.evaluate(() => console.error('to nobody'));
});
test('goes on', async ({page}) => { await page.goto('/?say=nobody hears'); });
"""
PAUSES = """
import {test} from '@playwright/test';
test.describe.configure({mode: 'serial'});
test('halts it', async ({page}) => {
  await page.goto('/?say=one');
  process.kill(%d, 'SIGSTOP');
});
test('lets it go on', async ({page}) => {
  await page.goto('/?say=two');
  process.kill(%d, 'SIGCONT');
});
"""
NO_BROWSER = "require('@playwright/test').test('needs no browser', () => {});"
STEPS = """
module.exports = class {
  printsToStdio() { return true; }
  onError(error) { console.log(error.message); }
  onStepEnd(test, result, {category, title, location}) {
    console.log(category, title, location?.line ?? '-');
  }
  onTestEnd(test, result) { console.log(...result.errors.map(error => error.stack)); }
};
"""


def test_a_module_that_drives_a_browser_is_captured(suite: Suite) -> None:
    script = DRIVES.replace("?say", "?fetch=me&say")
    script = script.replace(
        "await page.ev", "await page.getByText('done').waitFor();\nawait page.ev"
    )
    suite.write("script.mjs", f"import {{chromium}} from 'playwright-core';\n{script}")

    ran = suite.command("node", "script.mjs", hook=True)

    assert (ran.code, ran.out) == (0, "")
    snapshot = snapshot_of(suite.server)
    assert errors_in(snapshot) == ["from a script", "last words"]
    assert [body["status"] for body in snapshot["network_bodies"]] == [500]
    assert [load["url"] for load in snapshot["performance"]] == ["/"]


def test_a_playwright_that_is_built_differently_is_captured_all_the_same(suite: Suite) -> None:
    other = "browser._connection.toImpl = undefined;\nconst page ="
    script = DRIVES.replace("const page =", other).replace("from a script", "built differently")
    suite.write("script.mjs", f"import {{chromium}} from 'playwright-core';\n{script}")

    ran = suite.command("node", "script.mjs", hook=True, GASOLINE_TEST_ID="built differently")

    assert (ran.code, ran.out) == (0, "")
    assert suite.errors("built differently") == ["built differently", "last words"]


@pytest.mark.parametrize(("kind", "has_binding"), [("chromium", "false"), ("another", "true")])
def test_only_chromium_has_a_short_way(suite: Suite, kind: str, has_binding: str) -> None:
    become = f"browser._connection.toImpl(browser).options.browserType = '{kind}';\nconst page ="
    look = "console.log(await page.evaluate(() => '__playwright__binding__' in window));\n"
    script = DRIVES.replace("const page =", become).replace(
        "await browser.close", f"{look}await browser.close"
    )
    suite.write("script.mjs", f"import {{chromium}} from 'playwright-core';\n{script}")

    ran = suite.command("node", "script.mjs", hook=True, GASOLINE_TEST_ID=kind)

    assert (ran.code, ran.out.strip()) == (0, has_binding)
    assert suite.errors(kind) == ["from a script", "last words"]


def test_a_script_of_the_older_kind_can_be_given_a_test_id(suite: Suite) -> None:
    script = f"const {{chromium}} = require('playwright');\n(async () => {{{DRIVES}}})();"
    suite.write("script.cjs", script)

    ran = suite.command("node", "script.cjs", hook=True, GASOLINE_TEST_ID="nightly")

    assert (ran.code, ran.out) == (0, "")
    assert suite.errors("nightly") == ["from a script", "last words"]


HANGS = """
const page = await browser.newPage();
await page.evaluate(() => void setTimeout(() => { for (;;); }));
await page.close({runBeforeUnload: false});
"""
NO_SCRIPTS = "await browser.newPage({javaScriptEnabled: false});"
NO_BINDINGS = """
const context = await browser.newContext();
Reflect.getPrototypeOf(context).exposeBinding = () => { throw new Error('none here'); };
await browser.newPage();
"""


@pytest.mark.parametrize(
    ("does", "state", "why"),
    [
        (HANGS, "partial", "a page did not hand over what it held in time"),
        (NO_SCRIPTS, "blind", "the browser context runs no JavaScript"),
        (NO_BINDINGS, "blind", "a browser context could not be observed (none here)"),
    ],
)
def test_what_could_not_be_seen_is_said_in_the_evidence(
    suite: Suite, does: str, state: str, why: str
) -> None:
    launch = "const browser = await chromium.launch({executablePath: process.env.BROWSER});"
    script = f"{launch}\n{does}\nawait browser.close();"
    suite.write("script.mjs", f"import {{chromium}} from 'playwright';\n{script}")

    ran = suite.command("node", "script.mjs", hook=True, GASOLINE_TEST_ID=why)

    assert (ran.code, ran.out) == (0, "")
    capture = suite.evidence(why)["capture"]
    assert capture["state"] == state
    assert why in capture["why"]


def test_a_new_tab_goes_to_its_first_page_only_with_the_capture(suite: Suite) -> None:
    suite.write("script.mjs", f"import {{chromium}} from 'playwright';\n{DRIVES}")

    ran = suite.command("node", "script.mjs", hook=True, DEBUG="pw:protocol")

    messages = [json.loads(line) for line in re.findall(r"(?:SEND ►|◀ RECV) (\{.*\})", ran.out)]
    (added,) = [
        message["id"]
        for message in messages
        if message.get("method") == "Page.addScriptToEvaluateOnNewDocument"
        and "__gasoline" in message["params"]["source"]
    ]
    order = [
        "capture" if message.get("id") == added and "result" in message else message.get("method")
        for message in messages
    ]
    assert order.index("Target.createTarget") < order.index("capture")
    assert order.index("capture") < order.index("Page.navigate")


@pytest.mark.parametrize(("mode", "kept"), [("", [200, 500]), ("errors-only", [500])])
def test_every_request_is_kept_unless_asked_otherwise(
    suite: Suite, mode: str, kept: list[int]
) -> None:
    asks = (
        "async () => { for (const path of ['/fine', '/broken']) await (await fetch(path)).text(); }"
    )
    script = DRIVES.replace("() => console.error('last words')", asks)
    suite.write("script.mjs", f"import {{chromium}} from 'playwright';\n{script}")

    suite.command("node", "script.mjs", hook=True, GASOLINE_CAPTURE_MODE=mode)

    bodies = snapshot_of(suite.server)["network_bodies"]
    assert [body["status"] for body in bodies] == kept


def test_steps_and_errors_look_as_they_do_without_it(suite: Suite) -> None:
    suite.write("steps.cjs", STEPS)
    suite.write(
        "playwright-kit.ts",
        """
        import {test as base} from '@playwright/test';
        export const test = base.extend({kit: async ({}, use) => use('kit')});
        """,
    )
    suite.write(
        "one.spec.ts",
        """
        import {test} from './playwright-kit';
        test('closes and opens', async ({page, browser, kit}) => {
          await page.goto('/?say=one');
          const own = await browser.newPage();
          await own.close();
          await browser.newContext({viewport: 'nonsense'});
        });
        """,
    )

    plain = suite.run("--reporter", "./steps.cjs")
    hooked = suite.run("--reporter", "./steps.cjs", hook=True)

    assert "one.spec.ts:7:" in hooked.out
    assert hooked.out == plain.out
    assert suite.errors("one.spec.ts > closes and opens") == ["one"]


def test_reporters_of_the_user_stay(suite: Suite) -> None:
    suite.write("none.spec.ts", NO_BROWSER)
    suite.write("mine.cjs", "module.exports = class { onEnd() { console.log('mine was here'); } };")

    ran = suite.run(
        *("--reporter", "json,line"),
        hook=True,
        PW_TEST_REPORTER=str(suite.folder / "mine.cjs"),
    )

    assert "mine was here" in ran.out
    assert "[1/1] none.spec.ts" in ran.out


def test_the_fixture_under_the_hook_captures_once(suite: Suite) -> None:
    suite.write(
        "both.spec.ts",
        f"""
        import {{expect, test}} from '{FIXTURE}';
        test('both', async ({{page, gasoline}}) => {{
          await page.goto('/?say=both');
          await page.evaluate(() => console.error('late'));
          const {{logs, stats}} = await gasoline.getSnapshot();
          expect(stats.error_count).toBe(2);
          expect(logs.at(-1).message).toBe('late');
          throw new Error('to see what is attached');
        }});
        """,
    )

    ran = suite.run(hook=True)

    assert "to see what is attached" in ran.out
    assert suite.errors("both.spec.ts > both") == ["both", "late"]
    assert suite.attempts() == {("both.spec.ts > both", 1): "failed"}
    assert {"gasoline-snapshot", "gasoline-summary"} <= ran.attachments("both").keys()


def test_a_server_that_dies_meanwhile_harms_nobody(lonely_suite: Suite, tmp_path: Path) -> None:
    with running_server(tmp_path) as server:
        lonely_suite.write("dies.spec.ts", DIES % server.pid)

        ran = lonely_suite.run(hook=True, port=server.port)

    assert ran.code == 0, ran.out
    assert "gasoline" not in ran.out
    assert [result["status"] for [result] in ran.results().values()] == ["passed", "passed"]


def test_tests_do_not_wait_for_a_server_that_is_busy(lonely_suite: Suite, tmp_path: Path) -> None:
    with running_server(tmp_path) as server:
        lonely_suite.write("pauses.spec.ts", PAUSES % (server.pid, server.pid))
        lonely_suite.use(server)

        ran = lonely_suite.run(hook=True, port=server.port)

        assert ran.code == 0, ran.out
        assert lonely_suite.errors("pauses.spec.ts > halts it") == ["one"]
        assert lonely_suite.errors("pauses.spec.ts > lets it go on") == ["two"]
        assert set(lonely_suite.attempts().values()) == {"passed"}


def test_what_goes_wrong_is_told_to_those_who_ask(lonely_suite: Suite) -> None:
    lonely_suite.write("none.spec.ts", NO_BROWSER)

    ran = lonely_suite.run(hook=True, port=1, GASOLINE_DEBUG="1")

    assert ran.code == 0, ran.out
    assert "gasoline: Error: connect ECONNREFUSED 127.0.0.1:1" in ran.out


def test_the_hook_leaves_other_programs_alone(lonely_suite: Suite) -> None:
    lonely_suite.write("none.cjs", "console.log(require('node:path').basename(__filename))")

    ran = lonely_suite.command("node", "none.cjs", hook=True, port=1)

    assert (ran.code, ran.out) == (0, "none.cjs\n")


def test_the_wheel_and_the_package_carry_the_same_hook() -> None:
    assert HOOK.read_bytes() == (ROOT / "src/gasoline/assets/hook.cjs").read_bytes()
