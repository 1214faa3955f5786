"""Personal data in JSON answers and console messages: by the name of the field, by its form."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Any, Final, NamedTuple

import msgspec
import re2

DEPTH: Final = 5
SEARCHED_CHARS: Final = 10_240
MOST_MATCHES: Final = 100
# The elements of a list are alike: so many tell what is in all of them.
ALIKE: Final = 10

_EMAIL = r"[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190}\.[A-Za-z]{2,}"
_PHONE = (
    r"\+[1-9][0-9 ().-]{6,20}[0-9]|\([0-9]{3}\)\s?[0-9]{3}-[0-9]{4}|\b[0-9]{3}-[0-9]{3}-[0-9]{4}\b"
)
_SSN = r"\b[0-9]{3}-[0-9]{2}-[0-9]{4}\b"
_CARD = r"\b[0-9]{4}[ -]?[0-9]{4}[ -]?[0-9]{4}[ -]?[0-9]{4}\b"
_FORMS = re2.compile(f"({_EMAIL})|({_SSN})|({_CARD})|({_PHONE})")
_KINDS: Final = ("email", "ssn", "credit_card", "phone")
_NAMES: Final = {
    "email": re.compile(r"e?mail(?:address)?$"),
    "phone": re.compile(r"(?:phone|mobile|telephone|tel|cell)(?:number|no)?$"),
    "ssn": re.compile(r"(?:ssn|socialsecurity(?:number|no)?|nationalid)$"),
    "credit_card": re.compile(r"(?:credit|debit)?card(?:number|no)$|creditcard$|iban$"),
    "date_of_birth": re.compile(r"(?:dateofbirth|birthdate|birthday|dob)$"),
    "address": re.compile(
        r"(?<!ip)(?<!mac)(?<!mail)(?<!wallet)(?<!contract)(?<!bus)(?<!host)(?<!remote)address"
        r"(?:line)?[0-9]?$|street$"
    ),
}
# Before any parsing: no such word and no such form means no personal data.
_ANY = re2.compile(
    rf"(?i)mail|phone|mobile|tel\b|cell|ssn|social|card|iban|birth|dob|address|street|national|{_EMAIL}"
    rf"|{_SSN}|{_CARD}|{_PHONE}"
)
_SEPARATORS = re.compile(r"[_\-\s]")
_MOCK = re.compile(r"(?i)test|mock|example|sample|dummy|fake|demo|foo|lorem|john\.?doe")
# Mailboxes of companies, printed on every page of theirs.
_ROLES = re.compile(
    r"(?i)(?:support|info|contact|help|sales|no-?reply|do-?not-?reply|admin|hello|team|press"
    r"|privacy|security|abuse|postmaster|webmaster|service|customer\w*|office|shop|mail)@"
)
_FILE = re.compile(r"(?i)\.(?:png|jpe?g|gif|svg|webp|js|css|map)$")
_FEWEST_PHONE_DIGITS = 7
_CARD_DIGITS = 16


class PersonalField(NamedTuple):
    """One field that tells something about a person."""

    kind: str
    name: str
    value: str

    @property
    def is_mock(self) -> bool:
        # Everybody writes examples with example.com; what stands before it tells.
        return bool(_MOCK.search(self.value.partition("@")[0]))


def find_in_json(body: str) -> list[PersonalField]:
    """Walk a JSON text; a text that was cut off is searched for what can be told without it."""
    searched = body[:SEARCHED_CHARS]
    if not _ANY.search(_encodable(searched)):
        return []
    try:
        content = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError):
        return list(islice(_in_cut_json(searched), MOST_MATCHES))
    if not isinstance(content, dict | list):
        return []
    return list(islice(_walk(content, ""), MOST_MATCHES))


def find_in_text(text: str) -> list[PersonalField]:
    """Everything with the form of personal data."""
    matches = _FORMS.finditer(_encodable(text[:SEARCHED_CHARS]))
    fields = (_of_form(match, "") for match in islice(matches, MOST_MATCHES))
    return [field for field in fields if field]


def passes_luhn(number: str) -> bool:
    """Check the last digit of a card number."""
    total = 0
    for place, letter in enumerate(reversed([char for char in number if char.isdigit()])):
        doubled = int(letter) * 2 if place % 2 else int(letter)
        total += doubled - 9 if doubled > 9 else doubled  # noqa: PLR2004  # the sum of its digits
    return total % 10 == 0


def _walk(content: Any, name: str) -> Iterator[PersonalField]:
    waiting = [(content, name, 0)]
    while waiting:
        value, name, depth = waiting.pop()
        if isinstance(value, dict) and depth < DEPTH:
            waiting += [(item, key, depth + 1) for key, item in value.items()]
        elif isinstance(value, list) and depth < DEPTH:
            waiting += [(item, name, depth + 1) for item in value[:ALIKE]]
        elif isinstance(value, str | int) and not isinstance(value, bool):
            yield from _of_value(name, str(value))


def _of_value(name: str, value: str) -> Iterator[PersonalField]:
    kind = _kind_of_name(name)
    if kind and _fits(kind, value):
        yield PersonalField(kind, name, value)
    elif value and not kind:
        for match in islice(_FORMS.finditer(_encodable(value[:SEARCHED_CHARS])), MOST_MATCHES):
            if field := _of_form(match, name):
                yield field


@lru_cache(maxsize=2048)
def _kind_of_name(name: str) -> str | None:
    plain = _SEPARATORS.sub("", name).lower()
    return next((kind for kind, names in _NAMES.items() if names.search(plain)), None)


def _fits(kind: str, value: str) -> bool:
    if value.startswith("[redacted:"):
        return kind in {"ssn", "credit_card"}
    digits = sum(char.isdigit() for char in value)
    if kind == "email":
        return "@" in value and not _ROLES.match(value)
    if kind == "phone":
        return digits >= _FEWEST_PHONE_DIGITS
    if kind == "address":
        return len(value) > 2 and " " in value.strip() and any(map(str.isalpha, value))  # noqa: PLR2004  # a word
    return digits >= (_CARD_DIGITS - 4 if kind == "credit_card" else 4)


def _of_form(match: Any, name: str) -> PersonalField | None:
    kind, value = _KINDS[match.lastindex - 1], match[match.lastindex]
    if kind == "email" and (_ROLES.match(value) or _FILE.search(value)):
        return None
    if kind == "credit_card" and (not passes_luhn(value) or len(set(value)) <= 2):  # noqa: PLR2004  # 0000 ...
        return None
    return PersonalField(kind, name or kind, value)


def _in_cut_json(text: str) -> Iterator[PersonalField]:
    if not text.lstrip().startswith(("{", "[")):
        return
    for match in _PAIR.finditer(_encodable(text)):
        yield from _of_value(match[1], match[2])


_PAIR = re2.compile(r'"([\w-]{1,60})"\s*:\s*"?([^"\\,}\]]{1,200})')


def _encodable(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
