"""Small words of summaries: counts, places, short texts."""

from urllib.parse import urlsplit

QUOTE_CHARS = 160


def count_of(number: int, one: str, many: str | None = None) -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


def short(text: str, chars: int = QUOTE_CHARS) -> str:
    """The first line of a text, cut to a length that fits a sentence."""
    line = text.strip().split("\n", 1)[0]
    return line if len(line) <= chars else line[: chars - 3] + "..."


def path_of(url: str) -> str:
    """Where on the site; the address itself when it does not parse."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return short(url, 80)
    return short(parts.path or parts.netloc or url, 80)
