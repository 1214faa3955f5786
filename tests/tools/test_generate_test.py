"""A regression test from what the user did and what the page did in turn."""

import ast
import json
from typing import Any

import pytest

from gasoline.store import Limits
from gasoline.store.limits import RingLimit
from tests.builders import ingest, store
from tests.sessions import Session, heading, login, tagged
from tests.tools.asking import ask, call

NAME = "generate_test"


def text_of(session: Session, **arguments: Any) -> str:
    answer = call(session.into.store, NAME, **arguments)
    assert not answer.is_error, answer.text
    return answer.text


def later(session: Session, **assertions: bool) -> str:
    script: str = ask(session.into.store, NAME, assertions=assertions)["test_script"]
    return script


def test_the_earlier_style_answers_the_script_itself() -> None:
    text = text_of(login(), test_name="login flow")

    assert (
        text[text.index("import") :]
        == """\
import { test, expect } from '@playwright/test';

test('login flow', async ({ page }) => {
  // Collect console errors
  const consoleErrors = [];
  page.on('console', msg => {
    if (msg.type() === 'error') consoleErrors.push(msg.text());
  });
  page.on('pageerror', error => consoleErrors.push(error.message));

  const configResponse = page.waitForResponse(r => new URL(r.url()).pathname === '/api/config' && r.request().method() === 'GET');
  await page.goto('http://app/login');

  // Assert: GET /api/config answers 200 (confidence: high)
  const configResp = await configResponse;
  expect(configResp.status()).toBe(200);
  await configResp.finished();

  // Fill "email"
  await page.getByTestId('email').fill('sam@example.com');

  // Fill "password"
  await page.getByTestId('password').fill(process.env.GASOLINE_PASSWORD ?? '[user-provided]');

  // Click "Log in" button
  const loginResponse = page.waitForResponse(r => new URL(r.url()).pathname === '/api/login' && r.request().method() === 'POST');
  const homeResponse = page.waitForResponse(r => new URL(r.url()).pathname === '/api/home' && r.request().method() === 'GET');
  await page.getByRole('button', { name: 'Log in' }).click();

  // Assert: POST /api/login answers 200 (confidence: high)
  const loginResp = await loginResponse;
  expect(loginResp.status()).toBe(200);
  await loginResp.finished();

  // Assert: GET /api/home answers 200 (confidence: high)
  const homeResp = await homeResponse;
  expect(homeResp.status()).toBe(200);
  await homeResp.finished();

  await expect(page).toHaveURL(/\\/home(?:[?#]|$)/);

  // Let the page finish what it began
  await page.waitForLoadState();
  await page.evaluate(() => new Promise(done => requestIdleCallback(() => done(null), { timeout: 1000 })));
  // Assert: no console errors during the flow (confidence: high)
  expect(consoleErrors).toHaveLength(0);
});
"""
    )


def test_the_header_says_what_it_was_made_from() -> None:
    assert text_of(login()).splitlines()[:3] == [
        "// Recorded by Gasoline at 2026-03-01T12:00:00.000Z: actions 4, requests 3, duration 1.3 s",
        "// Page: http://app/login",
        "// Capture: complete",
    ]


def test_the_later_style_answers_json_with_counts() -> None:
    answer = ask(login().into.store, NAME, assertions={})

    assert {
        key: answer[key] for key in ("summary", "test_name", "action_count", "assertion_count")
    } == {
        "summary": "A test of 4 actions with 16 assertions.",
        "test_name": "/login flow",
        "action_count": 4,
        "assertion_count": 16,
    }


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({"assert_network": False}, "waitForResponse"),
        ({"assert_no_errors": False}, "consoleErrors"),
        ({}, "toHaveProperty"),
        ({}, "toHaveScreenshot"),
        ({"assertions": {"network": False}}, "waitForResponse"),
        ({"assertions": {"no_errors": False}}, "consoleErrors"),
        ({"assertions": {"response_shape": False}}, "objectContaining"),
        ({"assertions": {"dom_state": False}}, "toBeVisible"),
        ({"assertions": {}, "assert_network": False}, "waitForResponse"),
    ],
)
def test_what_is_not_asked_for_is_not_checked(arguments: dict[str, Any], word: str) -> None:
    assert word not in text_of(login(), **arguments)


def test_shapes_of_the_earlier_style_name_every_property() -> None:
    text = text_of(login(), assert_response_shape=True)

    for line in (
        "const loginBody = await loginResp.json();",
        "expect(loginBody).toHaveProperty('token');",
        "expect(loginBody).toHaveProperty('user');",
        "expect(loginBody.user).toHaveProperty('id');",
        "expect(Array.isArray(loginBody.roles)).toBe(true);",
        "expect(loginBody.roles[0]).toHaveProperty('id');",
    ):
        assert line in text


def test_shapes_of_the_later_style_say_types_too() -> None:
    assert """\
  expect(loginBody).toEqual(expect.objectContaining({
    token: expect.any(String),
    user: expect.objectContaining({
      id: expect.any(Number),
      name: expect.any(String),
    }),
    roles: expect.arrayContaining([expect.objectContaining({
      id: expect.any(Number),
    })]),
  }));
""" in later(login())


def test_no_value_of_an_answer_and_no_request_body_is_in_the_test() -> None:
    text = later(login())

    assert "abc" not in text
    assert '"Bob"' not in text


def test_shapes_are_expected_of_json_only() -> None:
    session = Session().click(0).ask(0.1, "/page", contentType="text/html", responseBody="{}")

    assert "json()" not in text_of(session, assert_response_shape=True)


def test_what_the_page_showed_is_expected_with_how_sure_that_is() -> None:
    text = later(login())

    assert (
        "await expect(page.getByRole('heading', { name: 'Home', exact: true, level: 1 })).toBeVisible(); // confidence: high"
        in text
    )
    assert (
        "await expect(page.getByTestId('greeting')).toHaveText('Hello Bob'); // confidence: high"
        in text
    )
    assert "await expect(page.getByTestId('clock')).toBeVisible(); // confidence: low" in text


def test_a_number_in_a_heading_may_change_unless_it_tells_headings_apart() -> None:
    session = Session().show(0, heading("Step 1"), heading("Step 2"), heading("3 left")).click(1)

    assert [line for line in later(session).split("\n") if "toBeVisible" in line] == [
        "  await expect(page.getByRole('heading', { name: 'Step 1', exact: true, level: 1 })).toBeVisible(); // confidence: high",
        "  await expect(page.getByRole('heading', { name: 'Step 2', exact: true, level: 1 })).toBeVisible(); // confidence: high",
    ]
    assert r"{ name: /^\d+ left$/, level: 1 }" in later(
        Session().show(0, heading("3 left")).click(1)
    )


@pytest.mark.parametrize(("shown", "place"), [(59, ""), (60, ".first()")])
def test_of_a_page_that_shows_more_than_is_captured_the_first_of_each_counts(
    shown: int, place: str
) -> None:
    elements = [heading("Home"), tagged("greeting", "Hello"), *[tagged("row", "")] * (shown - 2)]

    text = later(Session().show(0, *elements).click(1))

    assert f"level: 1 }}){place}).toBeVisible()" in text
    assert f"expect(page.getByTestId('greeting'){place}).toHaveText('Hello')" in text


@pytest.mark.parametrize(
    ("second", "action_id", "reloads"),
    [(2, "act_2_1", 1), (2, "act_2_2", 0), (0.9, "act_2_1", 0)],
)
def test_a_page_that_starts_again_long_after_a_click_was_reloaded(
    second: float, action_id: str, reloads: int
) -> None:
    session = Session().ask(-1, "/api/start", method="GET").click(0, actionId="act_1_1")
    session.ask(second, "/api/start", method="GET").click(3, actionId=action_id)

    text = text_of(session)

    assert text.count("await page.reload();") == reloads
    assert text.count("const start2Response") == 1
    assert ("// Reload the page\n  const start2Response" in text) == bool(reloads)


def test_what_only_passes_by_is_not_expected() -> None:
    session = Session().show(0, heading("Loading…"), tagged("spinner", "")).click(1)

    assert "toBeVisible" not in later(session)


def test_errors_of_the_session_are_known_and_switch_the_check_off() -> None:
    text = text_of(login().say(2, "No\nsidebar").say(3, "Worse"))

    assert (
        """\
  // Known errors during captured session:
  // - "No sidebar"
  // - "Worse"
  // expect(consoleErrors).toHaveLength(0); // DISABLED: errors present in captured session
"""
        in text
    )
    assert "\n  expect(consoleErrors)" not in text


def test_a_request_that_failed_is_a_known_error_too() -> None:
    text = text_of(login().ask(2, "/api/x", status=404))

    assert "DISABLED" in text
    assert "expect(xResp.status()).toBe(404);" in text


def test_the_same_request_several_times_is_waited_for_once() -> None:
    session = Session().click(0).ask(0.1, "/api/find").ask(0.2, "/api/find").ask(0.3, "/api/find")

    assert text_of(session).count("waitForResponse") == 1


def test_a_retry_is_told_from_the_failure_before_it_by_its_status() -> None:
    session = Session().click(0).ask(0.1, "/api/pay", status=503).ask(0.2, "/api/pay")

    assert "&& r.status() === 200" in text_of(session)


def test_requests_to_one_address_are_told_apart_by_their_operation() -> None:
    session = Session().click(0)
    for operation in ("Reviews", "Prices"):
        body = json.dumps({"operationName": operation, "query": f"query {operation} {{ a }}"})
        session.ask(0.1, "/graphql", requestBody=body)

    text = text_of(session)

    assert "(r.request().postData() ?? '').includes('Reviews')" in text
    assert "const pricesResponse" in text


def test_an_id_that_the_session_itself_made_may_be_another_one() -> None:
    session = Session().click(0).ask(0.1, "/api/orders", responseBody='{"number":"HL-7"}')
    session.ask(0.2, "/api/orders/HL-7", method="GET").go(0.3, "/orders/HL-7")

    text = text_of(session)

    assert r"/^\/api\/orders\/[^/?#]+$/.test(new URL(r.url()).pathname)" in text
    assert r"toHaveURL(/\/orders\/[^/?#]+(?:[?#]|$)/)" in text


def test_what_a_timer_asks_for_and_what_analytics_send_is_not_expected() -> None:
    session = Session().click(0)
    for second in range(1, 6):
        session.ask(second, "/api/poll", method="GET")
    session.ask(1, "/analytics/collect")

    assert "waitForResponse" not in text_of(session)


def test_requests_without_an_answer_and_of_blobs_are_not_expected() -> None:
    session = Session().click(0).ask(0.1, "/api/x", status=0).ask(0.2, "/y", url="blob:http://a/1")

    assert "waitForResponse" not in text_of(session)


def test_relative_addresses_are_understood() -> None:
    session = Session().click(0).ask(0.1, "", url="/api/login")

    assert "pathname === '/api/login'" in text_of(session)


def test_a_field_is_left_where_the_page_listens_to_that() -> None:
    session = Session().fill(0, "4", "quantity").ask(2.9, "/api/cart").click(3)

    assert "await page.getByTestId('quantity').blur();" in text_of(session)


def test_base_url_replaces_every_origin() -> None:
    assert "http://app" not in text_of(login(), base_url="http://localhost:9").split("import", 1)[1]


def test_a_long_pause_waits_for_the_network_in_the_later_style() -> None:
    session = Session().click(0).click(3)

    assert "await page.waitForLoadState('networkidle');" in later(session)
    assert "networkidle" not in text_of(session)


def test_pictures_are_compared_with_what_changes_masked() -> None:
    session = login()

    text = text_of(session, assert_visual=True)
    bare = text_of(session, assert_visual=True, mask_dynamic=False)

    assert (
        "toHaveScreenshot('login-loaded.png', { maxDiffPixels: 100, mask: [page.getByTestId('clock')] })"
        in text
    )
    assert "toHaveScreenshot('home-loaded.png'" in text
    assert "mask" not in bare


def test_pytest_is_python_and_checks_the_same() -> None:
    script = ask(login().into.store, NAME, format="pytest", assertions={}, fixtures=True)

    ast.parse(script["test_script"])
    ast.parse(script["fixture_file"])
    assert "from login_flow_fixtures import mock_api" in script["test_script"]
    assert "assert login_response.value.status == 200" in script["test_script"]
    assert "assert console_errors == []" in script["test_script"]


def test_route_mocks_are_keyed_by_method_and_path_and_hold_no_secret() -> None:
    answer = ask(login().into.store, NAME, fixtures=True)

    assert answer["fixture_name"] == "login_flow.fixtures.ts"
    assert "'POST /api/login': { status: 200, body: {" in answer["fixture_file"]
    assert "token: 'mock-token-value'" in answer["fixture_file"]
    assert "import { mockApi } from './login_flow.fixtures';" in answer["test_script"]
    assert "await mockApi(page);" in answer["test_script"]


def test_of_several_answers_the_last_is_mocked() -> None:
    session = Session().click(0).ask(0.1, "/api/n", responseBody='{"n":1}')
    session.ask(0.2, "/api/n", responseBody='{"n":2}')

    assert "body: { n: 2 }" in ask(session.into.store, NAME, fixtures=True)["fixture_file"]


def test_lists_are_trimmed_but_for_what_the_user_touched() -> None:
    items = [{"id": n, "name": f"Product {n}"} for n in range(9)]
    session = Session().ask(-1, "/api/items", method="GET", responseBody=json.dumps(items))
    session.click(0, "Product 7")

    mocks = ask(session.into.store, NAME, fixtures=True)["fixture_file"]

    assert [n for n in range(9) if f"Product {n}" in mocks] == [0, 1, 2, 7]


def test_large_answers_are_one_example_and_a_number() -> None:
    items = [{"id": n, "name": "x" * 40} for n in range(250)]
    session = Session().click(0).ask(0.1, "/api/items", responseBody=json.dumps({"items": items}))

    mocks = ask(session.into.store, NAME, fixtures=True)["fixture_file"]

    assert "Array.from({ length: 250 }, () => (" in mocks


def test_set_up_signs_in_first_and_carries_the_token() -> None:
    session = login()
    body = '{"name":"Mug","created_at":"2026-01-01","owner":"a@b.example"}'
    session.ask(1.5, "/api/items", requestBody=body, hasAuthHeader=True, responseBody="{}")

    answer = ask(session.into.store, NAME, include_fixtures=True)
    script = answer["test_script"]

    assert script.index("// Sign in") < script.index("// Set up items")
    assert "const token = (await login.json()).token;" in script
    assert "headers: { Authorization: `Bearer ${token}` }" in script
    assert "data: { name: 'Mug', owner: 'test@example.com' }" in script
    assert [entry["classification"] for entry in answer["fixture_entries"]] == ["setup"] * 4


def test_a_token_that_no_call_needs_is_not_kept_and_a_hidden_value_is_told_in_words() -> None:
    answer = ask(login().into.store, NAME, include_fixtures=True)

    assert "// Sign in" in answer["test_script"]
    assert "token" not in answer["test_script"]
    assert answer["fixture_entries"][1]["request"] == {
        "email": "test@example.com",
        "password": "[user-provided]",
    }


def test_set_up_ends_where_the_bug_or_the_steps_begin() -> None:
    session = Session().click(0).ask(0.1, "/api/a").say(0.5, "boom")
    session.click(1).ask(1.1, "/api/b")

    entries = ask(session.into.store, NAME, include_fixtures=True)["fixture_entries"]

    assert [entry["classification"] for entry in entries] == ["setup", "action"]


def test_graphql_is_set_up_with_its_query() -> None:
    body = json.dumps({"operationName": "Add", "query": "mutation Add { add }", "variables": {}})
    session = Session().click(0).ask(0.1, "/graphql", requestBody=body, responseBody="{}")

    assert "query: 'mutation Add { add }'" in text_of(session, include_fixtures=True)


def test_requests_that_were_no_longer_kept_are_said_to_be_missing() -> None:
    limits = Limits(network_bodies=RingLimit(1, 10_000_000))
    session = Session()
    session.into = ingest(store(limits))
    session.click(0).ask(0.1, "/api/a").ask(0.2, "/api/b")

    assert "1 older requests were no longer kept" in text_of(session)


def test_url_filter_chooses_the_part_of_the_session() -> None:
    session = Session("http://app/a").click(0, "First")
    session.url = "http://app/b"
    session.click(1, "Second")

    text = text_of(session, url_filter="/b")

    assert "First" not in text
    assert "page.goto('http://app/b')" in text


@pytest.mark.parametrize("arguments", [{}, {"assertions": {}}, {"fixtures": True}])
def test_no_actions_is_an_answer_that_says_so(arguments: dict[str, Any]) -> None:
    answer = ask(ingest().store, NAME, **arguments)

    assert answer["summary"].startswith("No user actions captured")


def test_fifty_actions_with_a_hundred_requests_stay_within_the_limit() -> None:
    session = Session()
    for number in range(50):
        session.click(number, f"Button {number}")
        session.ask(number + 0.1, f"/api/{number}/a").ask(number + 0.2, f"/api/{number}/b")

    text = text_of(session, inline=True)

    assert len(text.encode()) < 100 * 1024
    assert text.count("waitForResponse(") == 100


def test_a_wrong_assertion_is_named() -> None:
    answer = call(login().into.store, NAME, assertions={"speed": True})

    assert answer.is_error
    assert answer.text.startswith("assertions: ")


@pytest.mark.parametrize(("kind", "times"), [("application/json", 1), ("text/event-stream", 0)])
def test_nobody_waits_for_the_end_of_a_stream(kind: str, times: int) -> None:
    session = Session().click(0).ask(0.1, "/api/feed", method="GET", contentType=kind)

    assert text_of(session).count(".finished()") == times


def test_the_earlier_style_watches_neither_budgets_nor_privacy_unless_asked() -> None:
    plain, asked = text_of(login()), text_of(login(), assert_budgets=True, assert_privacy=True)

    for watch in ("watchBudgets(page)", "watchSecrets(page)", "newPersonalFields(homeBody)"):
        assert watch not in plain
        assert watch in asked


def test_the_later_style_can_do_without_them() -> None:
    assert "function" not in later(login(), budgets=False, privacy=False)


def test_personal_data_that_was_there_may_be_there_again() -> None:
    session = Session().click(0).ask(0.1, "/api/me", responseBody='{"email":"sam@example.com"}')

    assert "newPersonalFields(meBody, 'email')" in later(session)


def test_where_requests_are_no_longer_kept_nobody_knows_which_secrets_were_in_addresses() -> None:
    session = Session()
    session.into = ingest(store(Limits(network_bodies=RingLimit(1, 10_000_000))))
    session.click(0).ask(0.1, "/api/a", duration=5).ask(0.2, "/api/b", duration=5)

    assert "watchSecrets" not in later(session)
    assert "watchBudgets" in later(session)


def test_two_clicks_that_make_a_double_one_are_one_step() -> None:
    row = {"role": {"role": "row", "name": "Row"}, "cssPath": "tr"}
    session = Session().click(0, selectors=row).click(0.3, selectors=row).ask(0.4, "/api/edit")

    text = text_of(session)

    assert "// Double-click" in text
    assert text.count("getByRole('row', { name: 'Row' })") == 1
    assert "{ name: 'Row' }).dblclick();" in text


def test_two_clicks_with_time_between_them_are_two() -> None:
    text = text_of(Session().click(0, "Row").click(0.301, "Row"))

    assert text.count("{ name: 'Row' }).click();") == 2


def test_a_click_on_an_option_that_was_chosen_is_not_done_again() -> None:
    session = Session().act(0, "select", selectors={"cssPath": "#tags"}, selectedValue="a")
    session.act(0.1, "click", selectors={"cssPath": "#tags > option:nth-child(3)"})

    assert "click()" not in text_of(session)
