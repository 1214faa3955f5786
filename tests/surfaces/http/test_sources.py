"""Errors that come over the wire get their source."""

from pathlib import Path
from typing import Any

from tests.servers import RunningServer, running_server, wait_until
from tests.sources.site import Site, running_site, source_map


def error(site: Site) -> dict[str, Any]:
    return {
        "level": "error",
        "type": "exception",
        "message": "Uncaught TypeError: Cannot read properties of null (reading 'amount')",
        "stack": site.stack(),
        "url": f"{site.url}/cart",
        "_errorId": "e1",
    }


def explained(server: RunningServer) -> dict[str, Any]:
    def context() -> dict[str, Any]:
        (entry,) = server.request("GET", "/snapshot").json["logs"]
        found: dict[str, Any] = entry.get("_aiContext", {})
        return found

    wait_until(lambda: "summary" in context(), "the error to be explained")
    return context()


def test_the_page_s_own_server_is_asked_for_the_source(tmp_path: Path) -> None:
    with running_site() as site, running_server(tmp_path) as server:
        site.serve_app()

        answer = server.request("POST", "/logs", {"entries": [error(site)]}, {"Origin": site.url})

        assert answer.json["received"] == 1
        assert explained(server)["sourceSnippets"][0]["file"] == "src/pay.ts"


def test_another_origin_is_never_asked(tmp_path: Path) -> None:
    with running_site() as site, running_server(tmp_path) as server:
        site.serve_app()
        page = {"Origin": "http://localhost:1"}

        server.request("POST", "/logs", {"entries": [error(site)]}, page)

        assert "sourceSnippets" not in explained(server)
        assert site.asked == []


def test_a_build_folder_has_the_source_that_nobody_serves(tmp_path: Path) -> None:
    build = tmp_path / "dist"
    build.mkdir()
    (build / "app.js.map").write_text(source_map(), encoding="utf-8")
    with running_site() as site, running_server(tmp_path, "--source-maps", str(build)) as server:
        server.request("POST", "/logs", {"entries": [error(site)]}, {"Origin": "https://a.example"})

        assert explained(server)["sourceSnippets"][0]["file"] == "src/pay.ts"
        assert site.asked == []


def test_a_recording_has_what_was_found(tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    with running_site() as site, running_server(tmp_path, "--record", str(record)) as server:
        site.serve_app()
        server.request("POST", "/logs", {"entries": [error(site)]}, {"Origin": site.url})
        explained(server)

    assert '"file":"src/pay.ts"' in record.read_text(encoding="utf-8")
