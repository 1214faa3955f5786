"""How the page looks now."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from gasoline.ingest import RefusedBatch
from gasoline.ingest.screenshot import TakenPicture, read_upload
from gasoline.live.questions import Destination
from gasoline.tools.context import Answer, Context, WithPicture
from gasoline.tools.live_page import Selector, TabId, ask_page, choose_page, describe_capture
from gasoline.tools.registry import ToolError, tool
from gasoline.tools.wording import short


class AutoScreenshot(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When the extension takes pictures by itself."""

    on_navigation: bool = False
    on_error: bool = True
    on_action: bool = False


class Params(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What to show."""

    selector: Annotated[Selector | None, Meta(description="Only this element")] = None
    full_page: Annotated[bool, Meta(description="Below the fold too")] = False
    tab_id: TabId = None
    auto_screenshot: Annotated[
        AutoScreenshot | None, Meta(description="From now on take pictures by itself")
    ] = None


class ScreenshotTaken(Answer, frozen=True, kw_only=True):
    """What the picture beside this text shows."""

    id: int
    url: str
    width: int
    height: int
    size_bytes: int
    notes: tuple[str, ...] = ()
    path: str = ""


@tool(read_only=False)
async def capture_screenshot(context: Context, params: Params) -> WithPicture:
    """Take a picture of the open page, or of one element, and keep it for reports."""
    to = _choose_page(context, params)
    asked = {
        **({"selector": params.selector} if params.selector else {}),
        **({"full_page": True} if params.full_page else {}),
    }
    result = await ask_page(context, "screenshot", asked, to=to)
    taken = await _keep(context, result, to, special=bool(asked))
    picture = taken.record
    answer = ScreenshotTaken(
        summary=f"Screenshot {picture.seq} of {short(picture.url) or 'the page'}, "
        f"{picture.width} x {picture.height} px.",
        capture=describe_capture(to),
        id=picture.seq,
        url=short(picture.url, 500),
        width=picture.width,
        height=picture.height,
        size_bytes=picture.size_bytes,
        notes=tuple(short(note, 300) for note in picture.notes),
        path=taken.path,
    )
    return WithPicture(answer, taken.developed.pixels.png)


def _choose_page(context: Context, params: Params) -> Destination:
    if params.auto_screenshot is None:
        return choose_page(context, params.tab_id)
    _set_automatic(context, params.auto_screenshot)
    try:
        return choose_page(context, params.tab_id)
    except ToolError as error:
        raise ToolError(f"auto_screenshot is set. {error}") from error


def _set_automatic(context: Context, wanted: AutoScreenshot) -> None:
    context.overrides.change(
        auto_screenshot=msgspec.to_builtins(wanted),
        # The name that earlier extensions know.
        screenshot_on_error="true" if wanted.on_error else "false",
    )


async def _keep(
    context: Context, result: dict[str, Any], to: Destination, *, special: bool
) -> TakenPicture:
    described = {**result, "trigger": "explicit", "tabId": to.tab_id}
    if special and not to.can_debug and not result.get("note"):
        described["note"] = (
            "An element or a full page needs the debugger build of the extension: "
            "this is the visible part of the page."
        )
    try:
        return await context.ingest.take_picture(read_upload(described))
    except RefusedBatch as refused:
        raise ToolError(f"The picture was not kept: {refused.reason}.") from refused
