"""Text of pages inside Markdown: it can end nothing, link nowhere and call nobody."""

import re

from gasoline.generation.untrusted import strip_invisible

_SPECIAL = re.compile(r"[\\`*_\[\]#|~!]")
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "&#64;"})
_TICKS = re.compile(r"`+")


def flatten(text: str, chars: int) -> str:
    """On one line, and not longer than this."""
    flat = " ".join(strip_invisible(text).split())
    return flat if len(flat) <= chars else flat[: chars - 1] + "…"


def plain(text: str, chars: int = 200) -> str:
    """Text as it reads, with nothing in it that Markdown would take for its own."""
    escaped = _SPECIAL.sub(r"\\\g<0>", flatten(text, chars)).translate(_ENTITIES)
    # Else what merely looks like an address becomes a link.
    return escaped.replace("://", ":&#47;/")


def code(text: str, chars: int = 300) -> str:
    """Text in a span of code, whatever ticks it holds."""
    flat = flatten(text, chars)
    fence = "`" * (1 + max((len(run) for run in _TICKS.findall(flat)), default=0))
    edge = " " if flat[:1] in {"`", ""} or flat[-1:] == "`" else ""
    return f"{fence}{edge}{flat}{edge}{fence}"


def code_block(text: str, language: str) -> str:
    """Lines of code between fences that they cannot close."""
    fence = "`" * max(3, 1 + max((len(run) for run in _TICKS.findall(text)), default=0))
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"
