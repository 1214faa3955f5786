"""The journey of docs/recording.md: what the page shows is what the tools answer."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from gasoline.ingest.streams import STREAMS
from gasoline.store import Store
from gasoline.tools.registry import all_tools
from tests.builders import ingest, send
from tests.tools.asking import ask

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "recording.md"
RECORDED = Path(__file__).parent / "buy_three.json"


def recorded() -> Store:
    """The journey `buy three` as a browser once sent it."""
    into = ingest()
    sent = json.loads(RECORDED.read_text(encoding="utf-8"))
    for stream in STREAMS:
        if stream.route in sent:
            send(into, stream, *sent[stream.route][stream.list_name])
    return into.store


def in_words(entry: dict[str, Any], first_ms: int) -> str:
    """One entry of a timeline on one line."""
    what = entry.get("method") or entry.get("type") or entry["kind"]
    where = urlsplit(entry["url"]).path
    result = entry.get("status") or entry.get("selectedValue") or entry.get("title", "")
    named = entry.get("selectors", {})
    name = named.get("testId") or named.get("role", {}).get("name", "")
    parts = (
        f"{(entry['ts'] - first_ms) / 1000:5.2f} s",
        entry["kind"],
        what,
        name or where,
        result,
    )
    return "  ".join(str(part) for part in parts if part != "").rstrip()


def test_the_timeline_is_the_one_that_is_answered() -> None:
    timeline = ask(recorded(), "get_session_timeline")["timeline"]

    lines = [in_words(entry, timeline[0]["ts"]) for entry in timeline]

    assert "```\n" + "\n".join(lines) + "\n```" in PAGE.read_text(encoding="utf-8")


def test_the_test_is_the_one_that_is_generated() -> None:
    answer = ask(recorded(), "generate_test", test_name="buy three", assertions={})

    assert "```ts\n" + answer["test_script"] + "```" in PAGE.read_text(encoding="utf-8")


def test_every_tool_and_parameter_that_the_page_names_exists() -> None:
    page = PAGE.read_text(encoding="utf-8")
    properties = {
        name for tool in all_tools().values() for name in tool.input_schema()["properties"]
    }

    for name in (
        "last_n_actions",
        "base_url",
        "fixtures",
        "include_fixtures",
        "tab_id",
        "expected",
    ):
        assert f"`{name}`" in page or f'"{name}"' in page
        assert name in properties
