"""Pieces of CSS selectors from any text."""

import re

_PLAIN = re.compile(r"[A-Za-z0-9_-]|[^\x00-\x7f]")


def css_text(text: str) -> str:
    """A string inside a selector."""
    escaped = re.sub(r'["\\]', r"\\\g<0>", text)
    return '"' + re.sub(r"[\n\r\f\x00]", lambda found: f"\\{ord(found[0]):x} ", escaped) + '"'


def css_id(identifier: str) -> str:
    """The selector of an id."""
    escaped = "".join(
        character
        if _PLAIN.fullmatch(character) and not (place == 0 and character.isdigit())
        else f"\\{ord(character):x} "
        if character.isdigit() or ord(character) < ord(" ")
        else f"\\{character}"
        for place, character in enumerate(identifier)
    )
    return f"#{escaped}"


def css_attribute(name: str, value: str) -> str:
    return f"[{name}={css_text(value)}]"
