"""`window.__gasoline`: what a page, a test or a runner may ask."""

import subprocess
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page

from tests.capture.capturing import ROOT, Captured

Capture = Callable[..., Captured]

METHODS = {
    "annotate", "removeAnnotation", "clearAnnotations", "getContext", "getActions", "clearActions", "setActionCapture",
    "setNetworkWaterfall", "getNetworkWaterfall", "setPerformanceMarks", "getMarks", "getMeasures", "enrichError",
    "setAiContext", "setStateSnapshot", "recordAction", "getEnhancedActions", "clearEnhancedActions", "generateScript",
    "getSelectors", "getDomSnapshot", "flush", "stop",
}  # fmt: skip


def test_the_api_is_complete(capture: Capture) -> None:
    kinds = capture().run(
        "() => Object.fromEntries(Object.entries(__gasoline).map(([name, value]) => [name, typeof value]))"
    )

    assert kinds == {**dict.fromkeys(METHODS, "function"), "version": "string"}


def test_annotations_are_bounded_and_say_whether_they_were_kept(capture: Capture) -> None:
    answers = capture().run(
        """() => { const g = __gasoline; const told = [g.getContext(), g.annotate('a', {n: 1}), g.annotate('', 1), g.annotate('k'.repeat(101), 1),
          g.annotate(7, 1), g.annotate('big', 'x'.repeat(5000)), g.annotate('none'), g.getContext(), g.removeAnnotation('a'), g.removeAnnotation('a')];
          g.clearAnnotations(); told.push(g.getContext());
          for (let i = 0; i < 50; i++) g.annotate('k' + i, i);
          told.push(g.annotate('one more', 1), g.annotate('k0', 'changed'), Object.keys(g.getContext()).length); return told }"""
    )

    kept = {"a": {"n": 1}, "big": "[Value too large]"}
    assert answers == [
        None,
        True,
        False,
        False,
        False,
        False,
        True,
        kept | {"none": None},
        True,
        False,
        None,
        False,
        True,
        50,
    ]


def test_actions_are_remembered_up_to_fifty(capture: Capture) -> None:
    captured = capture("<button id=go>Go</button>")

    first, count, after = captured.run(
        """() => { for (let i = 0; i < 60; i++) __gasoline.recordAction('click', go, {text: String(i)});
          const all = __gasoline.getActions(); __gasoline.clearActions(); return [all[0], all.length, __gasoline.getEnhancedActions()] }"""
    )

    assert (first["text"], first["selectors"]["id"], first["target"]) == ("10", "go", "button#go")
    assert (count, after) == (50, [])
    assert len(captured.actions()) == 60


def test_an_entry_can_be_enriched(capture: Capture) -> None:
    entry = capture().run(
        """async () => { __gasoline.annotate('a', 1);
          return JSON.parse(JSON.stringify(await __gasoline.enrichError({level: 'error', message: 'm'}))) }"""
    )

    assert entry == {
        "level": "error",
        "message": "m",
        "_enrichments": ["context"],
        "_context": {"a": 1},
    }


def test_marks_measures_and_the_waterfall_can_be_read_and_switched_off(capture: Capture) -> None:
    captured = capture("<img src='/sized?bytes=10&status=200&type=image/png'>")

    marks, measures, urls, off = captured.run(
        """() => { performance.mark('a'); performance.mark('b'); performance.measure('c', 'a', 'b'); const g = __gasoline;
          const told = [g.getMarks({limit: 1}).map(m => [m.name, m.duration]), g.getMeasures().map(m => m.name), g.getNetworkWaterfall().map(r => r.initiatorType)];
          g.setPerformanceMarks(false); g.setNetworkWaterfall(false); told.push([g.getMarks(), g.getMeasures(), g.getNetworkWaterfall()]); return told }"""
    )

    assert (marks, measures, urls, off) == ([["b", 0]], ["c"], ["img"], [[], [], []])


def test_selectors_of_nothing_are_none(capture: Capture) -> None:
    assert capture().run("[__gasoline.getSelectors(null), __gasoline.getSelectors('x')]") == [
        None,
        None,
    ]


SCRIPT = """import {test} from '@playwright/test';

test('reproduction: it\\'s broken', async ({page}) => {
  await page.goto('http://127.0.0.1:3000/login');
  await page.getByTestId('mail').fill('a@example.com');
  await page.getByRole('textbox', {name: 'Pass'}).fill('[user-provided]');
  await page.getByLabel('Size').selectOption('xl');
  // [3s pause]
  await page.getByText('Go').click();
  await page.locator('#go').click();
  await page.locator('form > b').click();
  await page.keyboard.press('Enter');
  await page.waitForURL('/home');
  // scrolled to y=640
  // submit: page.locator('form')
  // click: nothing to point at
});
"""


def test_recorded_actions_become_a_script(lab: Page) -> None:
    script = lab.evaluate(
        """() => { const url = 'http://localhost:5173/login'; const everything = {testId: 'mail', role: {role: 'x', name: 'y'}, ariaLabel: 'z', text: 't', id: 'i', cssPath: 'c'};
          return lab.writeScript([
            {type: 'input', url, timestamp: 0, selectors: everything, value: 'a@example.com'},
            {type: 'input', url, timestamp: 1, selectors: {role: {role: 'textbox', name: 'Pass'}, ariaLabel: 'z'}, inputType: 'password', value: '[redacted]'},
            {type: 'select', url, timestamp: 2, selectors: {ariaLabel: 'Size', text: 't'}, selectedValue: 'xl'},
            {type: 'click', url, timestamp: 3002, selectors: {text: 'Go', id: 'go'}},
            {type: 'click', url, timestamp: 3003, selectors: {id: 'go', cssPath: 'form > b'}},
            {type: 'click', url, timestamp: 3004, selectors: {cssPath: 'form > b'}},
            {type: 'keypress', url, timestamp: 3005, key: 'Enter'}, {type: 'navigate', url, timestamp: 3006, toUrl: '/home'},
            {type: 'scroll', url, timestamp: 3007, scrollY: 640}, {type: 'submit', url, timestamp: 3008, selectors: {cssPath: 'form'}},
            {type: 'click', url, timestamp: 3009}], {errorMessage: "it's broken", baseUrl: 'http://127.0.0.1:3000'}) }"""
    )

    assert script == SCRIPT


def test_a_script_is_valid_whatever_the_page_says(capture: Capture, tmp_path: Path) -> None:
    captured = capture("<button aria-label=\"it's `${1}` \\ \n '); x\">x</button>")
    captured.page.click("button")

    script = captured.run(
        "__gasoline.generateScript(undefined, {errorMessage: '\\u2028\\n*/ \\\\'})"
    )

    file = tmp_path / "made.mjs"
    file.write_text(script)
    checked = subprocess.run(["node", "--check", file], capture_output=True, check=False, cwd=ROOT)  # noqa: S607  # node is found as the user has it
    assert checked.returncode == 0, checked.stderr


def test_no_actions_make_a_script_that_only_opens_the_page(capture: Capture) -> None:
    captured = capture()

    assert f"await page.goto('{captured.page.url}');\n}});" in captured.run(
        "__gasoline.generateScript()"
    )
