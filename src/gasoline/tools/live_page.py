"""Asking the page that is open now, and saying what to do when it cannot be asked."""

from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from gasoline.live.browsers import Tab
from gasoline.live.questions import (
    Destination,
    NobodyThereError,
    PageGoneError,
    UnknownTabError,
)
from gasoline.records.health import CaptureHealth
from gasoline.redaction import redact_record
from gasoline.tools.context import Context
from gasoline.tools.registry import ToolError
from gasoline.tools.wording import short

T = TypeVar("T")

TABS_NAMED = 10

Selector = Annotated[str, Meta(min_length=1, max_length=2000)]
TabId = Annotated[int | None, Meta(description="Default: the active tab")]


def choose_page(context: Context, tab_id: int | None) -> Destination:
    """Who answers for a tab; nobody is an answer at once, not a wait."""
    try:
        return context.questions.choose(tab_id)
    except NobodyThereError as error:
        raise ToolError(
            "No page is connected, so there is nobody to ask. Open the page in a browser with the "
            "Gasoline extension (`gasoline extension` shows how to install it); "
            "`gasoline doctor` finds what is broken."
        ) from error
    except UnknownTabError as error:
        raise ToolError(
            f"tab_id: there is no tab {error.tab_id}. Open tabs: {_list_tabs(error.known)}."
        ) from error


def describe_capture(to: Destination) -> CaptureHealth:
    """A live answer has lost nothing on its way."""
    tab = f"tab {to.tab_id}" if to.tab_id is not None else "the page that was last in front"
    return CaptureHealth(state="complete", why=f"Answered live by {tab}.")


async def ask_page(
    context: Context, question: str, params: dict[str, Any], *, to: Destination
) -> dict[str, Any]:
    """The page's answer as it was sent, or an error that says why there is none."""
    try:
        result = await context.questions.ask(question, params, to=to)
    except TimeoutError as error:
        raise ToolError(
            f"The page did not answer within {context.questions.timeout_s(question):.0f} s. It may "
            "be busy, show a dialog or be stopped in a debugger: close that or reload the page, "
            "then ask again."
        ) from error
    except PageGoneError as error:
        raise ToolError(
            "The browser disconnected before it answered. Open the page again, then ask again; "
            "`gasoline doctor` checks the connection."
        ) from error
    if not isinstance(result, dict):
        raise ToolError("The page's answer is not an object: update the Gasoline extension.")
    if failure := result.get("error"):
        reason = redact_record([str(result.get("message") or failure)])[0]
        raise ToolError(f"The page could not answer: {short(reason)}")
    return result


def read_answer(result: dict[str, Any], kind: type[T]) -> T:
    """Give an answer its type, without the secrets in it."""
    try:
        return msgspec.convert(redact_record(result), kind, strict=False)
    except msgspec.ValidationError as error:
        raise ToolError(
            f"The page's answer cannot be read ({error}): update the Gasoline extension."
        ) from error


def _list_tabs(tabs: list[Tab]) -> str:
    if not tabs:
        return "none"
    named = [f"{tab.tab_id} ({short(tab.url, 80)})" for tab in tabs[:TABS_NAMED]]
    rest = len(tabs) - len(named)
    return ", ".join(named) + (f" and {rest} more" if rest else "")
