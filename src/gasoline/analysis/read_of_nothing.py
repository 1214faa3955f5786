"""What code read that was not there: the three browsers' ways to say null and undefined."""

import re

from msgspec import Struct

from gasoline.records.ai_context import SourceSnippet

_EXPRESSION = r"[\w$.?!()\[\]'\"]+"
# Chromium: Cannot read properties of undefined (reading 'user')
_CHROMIUM = re.compile(
    r"Cannot (?:read|set) propert(?:ies|y '(?P<older>[^']*)') of (?P<nothing>null|undefined)"
    r"(?: \((?:reading|setting) '(?P<name>[^']*)'\))?"
)
_CHROMIUM_DESTRUCTURED = re.compile(
    r"Cannot destructure property '(?P<name>[^']*)' of '(?P<from>[^']*)' as it is "
    r"(?P<nothing>null|undefined)"
)
# Firefox: can't access property "user", result.data is undefined
_FIREFOX = re.compile(
    r"(?:can't access property \"?(?P<name>[^\",]*)\"?, )?"
    rf"(?P<from>{_EXPRESSION}) is (?P<nothing>null|undefined)$"
)
# Safari: undefined is not an object (evaluating 'result.data.user')
_SAFARI = re.compile(
    r"(?P<nothing>null|undefined) is not an object \(evaluating '(?P<whole>[^']+)'\)"
)
_LAST_NAME = re.compile(r"([\w$]+)\W*$")
MESSAGE_CHARS = 500


class ReadOfNothing(Struct, frozen=True):
    """`expression` was null or undefined when `name` was read of it; None where unknown."""

    nothing: str
    expression: str | None = None
    name: str | None = None

    @property
    def field(self) -> str | None:
        """The last name of the expression: what an answer may have lacked."""
        found = _LAST_NAME.search(self.expression or "")
        return found[1] if found and found[1] != "this" else None


def find_read_of_nothing(
    message: str, snippet: SourceSnippet | None = None
) -> ReadOfNothing | None:
    """Read the message; the expression comes from the message, else from the line that threw."""
    text = message.split("\n", 1)[0][:MESSAGE_CHARS]
    if found := _CHROMIUM_DESTRUCTURED.search(text) or _FIREFOX.search(text):
        return ReadOfNothing(found["nothing"], found["from"], found["name"])
    if found := _SAFARI.search(text):
        expression, _, name = found["whole"].rpartition(".")
        return ReadOfNothing(found["nothing"], expression or None, name or None)
    if found := _CHROMIUM.search(text):
        name = found["name"] or found["older"]
        return ReadOfNothing(found["nothing"], _expression_before(name, snippet), name)
    return None


def _expression_before(name: str | None, snippet: SourceSnippet | None) -> str | None:
    """What stands before `.name` in the line that threw, at its column if the map is that exact."""
    line = next((one for one in snippet.snippet if one.is_error), None) if snippet else None
    if not snippet or not line or not name:
        return None
    reads = list(
        re.finditer(
            rf"(?P<of>[\w$)\]](?:[\w$.]|\?\.|!\.|\([^()]*\)|\[[^\[\]]*\])*?)[!?]?\.{re.escape(name)}\b",
            line.text,
        )
    )
    if not reads:
        return None
    exact = [one for one in reads if one.start() < snippet.column <= one.end()]
    # Two reads of the same name, and no word on which: say nothing.
    chosen = exact[0] if exact else reads[0] if len(reads) == 1 else None
    return chosen["of"].replace("?.", ".").replace("!.", ".") if chosen else None
