"""What elements the page has now."""

from typing import Annotated

from msgspec import Meta, Struct

from gasoline.tools.context import Answer, Context, Excerpt
from gasoline.tools.listing import MaxTokens, fit_excerpts
from gasoline.tools.live_page import (
    Selector,
    TabId,
    ask_page,
    choose_page,
    describe_capture,
    read_answer,
)
from gasoline.tools.registry import tool
from gasoline.tools.wording import count_of, path_of, short


class Params(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which elements."""

    selector: Annotated[Selector, Meta(description="CSS selector")]
    tab_id: TabId = None
    max_tokens: MaxTokens = 4000


class DomAnswer(Struct, frozen=True, rename="camel"):
    """What the page says."""

    url: str = ""
    title: str = ""
    match_count: int = 0
    matches: list[Excerpt] = []


class DomMatches(Answer, frozen=True, kw_only=True, rename="camel"):
    """The elements that match, in the order of the document."""

    url: str
    title: str
    match_count: int
    returned_count: int
    matches: list[Excerpt]


@tool()
async def query_dom(context: Context, params: Params) -> DomMatches:
    """Find elements in the open page: text, attributes, visibility, position, styles, children."""
    to = choose_page(context, params.tab_id)
    result = await ask_page(context, "dom", {"selector": params.selector}, to=to)
    found = read_answer(result, DomAnswer)
    shown = fit_excerpts(found.matches, max_tokens=params.max_tokens)
    omitted = max(0, found.match_count - len(shown))
    return DomMatches(
        summary=_summarise(found, params.selector),
        capture=describe_capture(to),
        omitted=omitted,
        next="Narrow the selector, or raise max_tokens." if omitted else None,
        url=found.url,
        title=short(found.title),
        match_count=found.match_count,
        returned_count=len(shown),
        matches=shown,
    )


def _summarise(found: DomAnswer, selector: str) -> str:
    where = f" on {path_of(found.url)}" if found.url else ""
    if not found.match_count:
        return f"No element matches {short(selector)}{where}."
    hidden = sum(match.get("visible") is False for match in found.matches)
    verb = "matches" if found.match_count == 1 else "match"
    elements = count_of(found.match_count, "element")
    return f"{elements} {verb} {short(selector)}{where}" + (
        f", {hidden} hidden." if hidden else "."
    )
