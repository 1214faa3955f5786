"""How the page looks now."""

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from gasoline.records import Screenshot
from tests.bridges import running_bridge
from tests.extension import SHOP_TAB, answering, call_tool, error_of
from tests.pictures import data_url, encoded, opened, page_data_url, page_picture
from tests.servers import RunningServer, running_server
from tests.tools.asking import Page

VISIBLE_ONLY = (
    "An element or a full page needs the debugger build of the extension: "
    "this is the visible part of the page."
)


def shot(width: int = 640, height: int = 400, **more: Any) -> dict[str, Any]:
    return {"dataUrl": page_data_url(width, height), "url": "http://shop/cart", **more}


def test_the_picture_comes_as_a_png_beside_a_short_text() -> None:
    page = Page(shot())

    answer = page.call("capture_screenshot")

    assert answer.png is not None
    assert (opened(answer.png).format, opened(answer.png).size) == ("PNG", (640, 400))
    assert json.loads(answer.text) == {
        "summary": "Screenshot 1 of http://shop/cart, 640 x 400 px.",
        "capture": {"state": "complete", "why": "Answered live by tab 31."},
        "id": 1,
        "url": "http://shop/cart",
        "width": 640,
        "height": 400,
        "size_bytes": len(answer.png),
    }


def test_the_picture_is_kept_with_its_thumbnail() -> None:
    page = Page(shot())

    page.ask("capture_screenshot")

    (kept,) = page.store.oldest(Screenshot)
    described = kept.read(Screenshot)
    assert (described.trigger, described.tab_id) == ("explicit", 31)
    assert kept.image is not None
    assert opened(kept.image.thumbnail).width == 320


@pytest.mark.parametrize(
    ("arguments", "params"),
    [
        ({}, {}),
        ({"selector": "#pay"}, {"selector": "#pay"}),
        ({"full_page": True}, {"full_page": True}),
        ({"full_page": False}, {}),
    ],
)
def test_what_to_show_reaches_the_page(arguments: Any, params: Any) -> None:
    page = Page(shot())

    page.ask("capture_screenshot", **arguments)

    assert [(asked.type, asked.params) for asked in page.asked] == [("screenshot", params)]


@pytest.mark.parametrize("arguments", [{"selector": "#pay"}, {"full_page": True}])
def test_without_a_debugger_the_visible_part_is_shown_and_said_so(arguments: Any) -> None:
    said = [
        Page(shot(), can_debug=can_debug).ask("capture_screenshot", **arguments).get("notes")
        for can_debug in (False, True)
    ]

    assert said == [[VISIBLE_ONLY], None]


def test_the_extension_s_own_note_is_shown() -> None:
    page = Page(shot(note="The page is 20000 px tall: cropped to 16384 px."), can_debug=True)

    answer = page.ask("capture_screenshot", full_page=True)

    assert answer["notes"] == ["The page is 20000 px tall: cropped to 16384 px."]


def test_a_page_taller_than_16384_pixels_is_cropped_with_a_note() -> None:
    answer = Page(shot(100, 16_500), can_debug=True).ask("capture_screenshot", full_page=True)

    assert answer["height"] == 16_384
    assert answer["notes"] == ["The picture was 16500 px tall: cropped to 16384 px."]


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        ({}, "The picture was not kept: Missing dataUrl."),
        ({"dataUrl": "data:image/png;base64,YWJj"}, "The picture was not kept: The picture cannot"),
        ({"error": "screenshot_failed", "message": "no"}, "The page could not answer: no"),
    ],
)
def test_what_is_no_picture_is_an_error_with_its_reason(result: Any, reason: str) -> None:
    assert Page(result).fail("capture_screenshot").startswith(reason)


def test_automatic_pictures_are_set_even_when_nobody_is_there_to_take_one() -> None:
    page = Page(shot())

    error = page.fail("capture_screenshot", auto_screenshot={"on_navigation": True}, tab_id=1)

    assert error.startswith("auto_screenshot is set. tab_id: there is no tab 1.")


@pytest.mark.parametrize("wrong", [{"on_error": "perhaps"}, {"on_click": True}, [], 1])
def test_automatic_pictures_have_three_occasions(wrong: Any) -> None:
    error = Page(shot()).fail("capture_screenshot", auto_screenshot=wrong)

    assert error.startswith("auto_screenshot")


# Through a real server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    place = tmp_path_factory.mktemp("server")
    with running_server(place, "--screenshots", str(place / "pictures")) as running:
        yield running


def test_a_client_gets_image_content_and_the_server_a_file(server: RunningServer) -> None:
    jpeg = data_url(encoded(page_picture(), "JPEG"), "image/jpeg")
    with answering(server, lambda _q: {"dataUrl": jpeg, "url": "http://shop/"}, SHOP_TAB):
        result = call_tool(server, "capture_screenshot")

    text, image = result["content"]
    assert (image["type"], image["mimeType"]) == ("image", "image/png")
    assert Image.MIME[opened(base64.b64decode(image["data"])).format or ""] == "image/png"
    assert Path(json.loads(text["text"])["path"]).read_bytes() == base64.b64decode(
        jpeg.partition(",")[2]
    )


def test_the_picture_passes_the_bridge_of_an_ai_tool(server: RunningServer) -> None:
    with (
        answering(server, lambda _q: shot(), SHOP_TAB),
        running_bridge(server.port, server.state_folder) as bridge,
    ):
        bridge.shake_hands()
        text, image = bridge.call("capture_screenshot")["result"]["content"]

    assert json.loads(text["text"])["width"] == 640
    assert opened(base64.b64decode(image["data"])).size == (640, 400)


def test_automatic_pictures_show_in_the_settings(server: RunningServer) -> None:
    error_of(call_tool(server, "capture_screenshot", auto_screenshot={"on_error": False}))

    overrides = server.request("GET", "/settings").json["capture_overrides"]
    assert overrides == {
        "auto_screenshot": {"on_navigation": False, "on_error": False, "on_action": False},
        "screenshot_on_error": "false",
    }
