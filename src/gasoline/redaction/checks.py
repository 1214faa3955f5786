"""What a token can prove about itself: a checksum, a structure."""

import base64
import binascii
import zlib
from string import ascii_lowercase, ascii_uppercase, digits

_CHECKSUM_CHARS = 6
_BASE62 = digits + ascii_uppercase + ascii_lowercase
_SUPABASE_ROLES = {b'"role":"anon"': "anon", b'"role":"service_role"': "service"}


def has_checksum(token: bytes) -> bool:
    """Tell whether the last six characters are the CRC-32 of the others, as GitHub and npm do."""
    _, _, rest = token.rpartition(b"_")
    body, given = rest[:-_CHECKSUM_CHARS], rest[-_CHECKSUM_CHARS:].decode("ascii", "replace")
    return bool(body) and _base62(zlib.crc32(body)).rjust(_CHECKSUM_CHARS, "0") == given


def is_jwt(token: bytes) -> bool:
    """Tell whether the first part says in JSON what kind of token this is."""
    header = _decode(token.partition(b".")[0])
    return header.isascii() and header.decode().isprintable() and header[2:3].isalpha()


def read_supabase_role(token: bytes) -> str | None:
    """Read which of Supabase's two keys a JSON Web Token is: `anon` is made for browsers."""
    payload = _decode(token.split(b".")[1])
    if b'"supabase' not in payload:
        return None
    return next((role for said, role in _SUPABASE_ROLES.items() if said in payload), None)


def _decode(part: bytes) -> bytes:
    try:
        return base64.urlsafe_b64decode(part + b"=" * (-len(part) % 4))
    except (binascii.Error, ValueError):
        return b""


def _base62(number: int) -> str:
    letters = ""
    while number:
        number, rest = divmod(number, len(_BASE62))
        letters = _BASE62[rest] + letters
    return letters
