import json
from typing import Any

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gasoline.redaction import mark, redact_record, redact_text
from tests.redaction.samples import TOKENS
from tests.redaction.strategies import json_values, secret_texts

PASSWORD = "[redacted:password:***]"
TOKEN = "[redacted:token:***]"
CVV_NUMBER = "[redacted:card-security-code:number]"
HEX_32 = "5d41402abc4b2a76b9719d911017c592"


@pytest.mark.parametrize("key", ["headers", "requestHeaders", "response_headers"])
@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        (
            {"Authorization": "Bearer abc", "Accept": "*/*", "x-api-key": ""},
            {"Authorization": "[REDACTED]", "Accept": "*/*", "x-api-key": ""},
        ),
        (
            {"set-cookie": ["a=1", "b=2"], "cookie": None},
            {"set-cookie": ["[REDACTED]", "[REDACTED]"], "cookie": None},
        ),
        (
            [["COOKIE", "a=1"], ["accept", "text/html"]],
            [["COOKIE", "[REDACTED]"], ["accept", "text/html"]],
        ),
        (
            [{"name": "X-Auth-Token", "value": "abc"}, {"name": "accept", "value": "a"}],
            [{"name": "X-Auth-Token", "value": "[REDACTED]"}, {"name": "accept", "value": "a"}],
        ),
    ],
)
def test_headers_with_credentials_are_hidden(key: str, headers: Any, expected: Any) -> None:
    assert redact_record({"status": 200, key: headers}) == {"status": 200, key: expected}


@pytest.mark.parametrize(
    "action",
    [
        {"inputType": "password"},
        {"input_type": "cc-number"},
        {"inputType": "credit-card"},
        {"type": "password"},
        {"inputType": "text", "autocomplete": "current-password"},
        {"inputType": "text", "autocomplete": "cc-csc"},
        {"inputType": "text", "name": "card_holder"},
        {"selectors": {"id": "new-passwd", "cssPath": "input"}},
        {"selectors": {"testId": "apiToken"}},
        {"selectors": {"id": "pin"}},
    ],
)
def test_what_was_typed_into_a_sensitive_input_is_hidden(action: dict[str, Any]) -> None:
    redacted = redact_record({"type": "input", **action, "value": "4242"})

    assert redacted == {"type": "input", **action, "value": "[redacted]"}


@pytest.mark.parametrize(
    "action",
    [
        {"type": "input", "inputType": "email", "value": "a@example.com"},
        {"type": "input", "inputType": "password", "value": ""},
        {"type": "input", "inputType": "password", "value": "[redacted]"},
        {"type": "click", "selectors": {"testId": "product-card", "text": "Buy"}},
        {"name": "Gift card", "value": "25"},
        {"name": "tokens_used", "value": 12},
    ],
)
def test_other_actions_are_left_alone(action: dict[str, Any]) -> None:
    assert redact_record(action) == action


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({"password": "hunter2"}, {"password": PASSWORD}),
        ({"password": f"{TOKENS['jwt']} password"}, {"password": PASSWORD}),
        ({"user": {"newPassword": "hunter2"}}, {"user": {"newPassword": PASSWORD}}),
        ({"args": [{"pin": 1234}]}, {"args": [{"pin": "[redacted:pin:number]"}]}),
        ({"secret": True}, {"secret": "[redacted:secret:boolean]"}),
        ({"name": "password", "value": "x1"}, {"name": "password", "value": PASSWORD}),
        (
            {"apiKey": "abcdef0123456789stuvwxyz"},
            {"apiKey": "[redacted:api-key:abcdef...xyz]"},
        ),
        (
            {"token": "a8f7d9e0b1c2d3e4f5"},
            {"token": TOKEN},
        ),
        ({"cookie": "theme=dark; sid=1"}, {"cookie": "[redacted:cookie:***]"}),
        ({TOKENS["github-token"]: 1}, {mark("github-token", TOKENS["github-token"]): 1}),
    ],
)
def test_values_under_secret_keys_are_replaced(record: Any, expected: Any) -> None:
    assert redact_record(record) == expected


@pytest.mark.parametrize(
    "record",
    [
        {"password": None},
        {"password": ""},
        {"password": []},
        {"password": {"min_length": 8}},
        {"errors": {"password": ["is too short"]}},
        {"password": "Enter your password"},
        {"password": "[FILTERED]"},
        {"password": "********"},
        {"api_key": "{{ api_key }}"},
        {"access_token": "undefined"},
        {"token": "identifier"},
        {"token": 17},
        {"cookie": "accepted"},
    ],
)
def test_a_secret_key_without_a_secret_is_left_alone(record: Any) -> None:
    assert redact_record(record) == record


def test_two_secret_keys_with_the_same_mark_keep_their_entries() -> None:
    record = {"AKIA" + "A" * 16: 1, "AKIA" + "B" * 16: 2}

    assert redact_record(record) == {
        "[redacted:aws-access-key-id:***]": 1,
        "[redacted:aws-access-key-id:***] (2)": 2,
    }


def test_the_record_that_came_in_is_not_changed() -> None:
    record = {"args": [{"password": "hunter2"}], "headers": {"cookie": "a=1"}}
    before = msgspec.json.encode(record)

    redact_record(record)

    assert msgspec.json.encode(record) == before


def test_unknown_fields_and_their_order_survive() -> None:
    record = {"z": 1.5, "password": "hunter2", "a": {"ü": [None, True, "ok"]}, "m": -0.0}

    redacted = redact_record(record)

    assert list(redacted) == ["z", "password", "a", "m"]
    assert redacted == record | {"password": PASSWORD}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # URLs
        ("/a?access_token=abc&x=1", f"/a?access_token={TOKEN}&x=1"),
        ("https://x/cb#access_token=abc&y=2", f"https://x/cb#access_token={TOKEN}&y=2"),
        ("?token=abcdefgh1", f"?token={TOKEN}"),
        ("/reset?code=Zx81kQ0p&a=b", "/reset?code=[redacted:url-secret:***]&a=b"),
        ("/a;jsessionid=AB12;v=1", "/a;jsessionid=[redacted:session-id:***];v=1"),
        ("see (/a?password=x1)", f"see (/a?password={PASSWORD})"),
        (
            "/go?to=https%3A%2F%2Fx%3Faccess_token%3Dabc%26s%3Dq&z=1",
            f"/go?to=https%3A%2F%2Fx%3Faccess_token%3D{TOKEN}%26s%3Dq&z=1",
        ),
        # forms
        ("password=hunter2&x=1", f"password={PASSWORD}&x=1"),
        ("user%5Bpassword%5D=a%26b&x=1", f"user%5Bpassword%5D={PASSWORD}&x=1"),
        ("user[password]=x", f"user[password]={PASSWORD}"),
        # JSON
        ('{"password":"hunter2","n":1}', f'{{"password":"{PASSWORD}","n":1}}'),
        ('{"a": {"password" : "a\\"b\\\\"}}', f'{{"a": {{"password" : "{PASSWORD}"}}}}'),
        ('{"pin":1234,"ok":1}', '{"pin":"[redacted:pin:number]","ok":1}'),
        ('{"secret": false}', '{"secret": "[redacted:secret:boolean]"}'),
        (
            '{"b":"{\\"password\\":\\"x\\\\\\"y\\",\\"cvv\\":123}"}',
            f'{{"b":"{{\\"password\\":\\"{PASSWORD}\\",\\"cvv\\":\\"{CVV_NUMBER}\\"}}"}}',
        ),
        ('{"password":"hunt', f'{{"password":"{PASSWORD}'),
        ('{"password":"hunt... [truncated]', f'{{"password":"{PASSWORD}... [truncated]'),
        (
            '{"b":"{\\"password\\":\\"hunt","c":1}',
            f'{{"b":"{{\\"password\\":\\"{PASSWORD}","c":1}}',
        ),
        # HTML
        (
            '<meta name="csrf-token" content="a1b2c3">',
            '<meta name="csrf-token" content="[redacted:csrf-token:***]">',
        ),
        # log lines
        (
            "login failed: password=hunter2, user=bob",
            f"login failed: password={PASSWORD}, user=bob",
        ),
        ("password: letmein", f"password: {PASSWORD}"),
        ('password="hunter2"', f'password="{PASSWORD}"'),
        ("{ password: 'hunter2', n: 1 }", f"{{ password: '{PASSWORD}', n: 1 }}"),
        ("{'password': \"it's\"}", f"{{'password': \"{PASSWORD}\"}}"),
        ("Authorization: Token abcd1234", "Authorization: [redacted:authorization:***]"),
        ("curl -H 'Cookie: a=b; c=d' x", "curl -H 'Cookie: [redacted:cookie:***]' x"),
        ("API_KEY=abcd1234\nB=2", "API_KEY=[redacted:api-key:***]\nB=2"),
        # quotes as HTML, URLs and careful serializers write them
        (
            "{&quot;password&quot;:&quot;hunter2&quot;}",
            f"{{&quot;password&quot;:&quot;{PASSWORD}&quot;}}",
        ),
        ("{&#34;pin&#34;: 1234}", "{&#34;pin&#34;: &#34;[redacted:pin:number]&#34;}"),
        ("?q=%7B%22password%22%3A%22hunter2%22%7D", f"?q=%7B%22password%22%3A%22{PASSWORD}%22%7D"),
        (
            r'{"a":"{\u0022password\u0022:\u0022hunter2\u0022}"}',
            rf'{{"a":"{{\u0022password\u0022:\u0022{PASSWORD}\u0022}}"}}',
        ),
        (r"\u003cAKIAZ52HK5QPLMNBVCXZ", r"\u003c[redacted:aws-access-key-id:***]"),
        # a lone surrogate is not UTF-8
        ("\ud800 password=hunter2", f"\ud800 password={PASSWORD}"),
    ],
)
def test_secrets_inside_text_are_replaced(text: str, expected: str) -> None:
    assert redact_text(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "550e8400-e29b-41d4-a716-446655440000",
        "da39a3ee5e6b4b0d3255bfef95601890afd80709",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        f"/assets/app.{HEX_32}.js",
        f'etag: W/"{HEX_32}"',
        "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
        "2026-03-01T09:00:00.120Z",
        "1772355600000",
        "max_tokens: 100",
        '{"max_tokens":100,"tokens_used":17}',
        '{"total_tokens": 4096, "token_type": "bearer"}',
        "?key=enter",
        "?key=ArrowLeft",
        "?page=2&sort=token",
        "?code=404&session=1",
        "?auth=required&token=short",
        "/cart?session=checkout-page",
        "/api/keyboard?author=Ann",
        '{"author":"Ann Keyes","keywords":["secretary","passenger"]}',
        "function(e){var t=e.token,n=e.key;return t&&n?t+n:null}",
        "const k=Object.keys(e).map((t=>e[t].secret?.length??0));",
        ".token-list{color:#ff00aa}.password-field:focus{outline:2px solid}",
        "input[type=password]{display:none}",
        '<input type="password" name="password" placeholder="Password">',
        '{"label":"Password:","hint":"Secret: "}',
        '["Password:", "x"]',
        "Enter your password: it must have 8 characters",
        "The password is too short",
        "Invalid token: unexpected end of input",
        "SyntaxError: Unexpected token < in JSON at position 0",
        "session started for user 17",
        "Bearer authentication required",
        "basic settings saved",
        "Basic Authentication failed",
        "TypeError: Cannot read properties of undefined (reading 'token')",
        "at pay (http://localhost:5173/a.js:12:9)",
        "pay@http://localhost:5173/a.js:12:9\nrun@http://localhost:5173/b.js:1:1",
        "http://localhost:5173/@fs/home/me/app.js",
        "mailto:ann@example.com",
        "https://example.com/users/ann@example.com",
        "pk_" + "live_" + "a1B2" * 6,
        "pk_" + "test_" + "a1B2" * 6,
        "AIza" + "SyD-a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P",
        "AC" + HEX_32,
        "4242 4242 4242 4242",
        "task-1234567890abcdefghijklmnopqrstuvwxyz",
        "sk-fading-circle sk-circle-bounce-delay",
        "1.2.3-beta.45678+build.20260301",
        "[Binary: 4096B, magic:0a1b2c3d]",
        "[redacted:password:***]",
        "password: [REDACTED]",
        "password=undefined&api_key=null",
        "-----BEGIN CERTIFICATE-----\nMIIBkTCB+wIJAKHBfpegPjMCMA0GCSqG\n-----END CERTIFICATE-----",
        "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcD\n-----END PUBLIC KEY-----",
        "grid-area: key; content: 'token'",
        "{this.password=e.target.value,o.secret=readSecret(t)}",
        "password = self.password",
        "GET /api/tokens/17 200 in 12 ms",
        "author=Ann; compass=north; spin=3",
    ],
)
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert redact_text(text) == text
    assert redact_record({"message": text, "args": [text]}) == {"message": text, "args": [text]}


def nested(depth: int, innermost: str) -> bytes:
    return b'{"a":[' * depth + innermost.encode() + b"]}" * depth


@pytest.mark.parametrize("depth", [1, 100, 400])
def test_a_secret_is_found_however_deep_it_lies(depth: int) -> None:
    record = msgspec.json.decode(nested(depth, '{"password":"hunter2"}'))

    redacted = redact_record(record)

    expected = msgspec.json.decode(nested(depth, f'{{"password":"{PASSWORD}"}}'))
    assert msgspec.json.encode(redacted) == msgspec.json.encode(expected)


def test_a_record_too_deep_to_encode_is_redacted_all_the_same() -> None:
    record: Any = {"password": "hunter2"}
    for _ in range(5000):
        record = [record]

    redacted = redact_record(record)

    for _ in range(5000):
        redacted = redacted[0]
    assert redacted == {"password": PASSWORD}


@pytest.mark.parametrize(
    "repeated",
    [
        '"password":"',
        '\\"password\\":\\"',
        "password: '",
        '"token":"a ',
        "'token': '\\",
        "?token=[redacted",
        "cookie:",
        '"pin":1,',
        "Bearer a1b2c3 ",
        "-----BEGIN PRIVATE KEY-----",
        "eyJaaaaaaaaa.",
        "://a:b@",
        "aws ",
        "machine a login b password ",
        "curl -u a:",
        "<token>a1b2c3d4e5f6g7h8",
        "config.slack.key = 'a1b2c3d4e5f6g7h8i9' ",
        "token: string = `",
        "&quot;password&quot;:&quot;",
        "%22pin%22:%22",
        "\\u0022token\\u0022:\\u0022a",
        "\\",
        "a",
    ],
)
def test_a_hostile_megabyte_is_redacted_in_linear_time(repeated: str) -> None:
    # Quadratic time would be minutes, not a second: no clock is needed to see it.
    text = repeated * (1_000_000 // len(repeated)) + ' "password":"hunter2"'

    assert "hunter2" not in redact_text(text)


@settings(deadline=None, max_examples=500)
@given(text=secret_texts)
@example(text="curl -s -u admin:curl -s -u admin:password")
def test_redacting_text_twice_is_redacting_it_once(text: str) -> None:
    redacted = redact_text(text)

    assert redact_text(redacted) == redacted


@settings(deadline=None, max_examples=300)
@given(record=json_values)
@example(record={"Authorization": " "})
def test_redacting_a_record_twice_is_redacting_it_once(record: Any) -> None:
    redacted = redact_record(record)

    assert redact_record(redacted) == redacted


@settings(deadline=None, max_examples=300)
@given(record=json_values, nestings=st.integers(1, 3), indent=st.sampled_from([None, 1]))
def test_json_text_stays_json_text_at_every_level(
    record: Any, nestings: int, indent: int | None
) -> None:
    text = json.dumps(record, indent=indent)
    for _ in range(nestings - 1):
        text = json.dumps({"body": text})

    value: Any = json.loads(redact_text(text))

    for _ in range(nestings - 1):
        value = json.loads(value["body"])


@given(name=st.sampled_from(["page", "status", "author", "n"]), value=st.integers())
def test_values_under_ordinary_names_survive_beside_a_secret(name: str, value: int) -> None:
    text = f'{{"{name}":{value},"password":"hunter2","url":"/a?{name}={value}"}}'

    redacted = json.loads(redact_text(text))

    assert redacted == {name: value, "password": PASSWORD, "url": f"/a?{name}={value}"}


@given(
    record=st.recursive(
        st.none() | st.booleans() | st.integers() | st.text("abc xyz.,/", max_size=30),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(st.text("abxy_", max_size=8), inner, max_size=4)
        ),
    )
)
def test_a_record_without_secrets_survives_beside_one(record: Any) -> None:
    redacted = redact_record({"password": "hunter2", "rest": record})

    assert redacted == {"password": PASSWORD, "rest": record}
