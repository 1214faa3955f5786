"""The data behind a session: calls that bring it into being, answers that stand in for it."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from gasoline.analysis.endpoint import path_of
from gasoline.analysis.json_body import UnreadableBodyError, read_answer, read_request
from gasoline.analysis.recording import Recording
from gasoline.analysis.shape_notation import describe_shape
from gasoline.generation.script.expectations import is_expected, operation_of
from gasoline.generation.script.literal import (
    Secret,
    js_literal,
    js_text,
    one_line,
    py_literal,
    py_text,
)
from gasoline.generation.script.plan import SetupCall
from gasoline.generation.script.sample import (
    READ_BYTES,
    Kind,
    mentions_of,
    sample,
    sample_large,
)
from gasoline.records import NetworkBody

MOST_FIXTURES = 20
MOST_BYTES = 50 * 1024
MUTATING = frozenset({"POST", "PUT", "PATCH"})
_SIGN_IN = re.compile(
    r"/(?:log-?in|sign-?in|auth(?:enticate)?|sessions?|tokens?)/?$", re.IGNORECASE
)
_TOKEN_FIELD = re.compile(r"^(?:access_?|id_?|auth_?)?(?:token|jwt)$", re.IGNORECASE)

SETUP, ACTION, IRRELEVANT = "setup", "action", "irrelevant"


class FixtureEntry(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A request of the session, and its part in it."""

    method: str
    url: str
    classification: str
    status: int
    request: Any = None
    response: Any = None
    operation: str | None = None
    has_auth_header: bool = False


class Mock(Struct, frozen=True):
    """An answer that stands in for the server's."""

    status: int
    body: Any


def classify(recording: Recording, *, steps_from_ms: float | None = None) -> list[FixtureEntry]:
    """What came before the bug, and before the steps, is set-up; the rest is what is tested."""
    errors = [entry.at_ms for entry in recording.logs if entry.is_error]
    bounds = errors[:1] if steps_from_ms is None else [*errors[:1], steps_from_ms]
    until_ms = min(bounds, default=None)
    read_from = len(recording.exchanges) - MOST_FIXTURES
    return [
        _describe(exchange, until_ms, with_bodies=place >= read_from or _signs_in(exchange))
        for place, exchange in enumerate(recording.exchanges)
    ]


def tell_entry(entry: FixtureEntry) -> FixtureEntry:
    """The same for a reader: what was never captured, in words."""
    return msgspec.structs.replace(entry, request=_without_secrets(entry.request))


def _without_secrets(value: Any) -> Any:
    if isinstance(value, Secret):
        return value.fallback
    if isinstance(value, dict):
        return {name: _without_secrets(item) for name, item in value.items()}
    return [_without_secrets(item) for item in value] if isinstance(value, list) else value


def plan_setup(entries: Sequence[FixtureEntry]) -> tuple[SetupCall, ...]:
    """The calls that recreate what the session had changed, signing in first."""
    calls = [e for e in entries if e.classification == SETUP and e.method in MUTATING]
    calls = [*[e for e in calls if is_sign_in(e)][:1], *calls[-MOST_FIXTURES:]]
    sign_in = next((e for e in calls if is_sign_in(e)), None)
    first_changing = next((e for e in entries if e.method in MUTATING), None)
    if sign_in is None and calls and first_changing and is_sign_in(first_changing):
        sign_in = first_changing
    others = [entry for entry in calls if not is_sign_in(entry)]
    is_needed = any(entry.has_auth_header for entry in others)
    token = _token_field(sign_in) if sign_in and is_needed else None
    planned = [_plan_call(sign_in, "Sign in", token=token)] if sign_in else []
    for entry in others:
        what = entry.operation or path_of(entry.url).rstrip("/").rpartition("/")[2] or "data"
        authorised = token is not None and entry.has_auth_header
        planned.append(_plan_call(entry, f"Set up {one_line(what, 60)}", authorised=authorised))
    return tuple(planned)


def derive_mocks(recording: Recording) -> tuple[dict[str, Mock], list[str]]:
    """Answers by method and path, the last of each; and what could not be told."""
    newest: dict[str, NetworkBody] = {}
    for exchange in reversed(recording.exchanges):
        if is_expected(exchange) and len(newest) < MOST_FIXTURES:
            newest.setdefault(_key(exchange), exchange)
    kind = Kind(is_request=False, mentioned=mentions_of(recording.actions))
    mocks: dict[str, Mock] = {}
    unread: list[str] = []
    for key, exchange in reversed(newest.items()):
        try:
            answer = read_answer(exchange)
        except UnreadableBodyError:
            unread.append(key)
            continue
        is_large = len(exchange.response_body or "") > READ_BYTES
        body = sample_large(answer, kind) if is_large else sample(answer, kind)
        mocks[key] = Mock(exchange.status, body)
    return mocks, unread


def _key(exchange: NetworkBody) -> str:
    operation = operation_of(exchange)
    return f"{exchange.method} {path_of(exchange.url)}" + (f" {operation}" if operation else "")


def write_mocks(mocks: dict[str, Mock], unread: Sequence[str], *, language: str) -> str:
    """The companion file, as large as it may be: the largest answers go first."""
    write = _write_py_mocks if language == "pytest" else _write_js_mocks
    left = dict(mocks)
    dropped = list(unread)
    while len((text := write(left, dropped)).encode()) > MOST_BYTES and left:
        largest = max(left, key=lambda key: len(msgspec.json.encode(left[key].body)))
        del left[largest]
        dropped.append(largest)
    return text


def is_sign_in(entry: FixtureEntry) -> bool:
    return entry.method == "POST" and _SIGN_IN.search(path_of(entry.url)) is not None


def _signs_in(exchange: NetworkBody) -> bool:
    return exchange.method == "POST" and _SIGN_IN.search(path_of(exchange.url)) is not None


def _describe(exchange: NetworkBody, until_ms: float | None, *, with_bodies: bool) -> FixtureEntry:
    answer = _read(read_answer, exchange) if with_bodies else None
    sent = _read(read_request, exchange) if with_bodies else None
    is_before = until_ms is None or exchange.at_ms < until_ms
    return FixtureEntry(
        method=exchange.method,
        url=exchange.url,
        classification=(SETUP if is_before else ACTION) if _is_candidate(exchange) else IRRELEVANT,
        status=exchange.status,
        request=sample(sent, Kind(is_request=True)),
        response=None if answer is None else describe_shape(answer),
        operation=operation_of(exchange) if with_bodies else None,
        has_auth_header=bool(exchange.has_auth_header),
    )


def _is_candidate(exchange: NetworkBody) -> bool:
    """Whether a request succeeded, and changed or showed data."""
    shows_data = (exchange.response_body or "")[:1] in ("{", "[")
    succeeded = is_expected(exchange) and not exchange.failed
    return succeeded and (shows_data or exchange.method in MUTATING)


def _read(read: Callable[[NetworkBody], Any], exchange: NetworkBody) -> Any:
    try:
        return read(exchange)
    except UnreadableBodyError:
        return None


def _plan_call(
    entry: FixtureEntry, comment: str, *, token: str | None = None, authorised: bool = False
) -> SetupCall:
    return SetupCall(
        comment=comment,
        method=entry.method,
        path=path_of(entry.url),
        body=entry.request,
        is_login=comment == "Sign in",
        token=token,
        authorised=authorised,
    )


def _token_field(entry: FixtureEntry) -> str | None:
    fields = entry.response if isinstance(entry.response, dict) else {}
    return next((name for name in fields if _TOKEN_FIELD.search(name)), None)


def _write_js_mocks(mocks: dict[str, Mock], unread: Sequence[str]) -> str:
    entries = "".join(
        f"  {js_text(key)}: {{ status: {mock.status}, body: {js_literal(mock.body, 2)} }},\n"
        for key, mock in mocks.items()
    )
    return f"""\
{_introduce("//", unread)}export const fixtures = {{
{entries}}};

/** Answer from the recording; what it does not have goes to the server. */
export async function mockApi(page) {{
  await page.route('**/*', async route => {{
    const request = route.request();
    const key = `${{request.method()}} ${{new URL(request.url()).pathname}}`;
    const sent = request.postData() ?? '';
    const operation = Object.keys(fixtures).find(
      name => name.startsWith(`${{key}} `) && sent.includes(name.slice(key.length + 1)),
    );
    const fixture = fixtures[operation ?? key];
    if (!fixture) return route.fallback();
    await route.fulfill({{ status: fixture.status, json: fixture.body }});
  }});
}}
"""


def _write_py_mocks(mocks: dict[str, Mock], unread: Sequence[str]) -> str:
    entries = "".join(
        f'    {py_text(key)}: {{"status": {mock.status}, "body": {py_literal(mock.body, 4)}}},\n'
        for key, mock in mocks.items()
    )
    return f"""\
{_introduce("#", unread)}from urllib.parse import urlsplit

FIXTURES = {{
{entries}}}


def mock_api(page):
    \"\"\"Answer from the recording; what it does not have goes to the server.\"\"\"

    def answer(route):
        request = route.request
        key = f"{{request.method}} {{urlsplit(request.url).path}}"
        sent = request.post_data or ""
        named = [
            name
            for name in FIXTURES
            if name.startswith(f"{{key}} ") and name[len(key) + 1 :] in sent
        ]
        fixture = FIXTURES.get(named[0] if named else key)
        if fixture is None:
            route.fallback()
        else:
            route.fulfill(status=fixture["status"], json=fixture["body"])

    page.route("**/*", answer)
"""


def _introduce(mark: str, unread: Sequence[str]) -> str:
    lines = ["Answers recorded by Gasoline, made small and safe."]
    if unread:
        told = ", ".join(one_line(key, 100) for key in list(unread)[:10])
        lines.append(f"Not among them, too large or no JSON: {told}")
    return "".join(f"{mark} {line}\n" for line in lines)
