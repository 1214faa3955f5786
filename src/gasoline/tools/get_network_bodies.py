"""What the page asked its servers, and what they answered."""

from typing import Annotated

from msgspec import Meta

from gasoline.analysis.unanswered import last_word_of_each
from gasoline.records import NetworkBody
from gasoline.tools.context import Answer, Context, Excerpt
from gasoline.tools.listing import Limit, Selection, list_records
from gasoline.tools.registry import tool
from gasoline.tools.wording import count_of, path_of

Status = Annotated[int, Meta(ge=0, le=999)]


class Params(Selection, frozen=True, kw_only=True):
    """Which exchanges."""

    method: str | None = None
    status_min: Status | None = None
    status_max: Status | None = None
    limit: Annotated[Limit, Meta(description="Newest n exchanges")] = 20


class NetworkBodies(Answer, frozen=True, kw_only=True):
    """Exchanges, newest first."""

    network_bodies: list[Excerpt]


@tool()
def get_network_bodies(context: Context, params: Params) -> NetworkBodies:
    """Show requests with their request and response bodies, newest first."""
    is_last_word = last_word_of_each()
    listing = list_records(
        context,
        NetworkBody,
        params,
        limit=params.limit,
        matches=lambda exchange: is_last_word(exchange) and _matches(exchange, params),
    )
    return NetworkBodies(
        summary=_summarise(listing.matched, listing.examined),
        capture=context.health(NetworkBody, test_id=params.test_id),
        omitted=listing.omitted,
        next=listing.next,
        network_bodies=listing.shown,
    )


def _matches(exchange: NetworkBody, params: Params) -> bool:
    return (
        (params.method is None or exchange.method.upper() == params.method.upper())
        and (params.status_min is None or exchange.status >= params.status_min)
        and (params.status_max is None or exchange.status <= params.status_max)
    )


def _summarise(exchanges: list[NetworkBody], examined: int) -> str:
    if not exchanges:
        return f"No network bodies captured that match, of {examined}."
    failed = [exchange for exchange in exchanges if exchange.failed]
    if not failed:
        return f"{count_of(len(exchanges), 'exchange')}, none failed."
    latest = failed[0]
    return (
        f"{count_of(len(exchanges), 'exchange')}, {len(failed)} failed, "
        f"the latest: {latest.method} {path_of(latest.url)} → {latest.status}."
    )
