"""What a rule is. Patterns are re2 syntax, over bytes."""

from typing import Final, Literal, TypeAlias

from msgspec import Struct

# log: free text. data: object keys, JSON text. url: query strings, fragments, form bodies.
Place: TypeAlias = Literal["log", "data", "url", "header"]

# What a value must look like before its name is believed.
Evidence: TypeAlias = Literal["none", "mixed", "random", "pairs"]

# info: public by design, so worth knowing and nothing more.
Severity: TypeAlias = Literal["critical", "warning", "info"]

# What a value can prove about itself.
Check: TypeAlias = Literal["none", "crc32", "jwt"]

EVERYWHERE: Final = frozenset[Place]({"log", "data", "url", "header"})
IN_TEXT: Final = frozenset[Place]({"log", "data", "url"})
IN_DATA: Final = frozenset[Place]({"data", "url", "header"})
IN_URLS: Final = frozenset[Place]({"url"})
IN_HEADERS: Final = frozenset[Place]({"header"})
IN_LOGS: Final = frozenset[Place]({"log"})


# A word also begins behind an escape of JSON, such as `\\n` or `\\u003c`.
WORD_STARTS: Final = r"(?:\b|\\[bfnrt]|\\u[0-9A-Fa-f]{4})"


def revoke(where: str = "where it was issued") -> str:
    """What to do about a secret that a browser has seen."""
    return (
        f"Revoke it ({where}), keep the new one on your server, and let the page ask that server."
    )


class NameRule(Struct, frozen=True, kw_only=True):
    """A name whose value is secret, such as `newPassword` or `x-api-key`."""

    kind: str
    title: str
    pattern: str
    """The end of the name, in any case; see NAME_TAIL for what may still follow."""
    seen_in: frozenset[Place] = IN_DATA
    evidence: Evidence = "none"
    whole_name: bool = False
    """Whether nothing may precede the pattern: `pin` is secret, `spin` is not."""
    in_page: bool = False
    """Whether pages apply it too: every byte of their table is paid by every page."""
    cwe: str = "CWE-522"
    recommendation: str = revoke()


class TokenRule(Struct, frozen=True):
    """A value that gives itself away wherever it stands, such as `ghp_...`."""

    kind: str
    title: str
    pattern: str
    recommendation: str = revoke()
    trigger: str = ""
    """Found in every JSON text, however escaped, that holds a match; the pattern unless given."""
    after: str = WORD_STARTS
    """What precedes the secret and is kept."""
    before: str = ""
    evidence: Evidence = "none"
    check: Check = "none"
    cwe: str = "CWE-798"

    @property
    def triggered_by(self) -> str:
        return self.trigger or self.pattern


class PublicRule(Struct, frozen=True):
    """A key that is made to be seen by browsers: no secret, but worth knowing about."""

    kind: str
    title: str
    pattern: str
    recommendation: str
    prefix: str = ""
    """How the masked form of such a key begins, where a telling name had it removed."""
