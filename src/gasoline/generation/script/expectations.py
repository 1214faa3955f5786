"""Which answers a test can expect to come again."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import pairwise
from statistics import mean, pstdev

import msgspec

from gasoline.analysis import graphql
from gasoline.analysis.endpoint import path_of
from gasoline.analysis.noise import noise_reason
from gasoline.analysis.page_address import is_same_page
from gasoline.analysis.session import Step
from gasoline.analysis.shape_notation import describe_response_shape
from gasoline.generation.script.address import is_minted, path_pattern
from gasoline.generation.script.plan import ExpectedResponse
from gasoline.generation.script.privacy import personal_fields
from gasoline.records import NetworkBody

# A request this often, and this regularly, is made by a timer and not by the user.
POLLS = 4
POLL_UNEVENNESS = 0.3
MINTING = frozenset({"POST", "PUT"})
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*")


def operation_of(exchange: NetworkBody) -> str | None:
    """The name by which a request's body tells it from others to the same address."""
    named = graphql.operation_of(exchange)
    return named if named and named in (exchange.request_body or "") else None


def find_minted(exchanges: Sequence[NetworkBody]) -> frozenset[str]:
    """Ids in paths that the session itself brought into being: other ones tomorrow."""
    minted: set[str] = set()
    created = ""
    for exchange in exchanges:
        minted.update(s for s in _id_segments(exchange.url) if f'"{s}"' in created)
        if exchange.method in MINTING and not exchange.failed:
            created += exchange.response_body or ""
            created = created[-100_000:]
    return frozenset(minted)


def minted_by(exchanges: Sequence[NetworkBody], url: str) -> frozenset[str]:
    """The same for the address of a page."""
    created = "".join(
        exchange.response_body or ""
        for exchange in exchanges
        if exchange.method in MINTING and not exchange.failed
    )
    return frozenset(s for s in _id_segments(url) if f'"{s}"' in created)


def find_polled(exchanges: Sequence[NetworkBody]) -> frozenset[tuple[str, str]]:
    """Method and path of what the page asks for by the clock."""
    times: dict[tuple[str, str], list[float]] = {}
    for exchange in exchanges:
        if exchange.method == "GET":
            key = ("GET", path_of(exchange.url))
            times.setdefault(key, []).append(exchange.at_ms)
    return frozenset(key for key, at_ms in times.items() if _is_regular(at_ms))


def expect_responses(
    step: Step,
    names: Counter[str],
    *,
    minted: Collection[str],
    polled: Collection[tuple[str, str]],
    shapes: bool,
    privacy: bool,
) -> tuple[ExpectedResponse, ...]:
    """One expectation for each kind of request of a step, in the order of the last of each."""
    groups: dict[tuple[str, str, str | None], list[NetworkBody]] = {}
    for exchange in step.exchanges:
        key = (exchange.method, path_of(exchange.url))
        if is_expected(exchange) and key not in polled:
            groups.setdefault((*key, operation_of(exchange)), []).append(exchange)
    expected = []
    for exchanges in groups.values():
        is_left = _is_left(exchanges[-1], step)
        answer = _expect(exchanges, names, minted=minted, shapes=shapes and not is_left)
        known = personal_fields(exchanges) if privacy and not is_left else None
        expected.append(msgspec.structs.replace(answer, known_personal=known))
    return tuple(expected)


def is_expected(exchange: NetworkBody) -> bool:
    """Whether a request got an answer, and one that has to do with the application."""
    is_web = not exchange.url.startswith(("blob:", "data:", "about:"))
    return exchange.status > 0 and is_web and noise_reason(url=exchange.url) is None


def _is_left(exchange: NetworkBody, step: Step) -> bool:
    """Whether the page that got an answer was left for another: nobody can read it then."""
    return step.loaded and not is_same_page(exchange.page_url, step.landed or "")


def _is_regular(at_ms: Sequence[float]) -> bool:
    if len(at_ms) < POLLS:
        return False
    gaps = [later - earlier for earlier, later in pairwise(at_ms)]
    typical = mean(gaps)
    return typical > 0 and pstdev(gaps) / typical < POLL_UNEVENNESS


def _id_segments(url: str) -> list[str]:
    return [s for s in path_of(url).split("/") if any(character.isdigit() for character in s)]


def _expect(
    exchanges: Sequence[NetworkBody],
    names: Counter[str],
    *,
    minted: Collection[str],
    shapes: bool,
) -> ExpectedResponse:
    last = exchanges[-1]
    path = path_of(last.url)
    is_dynamic = any(is_minted(segment, minted) for segment in path.split("/"))
    shape = describe_response_shape(last) if shapes and "json" in last.content_type else None
    return ExpectedResponse(
        name=_name(operation_of(last) or path, names),
        method=last.method,
        path=path,
        pattern=f"^{path_pattern(path, minted=minted)}$" if is_dynamic else None,
        operation=operation_of(last),
        status=last.status,
        among_others=len({exchange.status for exchange in exchanges}) > 1,
        shape=shape,
        has_shape=shape is not None,
        times=len(exchanges),
        is_stream="event-stream" in last.content_type,
    )


def _name(path: str, names: Counter[str]) -> str:
    """A variable's name from the end of a path, used once."""
    words = _WORD.findall(path.rpartition("/api/")[2] or path)[-2:] or ["page"]
    name = words[0][:1].lower() + words[0][1:] + "".join(w[:1].upper() + w[1:] for w in words[1:])
    name = name[:40]
    names[name] += 1
    return name if names[name] == 1 else f"{name}{names[name]}"
