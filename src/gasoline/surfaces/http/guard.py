"""Who may ask what: the check in front of every route."""

import hmac
from collections.abc import Iterable
from urllib.parse import parse_qs

from msgspec import Struct
from starlette.types import Scope

from gasoline.ingest import STREAMS
from gasoline.ingest.streams import BATCHES_ROUTE

DEFAULT_HTTP_PORT = 80
FORBIDDEN = 403
UNAUTHORIZED = 401
EXTENSION_SCHEMES = ("chrome-extension://", "moz-extension://", "safari-web-extension://")

# Pages may write here and nowhere else, whatever their origin: the answer tells them nothing.
PAGE_WRITABLE = frozenset(
    {*(stream.route for stream in STREAMS), "/performance-snapshot", BATCHES_ROUTE}
)

# Browsers say where a request without Origin comes from, such as a link or an image.
_FROM_ANOTHER_SITE = frozenset({"cross-site", "same-site"})

_WRONG_ORIGIN = "Origin not allowed on this route: a page may only POST what it captured"


class Refusal(Struct, frozen=True):
    """Why a request goes no further."""

    status: int
    reason: str


class Guard:
    """Loopback names, known origins, and a token where one is asked for."""

    def __init__(
        self,
        port: int,
        *,
        bound_to: str = "127.0.0.1",
        allow_hosts: Iterable[str] = (),
        token: str | None = None,
    ) -> None:
        # Whoever sits at the address that it listens on may call it by that, too.
        own = f"[{bound_to}]" if ":" in bound_to else bound_to
        names = {"127.0.0.1", "localhost", "[::1]", own.lower()}
        self._hosts = {f"{name}:{port}" for name in names}
        if port == DEFAULT_HTTP_PORT:
            self._hosts.update(names)
        for host in allow_hosts:
            self._hosts.update({host.lower(), f"{host.lower()}:{port}"})
        self._own_origins = {
            f"{scheme}://{host}" for host in self._hosts for scheme in ("http", "https")
        }
        self._token = token.encode() if token else None
        self._wrong_host = (
            f"Invalid Host header: call this server 127.0.0.1:{port}, "
            "or start it with --allow-host NAME"
        )

    def refuse(self, scope: Scope, headers: dict[bytes, bytes], *, method: str) -> Refusal | None:
        """The reason to refuse, or None. `method` is the one a preflight asks about."""
        host = headers.get(b"host", b"").decode("latin-1").lower()
        if host not in self._hosts or _repeats(b"host", scope, headers):
            return Refusal(FORBIDDEN, self._wrong_host)
        if _repeats(b"origin", scope, headers) or not self._admits_origin(
            method, scope["path"], headers
        ):
            return Refusal(FORBIDDEN, _WRONG_ORIGIN)
        if self._token and not self._has_token(scope["query_string"], headers):
            return Refusal(UNAUTHORIZED, "unauthorized")
        return None

    def _admits_origin(self, method: str, path: str, headers: dict[bytes, bytes]) -> bool:
        if method == "POST" and path in PAGE_WRITABLE:
            return True
        origin = headers.get(b"origin")
        if origin is None:
            site = headers.get(b"sec-fetch-site", b"").decode("latin-1")
            return site not in _FROM_ANOTHER_SITE
        name = origin.decode("latin-1").lower()
        return name in self._own_origins or name.startswith(EXTENSION_SCHEMES)

    def _has_token(self, query: bytes, headers: dict[bytes, bytes]) -> bool:
        assert self._token is not None  # noqa: S101  # the caller looked
        offered = [headers.get(b"x-gasoline-key", b"")]
        scheme, _, credential = headers.get(b"authorization", b"").partition(b" ")
        if scheme.lower() == b"bearer":
            offered.append(credential.strip())
        offered += [token.encode() for token in parse_qs(query.decode("latin-1")).get("token", [])]
        return any(hmac.compare_digest(token, self._token) for token in offered)


def _repeats(name: bytes, scope: Scope, headers: dict[bytes, bytes]) -> bool:
    """Whether a header came twice: a check of one says nothing about the other."""
    if len(headers) == len(scope["headers"]):
        return False
    return [sent for sent, _ in scope["headers"]].count(name) > 1


def cors_headers(headers: dict[bytes, bytes]) -> list[tuple[bytes, bytes]]:
    """What an admitted page needs to read the answer. Beacons preflight with credentials."""
    origin = headers.get(b"origin")
    if origin is None:
        return []
    allowed = [
        (b"access-control-allow-origin", origin),
        (b"access-control-allow-credentials", b"true"),
        (b"vary", b"Origin"),
    ]
    if b"access-control-request-method" in headers:
        allowed += [
            (b"access-control-allow-methods", b"GET, POST, DELETE, OPTIONS"),
            (
                b"access-control-allow-headers",
                b"Content-Type, Authorization, X-Gasoline-Key, X-Gasoline-Test-Id",
            ),
            (b"access-control-max-age", b"600"),
        ]
    if b"access-control-request-private-network" in headers:
        allowed.append((b"access-control-allow-private-network", b"true"))
    return allowed
