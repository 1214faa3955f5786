"""Being told, instead of asking."""

import asyncio
import json
from typing import Any

import pytest
from msgspec.structs import replace

from gasoline.store import Store
from gasoline.stream.client import Client
from gasoline.stream.event import CATEGORIES, Notification
from gasoline.stream.hub import MOST_LISTENERS, Hub
from gasoline.stream.subscription import Wishes
from gasoline.surfaces.mcp.answering import ToolAnswer, answer_call
from tests.builders import store
from tests.tools.asking import ask, call, context_of


async def ignore(_notification: Notification) -> None:
    pass


async def configure(hub: Hub, of: Store, *calls: dict[str, Any], **client: Any) -> list[ToolAnswer]:
    """Call the tool several times as one client, while the hub runs."""
    asking = Client(key="me", **{"send": ignore, **client})
    context = replace(context_of(of), hub=hub, client=asking)
    running = asyncio.ensure_future(hub.run())
    await asyncio.sleep(0)
    try:
        return [await answer_call(context, "configure_streaming", given) for given in calls]
    finally:
        running.cancel()


def configured(*calls: dict[str, Any], **client: Any) -> list[dict[str, Any]]:
    async def run() -> list[ToolAnswer]:
        of = store()
        return await configure(Hub(of), of, *calls, **client)

    answers = asyncio.run(run())
    assert not any(answer.is_error for answer in answers)
    return [json.loads(answer.text) for answer in answers]


def test_streaming_is_off_until_somebody_wants_it() -> None:
    answer = ask(store(), "configure_streaming")

    assert answer["enabled"] is False
    assert answer["events"] == list(CATEGORIES)
    assert answer["throttle_seconds"] == 5
    assert answer["summary"] == "Streaming is off: nothing is pushed."


def test_the_answer_is_what_is_in_effect_and_what_is_left_out_stays() -> None:
    first, second, third = configured(
        {"enabled": True, "events": ["errors"], "throttle_seconds": 120, "url_filter": "/cart"},
        {"throttle_seconds": 2},
        {"enabled": False, "events": []},
    )

    assert (first["enabled"], first["events"], first["throttle_seconds"]) == (True, ["errors"], 60)
    assert (second["events"], second["throttle_seconds"]) == (["errors"], 2)
    assert second["url_filter"] == "/cart"
    assert (third["enabled"], third["events"]) == (False, list(CATEGORIES))


def test_a_client_whose_stream_is_closed_is_told_so() -> None:
    (answer,) = configured({"enabled": True}, can_hear=lambda: False, instead="Open it.")

    assert answer["delivery"] == "Held back until this client opens its stream. Open it."


@pytest.mark.parametrize("wrong", [["weather"], "errors", 7])
def test_an_unknown_category_is_refused(wrong: Any) -> None:
    answer = call(store(), "configure_streaming", events=wrong)

    assert answer.is_error
    assert answer.text.startswith("events")


def test_a_client_that_cannot_be_pushed_to_is_told_how_to_listen_instead() -> None:
    answer = call(store(), "configure_streaming", enabled=True)

    assert answer.is_error
    assert "GET /events/stream" in answer.text


def test_there_is_room_for_so_many_listeners() -> None:
    async def fill(listeners: int) -> ToolAnswer:
        of = store()
        hub = Hub(of)
        running = asyncio.ensure_future(hub.run())
        await asyncio.sleep(0)
        for number in range(listeners):
            hub.listen(number, Wishes(enabled=True), ignore)
        running.cancel()
        (answer,) = await configure(hub, of, {"enabled": True})
        return answer

    assert not asyncio.run(fill(MOST_LISTENERS - 1)).is_error
    assert "Too many clients listen" in asyncio.run(fill(MOST_LISTENERS)).text
