"""What page is open now."""

from typing import Any

from msgspec import Struct

from gasoline.tools.context import Answer, Context
from gasoline.tools.listing import MaxTokens, fit_excerpts
from gasoline.tools.live_page import TabId, ask_page, choose_page, describe_capture, read_answer
from gasoline.tools.registry import tool
from gasoline.tools.wording import count_of, short


class Params(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which page."""

    tab_id: TabId = None
    max_tokens: MaxTokens = 4000


class PageFacts(Struct, frozen=True, rename="camel"):
    """What the page says."""

    url: str = ""
    title: str = ""
    viewport: dict[str, float] = {}
    scroll: dict[str, float] = {}
    document_height: float = 0
    headings: list[Any] = []
    links: int = 0
    images: int = 0
    interactive_elements: int = 0
    forms: list[Any] = []


class PageInfo(Answer, frozen=True, kw_only=True, rename="camel"):
    """The page in numbers, its headings and its forms."""

    url: str
    title: str
    viewport: dict[str, float]
    scroll: dict[str, float]
    document_height: float
    headings: list[Any]
    links: int
    images: int
    interactive_elements: int
    forms: list[Any]


@tool()
async def get_page_info(context: Context, params: Params) -> PageInfo:
    """Describe the open page: URL, title, viewport, scroll, headings, forms, element counts."""
    to = choose_page(context, params.tab_id)
    facts = read_answer(await ask_page(context, "page_info", {}, to=to), PageFacts)
    lists = {"headings": facts.headings, "forms": facts.forms}
    (shown,) = fit_excerpts([lists], max_tokens=params.max_tokens) or [
        {"headings": [], "forms": []}
    ]
    return PageInfo(
        summary=_summarise(facts),
        capture=describe_capture(to),
        url=short(facts.url, 500),
        title=short(facts.title),
        viewport=facts.viewport,
        scroll=facts.scroll,
        document_height=facts.document_height,
        headings=shown["headings"],
        links=facts.links,
        images=facts.images,
        interactive_elements=facts.interactive_elements,
        forms=shown["forms"],
    )


def _summarise(facts: PageFacts) -> str:
    parts = [
        count_of(len(facts.headings), "heading"),
        count_of(len(facts.forms), "form"),
        count_of(facts.links, "link"),
        count_of(facts.interactive_elements, "interactive element"),
    ]
    return f'"{short(facts.title, 80)}" at {short(facts.url)}: {", ".join(parts)}.'
