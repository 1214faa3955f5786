"""What pages say all the time without anything being wrong: one table, for every answer."""

import re

from msgspec import Struct


class NoiseRule(Struct, frozen=True):
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

_COMPILED = [
    (
        rule,
        re.compile(rule.url, re.IGNORECASE) if rule.url else None,
        re.compile(rule.message, re.IGNORECASE) if rule.message else None,
    )
    for rule in NOISE_RULES
]
# Rules look at the beginning: a hostile text must not buy time.
_LOOKED_AT = 500


def noise_reason(*, url: str = "", message: str = "") -> str | None:
    """Why this is known noise, or None."""
    url, message = url[:_LOOKED_AT], message[:_LOOKED_AT]
    for rule, url_pattern, message_pattern in _COMPILED:
        if (url_pattern and url and url_pattern.search(url)) or (
            message_pattern and message and message_pattern.search(message)
        ):
            return rule.why
    return None
