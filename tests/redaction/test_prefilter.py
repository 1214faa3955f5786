import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gasoline.redaction.prefilter import may_contain_secret
from gasoline.redaction.redact import _is_plain_word, _redact_containers, _redact_suspicious
from gasoline.redaction.rules import TOKEN_RULES, TokenRule
from tests.redaction.samples import TOKENS, in_context
from tests.redaction.strategies import json_values, secret_texts


def _with_escaped_slashes(value: Any) -> bytes:
    return json.dumps(value).replace("/", "\\/").encode()


def _with_every_letter_escaped(value: Any) -> bytes:
    if not isinstance(value, str):
        return json.dumps(value).encode()
    units = value.encode("utf-16-be")
    escapes = (f"\\u{units[i : i + 2].hex()}" for i in range(0, len(units), 2))
    return f'"{"".join(escapes)}"'.encode()


SERIALIZERS: tuple[Callable[[Any], bytes], ...] = (
    msgspec.json.encode,
    lambda value: json.dumps(value).encode(),
    lambda value: json.dumps(value, ensure_ascii=False).encode(),
    lambda value: json.dumps(value, indent=2, separators=(" ,", " : ")).encode(),
    _with_escaped_slashes,
    _with_every_letter_escaped,
)
serializers = st.sampled_from(SERIALIZERS)


@settings(deadline=None, max_examples=1000)
@given(text=secret_texts, serialize=serializers)
def test_no_text_that_redaction_changes_passes_as_clean(
    text: str, serialize: Callable[[Any], bytes]
) -> None:
    changed = _redact_suspicious(text) != text

    assert may_contain_secret(serialize(text)) or not changed


@settings(deadline=None, max_examples=500)
@given(record=json_values, serialize=serializers)
def test_no_record_that_redaction_changes_passes_as_clean(
    record: Any, serialize: Callable[[Any], bytes]
) -> None:
    changed = _redact_containers(record) != record

    assert may_contain_secret(serialize(record)) or not changed


@settings(deadline=None)
@given(text=st.text(max_size=25) | secret_texts)
def test_no_text_that_redaction_changes_is_a_plain_word(text: str) -> None:
    changed = _redact_suspicious(text) != text

    assert not (_is_plain_word(text) and changed)


@pytest.mark.parametrize("rule", TOKEN_RULES, ids=lambda rule: rule.kind)
def test_whatever_a_token_rule_matches_triggers_it(rule: TokenRule) -> None:
    @settings(deadline=None, max_examples=50)
    @given(
        text=st.from_regex(f"(?:{rule.after})(?:{rule.pattern})(?:{rule.before})", fullmatch=True),
        serialize=serializers,
    )
    def is_sound(text: str, serialize: Callable[[Any], bytes]) -> None:
        changed = _redact_suspicious(text) != text

        assert may_contain_secret(serialize(text)) or not changed

    is_sound()


@pytest.mark.parametrize("kind", TOKENS)
def test_a_batch_with_a_token_is_not_clean(kind: str) -> None:
    body = msgspec.json.encode({"entries": [{"message": "".join(in_context(kind))}]})

    assert may_contain_secret(body)


@pytest.mark.parametrize(
    "body",
    [
        rb'{"pass\u0077ord":"hunter2"}',
        rb'{"\u0070assword":"hunter2"}',
        rb'{"m":"{\"password\" : \"hunter2\"}"}',
        b'{"headers":{"Authorization":"Bearer x"}}',
        b'{"headers":[["x-auth-token","abc"]]}',
        b'{"inputType":"text","selectors":{"id":"card"},"value":"4242"}',
        b'{"password"\n:\n"hunter2"}',
        b'\xff\xfe"password":"\xc3"',
    ],
)
def test_a_body_that_may_hold_a_secret_is_not_clean(body: bytes) -> None:
    assert may_contain_secret(body)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{}",
        b"\xff\xfe\x00",
        b'{"author":"Ann","url":"/cart","keyboard":true}',
        b'{"tokens_used":17,"max_tokens":100}',
        b'{"message":"session started","text":"card declined"}',
        b'{"message":"Unexpected token < in JSON","stack":"at a (http://localhost:1/a.js:1:2)"}',
        b'{"message":"your password is too short"}',
        b'{"url":"/search?key=enter&code=404&sort=token"}',
        b'{"key":"Enter","code":"KeyA","session":{"count":2}}',
        b'{"type":"click","selectors":{"testId":"go","id":"go","cssPath":"#go"}}',
        rb'{"message":"\u001b[31mred\u001b[0m caf\u00e9"}',
        b'{"stack":"pay@http://localhost:5173/a.js:12:9\\nrun@http://localhost:5173/b.js:1:1"}',
        b'{"hash":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}',
    ],
)
def test_an_ordinary_body_is_clean(body: bytes) -> None:
    assert not may_contain_secret(body)
