"""Errors explained from their source."""

import asyncio
import base64
import json
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gasoline.ingest import Ingest
from gasoline.ingest.streams import LOGS
from gasoline.records import LogEntry
from gasoline.sources import cache
from gasoline.sources.explainer import Explainer
from gasoline.sources.folders import BuildFolders
from gasoline.sources.sources import Sources
from tests.builders import Clock, ingest, log
from tests.sources.site import CODE, Site, running_site, source_map

READ_NULL = "Uncaught TypeError: Cannot read properties of null (reading 'amount')"
SNIPPET = {
    "file": "src/pay.ts",
    "line": 3,
    "column": 16,
    "snippet": [
        {"line": 1, "text": "export function pay(order) {"},
        {"line": 2, "text": "  const total = order.total;"},
        {"line": 3, "text": "  return total.amount;", "isError": True},
        {"line": 4, "text": "}"},
        {"line": 5, "text": ""},
    ],
}
SENTENCE = "TypeError in src/pay.ts:3 — `total` is null when reading `amount`."


class Watched:
    """An ingest whose errors are explained."""

    def __init__(self, *folders: Path, **options: Any) -> None:
        self.ingest: Ingest = ingest()
        self.clock = Clock(0)
        self.sources = Sources(BuildFolders(folders), clock=self.clock, **options)
        self.explainer = self.ingest.explaining = Explainer(self.ingest, self.sources)

    def send(self, *entries: Any, origin: str | None = None) -> None:
        self.ingest.take(LOGS, msgspec.json.encode({"entries": entries}), origin=origin)

    @property
    def entries(self) -> list[dict[str, Any]]:
        return [json.loads(kept.written()) for kept in self.ingest.store.oldest(LogEntry)]

    async def context(self, number: int = 0) -> dict[str, Any]:
        await self.explainer.settle()
        found: dict[str, Any] = self.entries[number].get("_aiContext", {})
        return found


def error(site: Site, error_id: str | None = "e1", **fields: Any) -> dict[str, Any]:
    sent = log(type="exception", message=READ_NULL, stack=site.stack(), url=f"{site.url}/cart")
    return sent | ({"_errorId": error_id} if error_id else {}) | fields


def run(story: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(story())


def test_an_error_gets_the_source_around_it_and_a_sentence(site: Site) -> None:
    async def story() -> None:
        site.serve_app()
        watched = Watched()

        watched.send(error(site), origin=site.origin)

        assert await watched.context() == {"sourceSnippets": [SNIPPET], "summary": SENTENCE}
        assert watched.entries[0]["_enrichments"] == ["aiContext"]
        assert site.asked == ["GET /assets/app.js", "GET /assets/app.js.map"]

    run(story)


def test_everything_the_entry_came_with_stays(site: Site) -> None:
    async def story() -> None:
        site.serve_app()
        watched = Watched()
        sent = error(site, filename="x", lineno=1, _actions=[{"type": "click"}], custom=[1.5])

        watched.send(sent, origin=site.origin)
        await watched.explainer.settle()

        added = {"_aiContext", "_enrichments"}
        assert {key: value for key, value in watched.entries[0].items() if key not in added} == sent

    run(story)


def test_the_background_does_it_without_being_asked(site: Site) -> None:
    async def story() -> None:
        site.serve_app()
        watched = Watched()
        async with asyncio.TaskGroup() as tasks:
            background = tasks.create_task(watched.explainer.run())
            watched.send(error(site), origin=site.origin)
            # Nobody is told of the merge: look again.
            while "_aiContext" not in watched.entries[0]:  # noqa: ASYNC110  # as said
                await asyncio.sleep(0)
            background.cancel()

        assert watched.entries[0]["_aiContext"]["summary"] == SENTENCE

    run(story)


def test_of_many_errors_the_newest_is_explained_first(site: Site) -> None:
    async def story() -> None:
        site.serve_app()
        watched = Watched()
        watched.send(*(error(site, f"e{number}") for number in range(3)), origin=site.origin)
        async with asyncio.TaskGroup() as tasks:
            background = tasks.create_task(watched.explainer.run())
            while not any("_aiContext" in entry for entry in watched.entries):  # noqa: ASYNC110  # nobody tells
                await asyncio.sleep(0)
            background.cancel()

        assert ["_aiContext" in entry for entry in watched.entries] == [False, False, True]

    run(story)


def test_who_asks_meanwhile_waits_for_what_the_background_is_at(site: Site) -> None:
    async def story() -> None:
        site.serve_app()
        site.hold.clear()
        watched = Watched()
        async with asyncio.TaskGroup() as tasks:
            background = tasks.create_task(watched.explainer.run())
            watched.send(error(site), origin=site.origin)
            while not site.asked:  # noqa: ASYNC110  # the site runs in a thread
                await asyncio.sleep(0)
            asked = tasks.create_task(watched.context())
            await asyncio.sleep(0)
            site.hold.set()

            assert (await asked)["summary"] == SENTENCE
            background.cancel()

    run(story)


def test_a_map_is_asked_for_once(site: Site) -> None:
    async def story() -> None:
        site.serve_app()
        watched = Watched()
        for number in range(10):
            watched.send(error(site, f"e{number}"), origin=site.origin)
            assert (await watched.context(number))["summary"] == SENTENCE

        assert len(site.asked) == 2

    run(story)


def test_a_script_without_a_map_is_asked_for_once_too(site: Site) -> None:
    async def story() -> None:
        site.files["/assets/app.js"] = b"code()"
        watched = Watched()
        for number in range(3):
            watched.send(error(site, f"e{number}"), origin=site.origin)
            context = await watched.context(number)

        assert site.asked == ["GET /assets/app.js"]
        assert context["sourceNote"] == (
            f"No source for {site.url}/assets/app.js: it names no source map."
        )

    run(story)


def test_a_development_server_is_asked_again_after_a_while(site: Site) -> None:
    async def story() -> None:
        site.serve_app()
        watched = Watched()
        watched.send(error(site), origin=site.origin)
        await watched.explainer.settle()
        site.files["/assets/app.js.map"] = source_map(sources=["../src/changed.ts"]).encode()
        watched.clock.now_ms += cache.FRESH_S + 1

        watched.send(error(site, "e2"), origin=site.origin)

        assert (await watched.context(1))["sourceSnippets"][0]["file"] == "src/changed.ts"

    run(story)


def test_a_page_cannot_make_the_server_ask_another_origin(site: Site) -> None:
    async def story() -> None:
        with running_site() as other:
            other.serve_app()
            watched = Watched()
            claims = {"url": f"{other.url}/cart", "stack": other.stack()}

            watched.send(error(site, **claims), origin=site.origin)
            watched.send(error(site, "e2", **claims), origin="https://shop.example")
            watched.send(error(site, "e3", **claims), origin="null")
            await watched.explainer.settle()

            assert other.asked == []
            assert "sourceSnippets" not in (await watched.context())

    run(story)


def test_a_map_on_another_origin_is_not_asked_for(site: Site) -> None:
    async def story() -> None:
        with running_site() as other:
            site.serve_app()
            site.files["/assets/app.js"] = f"f()\n//# sourceMappingURL={other.url}/x.map".encode()
            watched = Watched()
            watched.send(error(site), origin=site.origin)

            assert "not of the page's own origin" in (await watched.context())["sourceNote"]
            assert other.asked == []

    run(story)


def test_a_program_of_the_user_vouches_for_its_page(site: Site) -> None:
    async def story() -> None:
        site.serve_app()
        watched = Watched()

        watched.send(error(site), origin=None)
        watched.send(error(site, "e2"), origin="chrome-extension://abcdefgh")

        assert (await watched.context())["summary"] == SENTENCE
        assert (await watched.context(1))["summary"] == SENTENCE

    run(story)


def test_this_server_does_not_ask_itself(site: Site) -> None:
    async def story() -> None:
        site.serve_app()
        watched = Watched(own_port=int(site.url.rpartition(":")[2]))

        watched.send(error(site), origin=site.origin)

        assert "this server has no pages" in (await watched.context())["sourceNote"]
        assert site.asked == []

    run(story)


def test_an_inline_map_is_read(site: Site) -> None:
    async def story() -> None:
        encoded = base64.b64encode(source_map(sources=["pay.ts"]).encode()).decode()
        script = f"f()\n//# sourceMappingURL=data:application/json;base64,{encoded}"
        site.files["/src/a.ts"] = script.encode()
        watched = Watched()
        watched.send(error(site, stack=site.stack("/src/a.ts")), origin=site.origin)

        assert (await watched.context())["sourceSnippets"][0]["file"] == "src/pay.ts"
        assert site.asked == ["GET /src/a.ts"]

    run(story)


def test_build_folders_come_before_the_network(site: Site, tmp_path: Path) -> None:
    async def story() -> None:
        (tmp_path / "app.js.map").write_text(source_map(), encoding="utf-8")
        watched = Watched(tmp_path)

        watched.send(error(site), origin="https://shop.example")

        assert (await watched.context())["sourceSnippets"] == [SNIPPET]
        assert site.asked == []

    run(story)


def upload(url: str, **fields: Any) -> dict[str, Any]:
    return {"type": "gasoline-source", "url": url} | (fields or {"map": source_map()})


CDN = "https://cdn.example/assets/app.js"


def cdn_error(error_id: str | None = "e1") -> dict[str, Any]:
    sent = log(type="exception", message=READ_NULL, stack=f"TypeError: x\n    at pay ({CDN}:1:40)")
    return sent | ({"_errorId": error_id} if error_id else {})


def test_a_map_that_the_page_sent_explains_a_script_of_another_origin() -> None:
    async def story() -> None:
        watched = Watched()
        watched.send(upload(CDN), cdn_error(), origin="https://shop.example")

        assert (await watched.context())["sourceSnippets"] == [SNIPPET]

    run(story)


def test_a_map_too_large_for_a_batch_explains_once_its_last_part_is_here() -> None:
    async def story() -> None:
        watched = Watched()
        large = source_map(
            sources=["../src/pay.ts", "rest.ts"], sourcesContent=[CODE, "x" * 6 * 2**20]
        )
        parts = [large[start : start + 2**20] for start in range(0, len(large), 2**20)]
        watched.send(cdn_error(), origin="https://shop.example")
        for number, text in enumerate(parts):
            assert "sourceSnippets" not in await watched.context()
            sent = upload(CDN, map=text, part=number, parts=len(parts))
            watched.send(sent, origin="https://shop.example")

        await watched.explainer.settle()

        assert (await watched.context())["sourceSnippets"] == [SNIPPET]

    run(story)


def test_a_map_that_comes_after_the_error_explains_it_too() -> None:
    async def story() -> None:
        watched = Watched()
        watched.send(cdn_error(), origin="https://shop.example")
        before = await watched.context()
        watched.send(upload(CDN), origin="https://shop.example")

        await watched.explainer.settle()
        after = await watched.context()

        assert "sourceSnippets" not in before
        assert after["summary"] == SENTENCE

    run(story)


def test_a_map_that_one_page_sent_is_not_believed_about_another() -> None:
    async def story() -> None:
        watched = Watched()
        watched.send(upload(CDN), origin="https://evil.example")
        watched.send(cdn_error(), origin="https://shop.example")

        assert "sourceSnippets" not in (await watched.context())

    run(story)


def test_a_page_that_could_not_get_a_map_says_why() -> None:
    async def story() -> None:
        watched = Watched()
        watched.send(upload(CDN, error="the map has 20 MB"), cdn_error(), origin=None)

        assert (await watched.context())["sourceNote"] == f"No source for {CDN}: the map has 20 MB."

    run(story)


@pytest.mark.parametrize(
    ("served", "reason"),
    [
        ("", "this is no source map"),
        ("<!doctype html>", "this is no source map"),
        (source_map()[:-20], "this is no source map"),
        (source_map(mappings="!!!"), "no base64 digit"),
        (source_map(sourcesContent=None), "holds no sources"),
        (source_map(sourcesContent=[None]), "holds no sources"),
        (source_map(sourcesContent=["one line"]), "beyond the end of a file"),
        (source_map(mappings=""), "says nothing about this place"),
        (source_map(version=2), "this is no source map"),
        ("//# sourceMappingURL=app.js.map", "this is no source map"),
    ],
)
def test_a_broken_or_lying_map_is_a_reason_and_nothing_worse(
    site: Site, served: str, reason: str
) -> None:
    async def story() -> None:
        site.serve_app()
        site.files["/assets/app.js.map"] = served.encode()
        watched = Watched()
        watched.send(error(site), origin=site.origin)

        context = await watched.context()

        assert reason in context["sourceNote"]
        assert (
            context["summary"] == "TypeError — Cannot read properties of null (reading 'amount')."
        )

    run(story)


@pytest.mark.parametrize(
    "stack",
    [
        "",
        "Error: no calls here",
        "x\n    at eval (eval at f (blob:http://a/1:1:1), <anonymous>:1:1)",
        "x\n    at blob:http://127.0.0.1/1-2:1:1",
        "x\n    at data:text/javascript,f():1:1",
        "x\n    at chrome-extension://abc/content.js:1:1",
        "x\n    at http://[broken:1:1",
        "x\n    at http://127.0.0.1:1/a.js:99999999:99999999",
    ],
)
def test_a_stack_from_anywhere_still_gets_a_sentence(site: Site, stack: str) -> None:
    async def story() -> None:
        watched = Watched()
        watched.send(error(site, stack=stack), origin=site.origin)

        assert (await watched.context())["summary"].startswith("TypeError — ")

    run(story)


def test_a_thrown_string_has_the_place_that_the_browser_named(site: Site) -> None:
    async def story() -> None:
        script = site.serve_app()
        thrown = {"message": "Uncaught boom", "stack": "", "filename": script}
        watched = Watched()
        watched.send(error(site, lineno=1, colno=40, **thrown), origin=site.origin)

        assert (await watched.context())["summary"] == "Error in src/pay.ts:3 — boom."

    run(story)


def test_three_calls_are_looked_at_and_no_more(site: Site) -> None:
    async def story() -> None:
        site.serve_app()
        stack = "\n".join([site.stack()] + [site.stack().split("\n")[1]] * 9)
        watched = Watched()
        watched.send(error(site, stack=stack), origin=site.origin)

        assert len((await watched.context())["sourceSnippets"]) == 3

    run(story)


def test_snippets_stay_within_ten_kilobytes(site: Site) -> None:
    async def story() -> None:
        site.serve_app()
        long = "\n".join(['"' * 500] * 20)
        site.files["/assets/app.js.map"] = source_map(sourcesContent=[long]).encode()
        stack = "\n".join([site.stack()] + [site.stack().split("\n")[1]] * 2)
        watched = Watched()
        watched.send(error(site, stack=stack), origin=site.origin)

        snippets = (await watched.context())["sourceSnippets"]

        assert 0 < len(snippets) < 3
        assert len(msgspec.json.encode(snippets)) <= 10 * 1024
        assert all(len(line["text"]) <= 200 for one in snippets for line in one["snippet"])

    run(story)


def test_context_of_the_page_makes_the_sentence_longer(site: Site) -> None:
    async def story() -> None:
        site.serve_app()
        watched = Watched()
        watched.send(error(site), origin=site.origin)
        await watched.explainer.settle()
        ancestry = {"framework": "react", "components": [{"name": "App"}, {"name": "Cart"}]}
        sent = {"type": "gasoline-enrichment", "_errorId": "e1"}
        watched.send(sent | {"_aiContext": {"componentAncestry": ancestry}}, origin=site.origin)

        assert await watched.context() == {
            "sourceSnippets": [SNIPPET],
            "componentAncestry": ancestry,
            "summary": f"{SENTENCE} Component tree: App > Cart.",
        }

    run(story)


def test_context_that_a_client_made_itself_is_left_as_it_is(site: Site) -> None:
    async def story() -> None:
        site.serve_app()
        own = {"summary": "my own words", "sourceSnippets": [SNIPPET | {"file": "mine.ts"}]}
        watched = Watched()
        watched.send(error(site, _aiContext=own), origin=site.origin)

        assert await watched.context() == own
        assert site.asked == []

    run(story)


def test_a_page_whose_user_wants_no_source_gets_the_sentence_only(site: Site) -> None:
    async def story() -> None:
        site.serve_app()
        watched = Watched()
        watched.send(error(site, _aiContext={"sourceSnippets": []}), origin=site.origin)

        context = await watched.context()

        assert context["sourceSnippets"] == []
        assert (
            context["summary"] == "TypeError — Cannot read properties of null (reading 'amount')."
        )
        assert site.asked == []

    run(story)


def test_an_entry_without_an_id_stays_as_it_was_sent_but_is_explained_when_asked(
    site: Site,
) -> None:
    async def story() -> None:
        site.serve_app()
        watched = Watched()
        watched.send(error(site, None), origin=site.origin)
        await watched.explainer.settle()
        (kept,) = watched.ingest.store.oldest(LogEntry)

        assert watched.entries == [error(site, None)]
        assert watched.explainer.complete(kept.read(LogEntry)).ai_context.summary == SENTENCE

    run(story)


def test_secrets_in_the_source_are_removed(site: Site) -> None:
    async def story() -> None:
        site.serve_app()
        secret = 'const key = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";'
        code = CODE.replace("const total = order.total;", secret)
        site.files["/assets/app.js.map"] = source_map(sourcesContent=[code]).encode()
        watched = Watched()
        watched.send(error(site), origin=site.origin)

        line = (await watched.context())["sourceSnippets"][0]["snippet"][1]["text"]

        assert "ghp_abcdefghij" not in line
        assert "[redacted:" in line

    run(story)


def test_an_error_whose_entry_is_gone_is_forgotten(site: Site) -> None:
    async def story() -> None:
        watched = Watched()
        watched.send(error(site), origin=site.origin)
        watched.ingest.store.clear()

        await watched.explainer.settle()

        assert site.asked == []

    run(story)
