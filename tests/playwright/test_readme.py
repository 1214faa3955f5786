"""The README's snippets and the example do what they say."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from examples.shop.server import running_shop
from tests.playwright.suite import BROWSER, PACKAGES, ROOT, Suite, errors_in, snapshot_of

PACKAGE = PACKAGES / "gasoline-playwright"
SNIPPET = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
SNIPPETS = SNIPPET.findall((PACKAGE / "README.md").read_text())
CAPTURE_SNIPPETS = SNIPPET.findall((PACKAGES / "gasoline-ci" / "README.md").read_text())
COMMANDS = [text.strip() for language, text in SNIPPETS if language == "sh"]
NAME = "unchanged.spec.ts > talks 1"
# Their configuration, with the browser and the site of this machine.
HERE = """
import config from './playwright.config';
const {SITE, BROWSER, GASOLINE_PORT} = process.env;
config.use = {
  ...config.use,
  baseURL: SITE,
  gasolinePort: Number(GASOLINE_PORT),
  launchOptions: {executablePath: BROWSER},
};
export default config;
"""


def write_snippets(suite: Suite) -> None:
    for language, text in SNIPPETS:
        if language == "ts":
            suite.write(text.splitlines()[0].removeprefix("// "), text)
    suite.write("here.config.ts", HERE)


def check_types(folder: Path) -> None:
    options = {"module": "ESNext", "moduleResolution": "bundler", "types": ["node"], "noEmit": True}
    roots = {"typeRoots": [str(ROOT / "node_modules" / "@types")], "skipLibCheck": True}
    settings = {"compilerOptions": {**options, **roots, "target": "ES2022", "strict": True}}
    (folder / "tsconfig.json").write_text(json.dumps(settings))
    checked = subprocess.run(
        [ROOT / "node_modules" / ".bin" / "tsc", "-p", folder],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (checked.returncode, checked.stdout) == (0, "")


def test_the_snippets_of_the_fixture_pass(suite: Suite) -> None:
    write_snippets(suite)

    ran = suite.run("--config", "here.config.ts")

    assert ran.code == 0, ran.out
    assert "Gasoline: nothing failed, so there is no report." in ran.out
    assert suite.attempts() == {("start.spec.ts > the start page works", 1): "passed"}
    (suite.folder / "here.config.ts").unlink()
    check_types(suite.folder)


def test_the_commands_without_a_change_give_a_report(suite: Suite) -> None:
    _install, run, report = COMMANDS
    suite.write("package.json", "{}")
    # Under a name of its own, by which the report is asked: the server has seen other suites.
    suite.copy("parallel.spec.ts")
    (suite.folder / "parallel.spec.ts").rename(suite.folder / "unchanged.spec.ts")
    config = "import {defineConfig} from '@playwright/test';\nexport default defineConfig({use: "
    browser = f"{{baseURL: '{suite.site}', launchOptions: {{executablePath: '{BROWSER}'}}}}}});"
    suite.write("playwright.config.ts", config + browser)

    ran = suite.command("bash", "-c", f"{run} -g 'talks 1'")
    told = suite.command("bash", "-c", f"{report} --port $GASOLINE_PORT --test-id '{NAME}'")

    assert ran.code == 1, ran.out
    assert told.code == 0, told.out
    assert NAME in told.out
    assert "no room for 1" in told.out


def test_the_example_names_the_fault_of_the_shop(suite: Suite) -> None:
    shutil.copytree(PACKAGE / "example", suite.folder, dirs_exist_ok=True)

    with running_shop(faults=["null-field"]) as shop:
        ran = suite.run(SHOP_URL=shop.url, GASOLINE_BROWSER=BROWSER)

    assert ran.code == 1, ran.out
    assert set(suite.attempts().values()) == {"passed", "failed"}
    report = (suite.folder / "test-results" / "gasoline-report.txt").read_text()
    assert "shop.spec.ts > a product shows its price" in report
    assert "Cannot read properties of null (reading 'amount')" in report
    check_types(suite.folder)


@pytest.mark.parametrize("path", ["packages/gasoline-ci", "packages/gasoline-playwright"])
def test_what_the_readme_installs_is_there(path: str) -> None:
    assert f"./{path}" in COMMANDS[0]
    assert (ROOT / path / "package.json").exists()


def test_the_snippets_of_the_script_capture_a_page(suite: Suite) -> None:
    assert suite.server is not None
    posting, binding = (text for language, text in CAPTURE_SNIPPETS if language == "js")
    binding = binding.replace("7890", str(suite.server.port))
    suite.write(
        "script.cjs",
        f"""const {{chromium}} = require('playwright-core');
        (async () => {{
          const browser = await chromium.launch({{executablePath: process.env.BROWSER}});
          const context = await browser.newContext();
          {binding}
          {posting}
          const page = await context.newPage();
          await page.goto(process.env.SITE + '/?say=as the README says');
          await page.evaluate(() => window.__gasoline.flush());
          await browser.close();
        }})();""",
    )

    ran = suite.command("node", "script.cjs")

    assert (ran.code, ran.out) == (0, "")
    assert "as the README says" in errors_in(snapshot_of(suite.server))
