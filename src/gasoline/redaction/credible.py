"""Whether a value could be a live secret, or is a word, a sample, a placeholder.

Redaction removes both: what stands under `password` is nobody's business. Its mark tells them
apart, so that the audit reports only the ones that somebody could use.
"""

from gasoline.redaction.checks import has_checksum
from gasoline.redaction.patterns import compile_bytes
from gasoline.redaction.randomness import has_digit_or_noise, looks_random
from gasoline.redaction.rules import NameRule, Place, TokenRule

# Short words in one case only: in three or four letters of mixed case chance writes them too.
_SAMPLE = compile_bytes(
    r"test|TEST|Test|dev|DEV|Dev|demo|DEMO|Demo|mock|MOCK|Mock|fake|FAKE|Fake|todo|TODO|(?i:example)"
    r"|(?i:sample|dummy|placeholder|change[_-]?(?:me|it)|replace|insert|redacted|removed|hidden)"
    r"|(?i:your[_-]?|my[_-]?(?:api|secret|token|key|access)|put[_-]|enter[_-])|(?i:lorem|foobar|foo_)"
    r"|x{6}|X{6}|0{10}|\*{3}|\.{3}|-{6}|_{6}|#{4}|(?i:n/a|none\z)|1234567890|abcdefghij",
    capture=False,
)
# What the specification exempts, and values of one letter: enough for tokens of known form.
_SAMPLE_TOKEN = compile_bytes(
    r"test|TEST|Test|dev|DEV|Dev|demo|DEMO|Demo|mock|MOCK|(?i:example|sample|dummy|placeholder)"
    r"|(?i:your[_-]|redacted)|x{6}|X{6}|\*{3}|\.{3}|0{16}",
    capture=False,
)
# The vendor's own words come first and say nothing about the rest: `sk_test_`, `dp.st.dev.`.
_VENDOR_PREFIX = compile_bytes(
    r"(?i:[a-z0-9]{1,12}[_-](?:live|test|prod|sbox|sandbox|dev|demo)[_-]|FLWSECK_TEST-"
    r"|access-(?:sandbox|development|production)-|access_token\$\w+\$|dp\.[a-z]+\.(?:[\w-]+\.)?"
    r"|tvly-dev-|secret-(?:live|test)-)",
    capture=False,
)
_UUID = compile_bytes(
    r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", ignore_case=True, capture=False
)
# Code, selectors, paths and templates that stand where a value would.
_NO_LITERAL = compile_bytes(
    r"[$<%{@&(/\\+\['].*|#[a-z-]+|.*(?:\$\{|\{\{|<%|%>|%s|\(\)|=>|::|\.\.\.).*"
    r"|[A-Za-z_$]+[0-9]?(?:\.[A-Za-z_$]+[0-9]?)+|\w+\(.*|https?:.*"
    r"|(?i:string|str|text|number|int(?:eger)?|bool(?:ean)?|any|unknown|undefined|null|none|nil|void"
    r"|object|required|optional|true|false|password|token|key|value|username)[?!]?",
    capture=False,
)
_SPACE = compile_bytes(r"\s", capture=False)
_PATH = compile_bytes(r"[a-z_.-]+(?:/[a-z_.#:-]+)+", capture=False)
# `Password`, `Mot:`, `Passwört`: one capitalised word, in UTF-8.
_LABEL = compile_bytes(r"(?:[A-Z]|\xc3[\x80-\x9f])[a-z\x80-\xff]+:?", capture=False)

# Written by servers, never by people: nothing here to doubt.
_NEVER_WORDS = frozenset({"cookie", "csrf-token", "signature", "session-id", "ssn"})
_SCHEMES = frozenset({b"bearer", b"basic", b"digest", b"token", b"negotiate"})
_CHOSEN_BY_PEOPLE = frozenset(
    {"password", "pin", "one-time-code", "card-number", "card-security-code"}
)
_URL_PASSWORDS = frozenset({"url-password", "curl-password", "netrc-password"})
_FEWEST_LETTERS = 4
_SHORTEST_PASSWORD = 5
_SHORTEST_KEY = 8


def is_credible_token(token: bytes, rule: TokenRule) -> bool:
    """Tell whether a value of a known form is more than a sample."""
    if rule.check == "crc32" and has_checksum(token):
        return True
    prefix = _VENDOR_PREFIX.match(token)
    rest = token[prefix.end() :] if prefix else token
    if rule.kind in _URL_PASSWORDS:
        return _is_credible_password(rest, shortest=1)
    return not _SAMPLE_TOKEN.search(rest)


def is_credible_value(value: bytes, rule: NameRule, place: Place) -> bool:
    """Tell whether the value under a secret name is more than a word or a sample."""
    if rule.kind in _NEVER_WORDS:
        return True
    if rule.kind == "authorization":
        return _is_credible_authorization(value)
    if place == "url":
        is_placeholder = _SAMPLE_TOKEN.search(value) or _NO_LITERAL.fullmatch(value)
        is_filler = rule.kind not in _CHOSEN_BY_PEOPLE and len(set(value)) == 1
        return not is_placeholder and not is_filler
    if rule.kind in _CHOSEN_BY_PEOPLE:
        return _is_credible_password(value, shortest=1 if place == "data" else _SHORTEST_PASSWORD)
    return _is_credible_key(value, rule)


def _is_credible_password(value: bytes, *, shortest: int) -> bool:
    if len(value) < shortest or _SAMPLE.search(value) or _NO_LITERAL.fullmatch(value):
        return False
    is_sentence = _SPACE.search(value) and not has_digit_or_noise(value)
    return not is_sentence and not _LABEL.fullmatch(value) and not _PATH.fullmatch(value)


def _is_credible_authorization(value: bytes) -> bool:
    words = value.split()
    if not words:
        return False
    credentials = words[-1]
    is_placeholder = _SAMPLE.search(credentials) or _NO_LITERAL.fullmatch(credentials)
    return not is_placeholder and credentials.lower() not in _SCHEMES


def _is_credible_key(value: bytes, rule: NameRule) -> bool:
    if b"PRIVATE KEY-----" in value:
        return True
    if _SAMPLE.search(value) or _NO_LITERAL.fullmatch(value) or _SPACE.search(value):
        return False
    if rule.evidence == "random":
        # Some services issue UUIDs as keys; elsewhere they are ids.
        is_id = rule.kind != "service-key" and _UUID.fullmatch(value)
        return looks_random(value) and not is_id
    has_variety = len(value) >= _SHORTEST_KEY and len(set(value)) >= _FEWEST_LETTERS
    return has_variety and has_digit_or_noise(value)
