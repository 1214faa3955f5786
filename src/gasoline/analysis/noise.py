"""What pages say all the time without anything being wrong: one table, for every answer."""

from collections.abc import Iterable
from typing import Any

import re2
from msgspec import Struct


class NoiseRule(Struct, frozen=True, forbid_unknown_fields=True):
    """Known noise, by where it comes from or what it says, and why it does not matter."""

    why: str
    url: str | None = None
    message: str | None = None


NOISE_RULES = (
    NoiseRule(
        why="analytics endpoint, non-critical",
        url=(
            r"(^|[/.])(google-analytics|googletagmanager|segment|mixpanel|amplitude|hotjar|heap"
            r"|plausible|posthog|fullstory|matomo|clarity)\.(com|io|ms|cloud)"
            r"|/(analytics|telemetry|beacon|collect|track|metrics|rum)([/?.]|$)"
        ),
    ),
    NoiseRule(why="error reporting, non-critical", url=r"(^|[/.])(sentry|bugsnag|datadoghq)\."),
    NoiseRule(why="advertising, non-critical", url=r"(^|[/.])(doubleclick|googlesyndication)\."),
    NoiseRule(why="browser extension", url=r"^(chrome|moz|safari-web)-extension:"),
    NoiseRule(why="missing favicon", url=r"/(favicon\.ico|apple-touch-icon[\w-]*\.png)([?#]|$)"),
    NoiseRule(why="missing source map", url=r"\.map([?#]|$)"),
    NoiseRule(
        why="hot reloading",
        url=r"hot-update\.js(on)?|/__webpack_hmr|/@vite/client|/_next/webpack-hmr|/sockjs-node",
    ),
    NoiseRule(
        why="hot reloading",
        message=r"^\[(HMR|vite|WDS|Fast Refresh|webpack-dev-server)\]",
    ),
    NoiseRule(why="development hint", message=r"Download the (React|Vue) DevTools"),
    NoiseRule(
        why="browser extension",
        message=r"chrome-extension://|moz-extension://|^Unchecked runtime\.lastError",
    ),
    NoiseRule(why="content blocker", message=r"net::ERR_BLOCKED_BY_CLIENT"),
    NoiseRule(
        why="analytics, non-critical",
        message=r"^\[(analytics|gtag|gtm|segment)\]|^(Google Tag Manager|gtag|ga|fbq)\b",
    ),
    NoiseRule(
        why="harmless browser notice",
        message=r"^ResizeObserver loop (limit exceeded|completed with undelivered)",
    ),
)

# Rules look at the beginning: a long text must not buy time.
_LOOKED_AT = 500


class _Compiled(Struct, frozen=True):
    why: str
    url: Any
    message: Any


def _compile(rule: NoiseRule) -> _Compiled:
    # re2, whose time is bounded whatever a project's rule looks like.
    url, message = (
        pattern and re2.compile(f"(?i){pattern}") for pattern in (rule.url, rule.message)
    )
    return _Compiled(rule.why, url, message)


_known = [_compile(rule) for rule in NOISE_RULES]
_own: list[_Compiled] = []
# One search of each text tells of nearly all that none of the known rules fits.
_any_url, _any_message = (
    re2.compile(f"(?i)(?:{')|(?:'.join(filter(None, patterns))})")
    for patterns in (
        [rule.url for rule in NOISE_RULES],
        [rule.message for rule in NOISE_RULES],
    )
)


def add_noise_rules(rules: Iterable[NoiseRule]) -> None:
    """A project's own rules, added by the door that read them, before anything is judged."""
    _own.extend(_compile(rule) for rule in rules)


def noise_reason(*, url: str = "", message: str = "") -> str | None:
    """Why this is known noise, or None."""
    url, message = _encodable(url[:_LOOKED_AT]), _encodable(message[:_LOOKED_AT])
    is_known = (url and _any_url.search(url)) or (message and _any_message.search(message))
    for rule in [*_known, *_own] if is_known else _own:
        if (rule.url and url and rule.url.search(url)) or (
            rule.message and message and rule.message.search(message)
        ):
            return rule.why
    return None


def _encodable(text: str) -> str:
    # re2 reads UTF-8, which has no lone surrogates.
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
