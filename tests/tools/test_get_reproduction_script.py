"""A script that does again what the user did."""

import ast
import re
from typing import Any

import pytest

from tests.builders import NOON_MS, ingest, send_actions
from tests.sessions import Session, login
from tests.tools.asking import ask, call

NAME = "get_reproduction_script"


def script_of(session: Session, **arguments: Any) -> str:
    script: str = ask(session.into.store, NAME, **arguments)["script"]
    return script


def body_of(script: str) -> str:
    return script[script.index("test(") :]


def test_a_session_becomes_a_complete_test_file() -> None:
    session = login().say(2, "Cannot read 'user'", filename="http://app/a.js", lineno=42)

    answer = ask(session.into.store, NAME)

    assert (
        body_of(answer["script"])
        == """\
test('reproduction: Cannot read \\'user\\'', async ({ page }) => {
  await page.goto('http://app/login');

  // Fill "email"
  await page.getByTestId('email').fill('sam@example.com');

  // Fill "password"
  await page.getByTestId('password').fill(process.env.GASOLINE_PASSWORD ?? '[user-provided]');

  // Click "Log in" button
  await page.getByRole('button', { name: 'Log in' }).click();

  await page.waitForURL(/\\/home(?:[?#]|$)/);
  await expect(page).toHaveURL(/\\/home(?:[?#]|$)/);

  // Assert: the page shows
  await expect(page.getByRole('heading', { name: 'Home', exact: true, level: 1 })).toBeVisible(); // confidence: high

  // Error occurred here: Cannot read 'user'
});
"""
    )
    assert answer["actions_used"] == 4
    assert answer["error_context"] == {
        "message": "Cannot read 'user'",
        "file": "http://app/a.js",
        "line": 42,
    }
    assert answer["selectors_used"] == ["testId", "role"]
    (warning,) = answer["warnings"]
    assert warning == (
        "Password field value redacted — replace '[user-provided]' with test credentials, "
        "or set GASOLINE_PASSWORD"
    )


def test_the_error_is_named_in_the_original_source_where_that_is_known() -> None:
    snippet = {"file": "src/Login.tsx", "line": 7, "column": 1, "snippet": []}
    session = login().say(2, "boom", _aiContext={"summary": "", "sourceSnippets": [snippet]})

    assert ask(session.into.store, NAME)["error_context"]["file"] == "src/Login.tsx"


def test_without_assertions_it_only_waits() -> None:
    script = script_of(login(), include_assertions=False)

    assert "waitForURL" in script
    assert "toHaveURL" not in script


def test_without_an_error_the_title_says_what_it_is() -> None:
    script = script_of(login())

    assert "test('reproduction: captured user actions'" in script
    assert "Error occurred here" not in script


def test_cypress_has_its_own_words() -> None:
    script = script_of(login(), format="cypress")

    assert script.splitlines()[3:] == [
        '/// <reference types="cypress" />',
        "",
        "it('reproduction: captured user actions', () => {",
        "  cy.visit('http://app/login');",
        "",
        '  // Fill "email"',
        "  cy.get('[data-testid=\"email\"]').clear().type('sam@example.com', { parseSpecialCharSequences: false });",
        "",
        '  // Fill "password"',
        "  cy.get('[data-testid=\"password\"]').clear().type(Cypress.env('GASOLINE_PASSWORD') ?? '[user-provided]', { parseSpecialCharSequences: false });",
        "",
        '  // Click "Log in" button',
        "  cy.contains('button, [role=button], input[type=submit]', /Log in/).click();",
        "",
        "  cy.url().should('match', /\\/home(?:[?#]|$)/);",
        "",
        "  cy.contains('h1, h2, h3, h4, h5, h6, [role=heading]', /^\\s*Home\\s*$/).should('be.visible');",
        "});",
    ]  # fmt: skip


def test_pytest_is_python() -> None:
    script = script_of(login(), format="pytest")

    ast.parse(script)
    assert "def test_reproduction_captured_user_actions(page: Page) -> None:" in script
    assert 'page.get_by_test_id("email").fill("sam@example.com")' in script


def test_an_unknown_format_is_refused_with_the_known_ones() -> None:
    answer = call(login().into.store, NAME, format="selenium")

    assert answer.is_error
    assert answer.text.startswith("format: ")


def test_base_url_replaces_the_origin() -> None:
    assert "page.goto('http://localhost:9/login')" in script_of(
        login(), base_url="http://localhost:9/"
    )


def test_only_the_last_actions_are_used() -> None:
    answer = ask(login().into.store, NAME, last_n_actions=2)

    assert "fill(" not in answer["script"]
    assert answer["actions_used"] == 1


@pytest.mark.parametrize(
    ("kind", "fields", "expected"),
    [
        ("keypress", {"key": "Enter"}, "await page.getByTestId('x').press('Enter');"),
        ("keypress", {"key": "Escape"}, "await page.keyboard.press('Escape');"),
        ("select", {"selectedValue": "xl"}, "await page.getByTestId('x').selectOption('xl');"),
        ("select", {"selectedValue": "a", "choices": ["a", "B"]}, "selectOption(['a', 'B']);"),
        ("select", {"selectedValue": "a", "choices": ["B"]}, "selectOption('B');"),
        ("select", {"selectedValue": "a", "choices": [2]}, "selectOption({ index: 2 });"),
        ("select", {"selectedValue": "a", "choices": [0, 2]}, "selectOption([{ index: 0 }, { index: 2 }]);"),
        ("select", {"selectedValue": "", "choices": []}, "selectOption([]);"),
        ("scroll", {"scrollY": 320}, "// User scrolled to y=320"),
        ("input", {"value": "[redacted]"}, "fill(process.env.GASOLINE_X ?? '[user-provided]')"),
        ("input", {"inputType": "file", "value": "a.png"}, "setInputFiles([{ name: 'a.png', mimeType: 'image/png',"),
        ("drag", {"drop": {"testId": "y"}}, "page.getByTestId('x').dragTo(page.getByTestId('y'))"),
        ("click", {"frame": "iframe"}, "page.frameLocator('iframe').getByTestId('x').click()"),
        ("submit", {}, "page.getByTestId('x').locator('button[type=submit],"),
    ],
)  # fmt: skip
def test_every_kind_of_action_has_its_line(
    kind: str, fields: dict[str, Any], expected: str
) -> None:
    session = Session().act(0, kind, selectors={"testId": "x"}, **fields)

    assert expected in script_of(session)


@pytest.mark.parametrize(
    ("choices", "python", "cypress", "told"),
    [
        (["a", "B"], 'select_option(["a", "B"])', ".select(['a', 'B'])", 'Select "a", "B" in "x"'),
        ([2], "select_option(index=2)", ".select(2)", 'Select "A" in "x"'),
        ([0, 2], "select_option(index=[0, 2])", ".select([0, 2])", 'Select 2 options in "x"'),
        ([], "select_option([])", ".select([])", 'Select 0 options in "x"'),
    ],
)
def test_all_that_was_chosen_is_chosen_in_every_language(
    choices: list[str | int], python: str, cypress: str, told: str
) -> None:
    chosen = {"selectedValue": "a", "selectedText": "A", "choices": choices}
    session = Session().act(0, "select", selectors={"testId": "x"}, **chosen)

    assert python in script_of(session, format="pytest")
    assert cypress in script_of(session, format="cypress")
    assert told in script_of(session)


def test_enter_goes_to_the_field_that_was_filled() -> None:
    session = Session()
    where = {"testId": "q", "cssPath": "#q"}
    session.act(0, "input", selectors=where, value="mug")
    session.act(0.5, "keypress", selectors=where, key="Enter")

    assert "page.keyboard.press('Enter')" in script_of(session)


def test_a_form_sent_by_a_click_is_not_sent_twice() -> None:
    assert script_of(login()).count(".click()") == 1


@pytest.mark.parametrize(("seconds", "pause"), [(2.0, None), (2.3, "// [2.3s pause]")])
def test_a_pause_is_a_comment_and_never_a_sleep(seconds: float, pause: str | None) -> None:
    script = script_of(Session().click(0).click(seconds))

    assert ("pause]" in script) is (pause is not None)
    assert pause is None or pause in script
    assert "waitForTimeout" not in script


def test_dialogs_are_answered_as_they_were() -> None:
    session = Session().click(0).act(0.1, "dialog", value="dismiss", text="Sure?")

    assert "const dialogAnswers = ['dismiss'];" in script_of(session)


def test_tokens_in_addresses_are_left_out_with_a_warning() -> None:
    session = Session("http://app/cb?code=abc&page=2&access_token=xyz").click(0)

    answer = ask(session.into.store, NAME)

    assert "page.goto('http://app/cb?page=2')" in answer["script"]
    assert "abc" not in answer["script"]
    assert "Secrets removed from the address" in answer["warnings"][0]


def test_a_page_that_no_script_can_open_is_said_to_be_one() -> None:
    answer = ask(Session("blob:http://app/1-2-3").click(0).into.store, NAME)

    assert "page.goto" not in answer["script"]
    assert "cannot be opened" in answer["warnings"][0]


@pytest.mark.parametrize(
    ("selectors", "language", "expected"),
    [
        ({}, "playwright", "await page.evaluate(() => scrollTo(0, 320));"),
        ({}, "pytest", 'page.evaluate("() => scrollTo(0, 320)")'),
        ({}, "cypress", "cy.scrollTo(0, 320, "),
        ({"testId": "x"}, "playwright", "page.getByTestId('x').evaluate(element => element.scrollTo(0, 320));"),
        ({"testId": "x"}, "pytest", 'page.get_by_test_id("x").evaluate("element => element.scrollTo(0, 320)")'),
        ({"testId": "x"}, "cypress", """.get('[data-testid="x"]').scrollTo(0, 320, """),
    ],
)  # fmt: skip
def test_scrolling_that_made_the_page_ask_for_more_is_repeated(
    selectors: dict[str, str], language: str, expected: str
) -> None:
    session = Session().act(0, "scroll", scrollX=0, scrollY=320, selectors=selectors)

    assert expected not in script_of(session, format=language)
    assert expected in script_of(session.ask(0.1, "/api/more"), format=language)


def test_a_field_without_a_name_is_not_known_by_what_was_typed_into_it() -> None:
    selectors = {"cssPath": "div", "scope": {"css": "div", "text": "Nice", "own": True}}
    session = Session().act(0, "input", selectors=selectors, value="Nice")

    assert "page.locator('div').fill('Nice')" in script_of(session)


@pytest.mark.parametrize(
    ("role", "clicks"),
    [("button", [".click();"] * 3), ("paragraph", [".dblclick();", ".click();"])],
)
def test_rapid_clicks_are_as_many_on_what_is_pressed_and_double_ones_elsewhere(
    role: str, clicks: list[str]
) -> None:
    selectors = {"role": {"role": role, "name": "More"}, "cssPath": "main > *"}
    session = Session()
    for number in range(3):
        session.click(number / 5, selectors=selectors)

    assert re.findall(r"\.(?:dbl)?click\(\);", script_of(session)) == clicks


def test_an_action_without_selectors_is_a_comment_with_a_warning() -> None:
    answer = ask(Session().act(0, "click").into.store, NAME)

    assert ".click()" not in answer["script"]
    assert answer["warnings"] == ["No selector was captured for: click on an element"]


def test_no_actions_is_an_answer_that_says_so() -> None:
    answer = ask(ingest().store, NAME)

    assert answer["summary"] == "No user actions captured, so there is nothing to repeat."
    assert answer["next"] == "Click through the page once, then ask again."


def test_each_tab_has_a_test_of_its_own() -> None:
    session = Session()
    session.click(0, "One", tabId=1).click(1, "Two", tabId=2).click(2, "Three", tabId=1)

    answer = ask(session.into.store, NAME)

    first, second = answer["script"].split("\ntest(")[1:]
    assert ("One" in first, "Two" in first, "Three" in first) == (True, False, True)
    assert "Two" in second
    assert "Actions in 2 tabs: the script has one test for each" in answer["warnings"]


def test_a_page_that_was_loaded_is_waited_for() -> None:
    session = Session("http://app/a").click(0)
    session.url = "http://app/b"
    session.click(1, "Next")

    assert r"await page.waitForURL(/\/b(?:[?#]|$)/);" in script_of(session)


def test_an_address_that_somebody_typed_is_opened() -> None:
    session = Session("http://app/a").click(0)
    session.url = "http://app/b"
    session.click(60, "Next")

    assert "await page.goto('http://app/b');" in script_of(session)


def test_the_back_button_is_pressed_again() -> None:
    session = Session("http://app/a").click(0).go(0.1, "/b").go(3, "/a")

    assert "await page.goBack();" in script_of(session)


def test_fifty_actions_fit() -> None:
    session = Session()
    for number in range(50):
        session.click(number * 0.1, f"Button {number}")

    answer = ask(session.into.store, NAME, inline=True)

    assert answer["actions_used"] == 50
    assert len(answer["script"].encode()) < 50 * 1024


def test_screenshots_are_taken_at_each_step_and_missing_ones_said_to_be() -> None:
    answer = ask(login().into.store, NAME, include_screenshots=True)

    assert "await page.screenshot({ path: 'step-1.png' });" in answer["script"]
    assert "screenshots are off" in answer["screenshots_missing"]


def test_set_up_calls_come_first_without_secrets() -> None:
    script = script_of(login(), include_fixtures=True)

    assert "test.beforeAll(async ({ request }) => {" in script
    assert "email: 'test@example.com'" in script
    assert "password: process.env.GASOLINE_PASSWORD ?? '[user-provided]'" in script


@pytest.mark.parametrize("text", ["it's", '"', "`${x}`", "a\nb", "\\", "🎉 שלום", "*/ */"])
@pytest.mark.parametrize("language", ["playwright", "cypress", "pytest"])
def test_any_text_is_quoted(text: str, language: str) -> None:
    into = ingest()
    selectors = {"role": {"role": "button", "name": text}, "text": text, "testId": text}
    send_actions(
        into,
        {"type": "input", "timestamp": NOON_MS, "url": "http://app/", "selectors": selectors, "value": text},
    )  # fmt: skip

    script = ask(into.store, NAME, format=language)["script"]

    if language == "pytest":
        ast.parse(script)
    assert len(script.splitlines()) < 20


@pytest.mark.parametrize(
    ("field", "variable"),
    [("pw", "GASOLINE_PASSWORD"), ("new-password", "GASOLINE_PASSWORD"), ("card-code", "GASOLINE_CARD_CODE")],
)  # fmt: skip
def test_secrets_of_different_kinds_have_different_variables(field: str, variable: str) -> None:
    session = Session().fill(0, "[redacted]", field, inputType="password")

    assert f"process.env.{variable} ??" in script_of(session)


@pytest.mark.parametrize(("path_chars", "used"), [(700, 50), (2000, 12)])
def test_a_script_that_would_be_too_long_keeps_the_last_actions(path_chars: int, used: int) -> None:
    session = Session()
    for number in range(50):
        session.act(
            number, "click", selectors={"cssPath": f"b{number}" + " > i" * (path_chars // 4)}
        )

    answer = ask(session.into.store, NAME, inline=True)

    assert len(answer["script"].encode()) <= 50 * 1024
    assert answer["actions_used"] == used
    assert any("left out" in warning for warning in answer["warnings"]) is (used < 50)
    assert "b49" in answer["script"]
