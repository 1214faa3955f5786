import pytest
from hypothesis import HealthCheck, given, settings
from playwright.sync_api import Page

from gasoline.redaction import redact_text
from tests.redaction.strategies import secret_texts

HIDDEN = "[redacted:password:***]"

# Text, and what a page makes of it.
TEXTS = [
    ('{"password":"hunter2"}', f'{{"password":"{HIDDEN}"}}'),
    ("{'newPassword' : 'hunter2'}", f"{{'newPassword' : '{HIDDEN}'}}"),
    (r'"{\"password\":\"hunter2\"}"', rf'"{{\"password\":\"{HIDDEN}\"}}"'),
    ('{"note":"password=hunter2"}', f'{{"note":"password={HIDDEN}"}}'),
    ('{"password_confirmation":"hunter2"}', f'{{"password_confirmation":"{HIDDEN}"}}'),
    ('{"password":"hunter2","pin":1234}', f'{{"password":"{HIDDEN}","pin":"[redacted:pin:number]"}}'),
    ('{"secret":true,"a":1}', '{"secret":"[redacted:secret:boolean]","a":1}'),
    ("/pay?card_number=4242&pwd=hunter2#x", f"/pay?card_number=[redacted:card-number:***]&pwd={HIDDEN}#x"),
    ("config.password: hunter2", f"config.password: {HIDDEN}"),
    ("Authorization: Bearer abcdefghijklmnop", "Authorization: [redacted:authorization:***] abcdefghijklmnop"),
]  # fmt: skip
UNTOUCHED = [
    '{"postcode":"1234","shipping":"Harbour Lane","token":"a"}',
    # Only a whole name counts.
    '{"shopping.pin":1234,"spin":1234}',
    '{"password":null,"pin":"***"}',
    "pass the card to sessionid",
    # Marks, also of kinds that only the server knows.
    f"password={HIDDEN}",
    "[redacted:aws-secret-access-key:AKIAIO...PLE] [redacted:password:***]",
]


@pytest.mark.parametrize(("text", "redacted"), [*TEXTS, *((text, text) for text in UNTOUCHED)])
def test_a_page_says_no_secrets(lab: Page, text: str, redacted: str) -> None:
    assert lab.evaluate("text => lab.redactText(text)", text) == redacted


@pytest.mark.parametrize("text", [text for text, _ in TEXTS])
def test_the_server_finds_nothing_more_of_it_to_hide(lab: Page, text: str) -> None:
    said = lab.evaluate("text => lab.redactText(text)", text)

    assert redact_text(said) == said


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=secret_texts)
def test_what_was_redacted_stays_as_it_is(lab: Page, text: str) -> None:
    said = lab.evaluate("text => lab.redactText(text)", text)

    assert lab.evaluate("text => lab.redactText(text)", said) == said


@pytest.mark.parametrize("text", ["a" * 200_000, 'a"' * 100_000, "password" + "\\" * 200_000])
def test_a_long_text_takes_no_longer_than_it_is_long(lab: Page, text: str) -> None:
    assert lab.evaluate("text => lab.redactText(text + ' password').length", text) == len(text) + 9
