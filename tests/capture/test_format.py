"""console's format specifiers."""

import pytest
from playwright.sync_api import Page

CALLS = [
    ("'plain'", "plain"),
    ("'a', 'b', 3", "a b 3"),
    ("", ""),
    ("{a: 1}, 'x'", '{"a":1} x'),
    ("'%s is %d years', 'Ann', 42", "Ann is 42 years"),
    ("'%i', '42.9 apples'", "42"),
    ("'%d', 42.9", "42"),
    ("'%d', 'none'", "NaN"),
    ("'%d', Symbol('s')", "NaN"),
    ("'%d', 12n", "12n"),
    ("'%f', '1.5em'", "1.5"),
    ("'%o and %O', {a: 1}, [2]", '{"a":1} and [2]'),
    ("'%cred%c plain', 'color:red', ''", "red plain"),
    ("'%c', 'color:red', 'rest'", " rest"),
    ("'100%', 'sure'", "100% sure"),
    ("'100%% of %s', 'it'", "100% of it"),
    ("'100%%'", "100%%"),
    ("'%s %s', 'one'", "one %s"),
    ("'%s', 'one', 'two', {b: 3}", 'one two {"b":3}'),
    ("'%x stays', 1", "%x stays 1"),
    ("'%s', null", "null"),
    ("'%s', undefined", "undefined"),
    ("'%s', new Error('e')", "Error: e"),
    ("1, '%s', 2", "1 %s 2"),
    ("'%s', '%s', 'x'", "%s x"),
]


@pytest.mark.parametrize(("arguments", "expected"), CALLS)
def test_a_message_reads_as_in_the_console(lab: Page, arguments: str, expected: str) -> None:
    assert lab.evaluate(f"lab.format({arguments})") == expected
