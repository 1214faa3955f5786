"""The contracts of all endpoints, and which requests belong to which."""

import re
from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from gasoline.analysis.contract import MOST_BREACHES, STATUSES_REMEMBERED, Contract, learn
from gasoline.analysis.endpoint import Endpoint, endpoint_of
from gasoline.analysis.identifier import is_slug
from gasoline.analysis.shape import Shape, merge_shapes
from gasoline.records import NetworkBody

SLUGS_THAT_VARY = 3
FIELDS_THAT_TELL = 2

# Below these, siblings are kinds of things, not things of one kind.
_ROOT = re.compile(r"|api|rest|v\d+(?:\.\d+)?", re.IGNORECASE)

Contracts = dict[Endpoint, Contract]


def learn_all(
    known: Mapping[Endpoint, Contract], exchanges: Iterable[NetworkBody], *, most: int
) -> Contracts:
    """Take in new exchanges, least recently called endpoint first out."""
    contracts = dict(known)
    for exchange in exchanges:
        if exchange.pending:
            continue
        endpoint = _home_of(endpoint_of(exchange), contracts)
        contract = contracts.pop(endpoint, None) or _new_contract(endpoint, exchange)
        contracts[endpoint] = learn(contract, exchange)
        if len(contracts) > most:
            contracts = _trim(_join_slugs(contracts), most)
    return _join_slugs(contracts)


def _new_contract(endpoint: Endpoint, exchange: NetworkBody) -> Contract:
    at_ms = exchange.at_ms
    return Contract(endpoint=endpoint, url="", first_ms=at_ms, last_ms=at_ms)


def _trim(contracts: Contracts, most: int) -> Contracts:
    return dict(list(contracts.items())[-most:])


def _home_of(endpoint: Endpoint, contracts: Contracts) -> Endpoint:
    """The endpoint itself, or the template that others like it were joined into."""
    if endpoint in contracts:
        return endpoint
    return next((home for home in _templates(endpoint) if home in contracts), endpoint)


def _templates(endpoint: Endpoint) -> Iterator[Endpoint]:
    """The endpoint with one readable id after the other replaced."""
    segments = endpoint.path.split("/")
    for place, segment in enumerate(segments):
        if place and is_slug(segment) and not _ROOT.fullmatch(segments[place - 1]):
            path = "/".join([*segments[:place], ":id", *segments[place + 1 :]])
            yield replace(endpoint, path=path)


def _join_slugs(contracts: Contracts) -> Contracts:
    """Make one endpoint of `/products/red-shoes` and its like, once enough of them answer alike."""
    alike: dict[tuple[Endpoint, object], list[Endpoint]] = {}
    for endpoint, contract in contracts.items():
        form = _form(contract.shape)
        for template in _templates(endpoint) if form else ():
            alike.setdefault((template, form), []).append(endpoint)
    joined = dict(contracts)
    for (template, _), members in alike.items():
        still_apart = [member for member in members if member in joined]
        if len(still_apart) >= SLUGS_THAT_VARY:
            joined[template] = _join(template, [joined.pop(member) for member in still_apart])
    return joined


def _form(shape: Shape | None) -> object:
    """What must be equal for two answers to be of one kind; None when they tell too little."""
    if shape is None:
        return None
    fields = shape.fields or (shape.elements.fields if shape.elements else {})
    return (*shape.kinds, *sorted(fields)) if len(fields) >= FIELDS_THAT_TELL else None


def _join(endpoint: Endpoint, members: list[Contract]) -> Contract:
    members = sorted(members, key=lambda member: member.last_ms)
    outcomes = sorted(
        (outcome for member in members for outcome in member.history),
        key=lambda outcome: outcome.at_ms,
    )
    statuses: dict[int, int] = {}
    for member in members:
        for status, count in member.statuses.items():
            statuses[status] = statuses.get(status, 0) + count
    requests = [member.request_shape for member in members if member.request_shape]
    return Contract(
        endpoint=endpoint,
        url=members[-1].url,
        first_ms=min(member.first_ms for member in members),
        last_ms=members[-1].last_ms,
        calls=sum(member.calls for member in members),
        statuses=statuses,
        history=tuple(outcomes[-STATUSES_REMEMBERED:]),
        shape=merge_shapes(member.shape for member in members if member.shape),
        request_shape=merge_shapes(requests) if requests else None,
        matching=sum(member.matching for member in members),
        settled_for=sum(member.settled_for for member in members),
        surprises=max(member.surprises for member in members),
        breaches=tuple(breach for member in members for breach in member.breaches)[:MOST_BREACHES],
        last_error=next((m.last_error for m in members[::-1] if m.last_error is not None), None),
    )
