"""Whole scripts of any session: each is a program, whatever the page said."""

import ast
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gasoline.store import Store
from tests.builders import NOON_MS, ingest, send_actions, send_exchanges, send_logs
from tests.generation.script.test_literal import NASTY
from tests.tools.asking import ask

ROOT = Path(__file__).parents[3]
ESBUILD = ROOT / "node_modules" / ".bin" / "esbuild"

# JSON carries no half characters.
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30) | st.sampled_from(
    [text for text in NASTY if text.isprintable() or "\ud800" not in text]
)
TYPES = ["click", "input", "select", "keypress", "submit", "scroll", "drag", "dialog", "navigate"]
URLS = ["http://app/a", "http://app/b?token=x", "blob:x", "", "/r"]
ANSWERS = ['{"a":{"it\'s":1}}', "[[]]", "null", "{", '{"":[{"b":2}]}']
maybe = st.none() | texts
selectors = st.fixed_dictionaries(
    {},
    optional={
        "testId": texts,
        "ariaLabel": texts,
        "id": texts,
        "text": texts,
        "cssPath": texts,
        "role": st.fixed_dictionaries(
            {"role": st.sampled_from(["button", "link", "textbox", "x"]), "name": texts}
        ),
        "scope": st.fixed_dictionaries({"css": texts, "text": maybe, "own": st.booleans()}),
        "unique": st.dictionaries(
            st.sampled_from(["testId", "role", "roleExact", "roleCounted", "text", "cssPath"]),
            st.booleans(),
        ),
    },
)
actions = st.fixed_dictionaries(
    {
        "type": st.sampled_from(TYPES),
        "url": st.sampled_from(URLS) | texts,
        "timestamp": st.integers(0, 20_000).map(lambda ms: NOON_MS + ms),
        "selectors": selectors,
    },
    optional={
        "value": texts,
        "key": texts,
        "toUrl": texts,
        "selectedValue": texts,
        "selectedText": texts,
        "inputType": st.sampled_from(["text", "password", "file"]),
        "frame": texts,
        "text": texts,
        "drop": selectors,
        "tabId": st.integers(1, 2),
    },
)
exchanges = st.fixed_dictionaries(
    {
        "url": st.sampled_from(["http://app/api/x", "/api/7", "data:,x"]) | texts,
        "method": st.sampled_from(["GET", "POST", "PUT"]),
        "status": st.sampled_from([0, 200, 404]),
        "timestamp": st.integers(0, 20_000).map(lambda ms: NOON_MS + ms),
        "contentType": st.just("application/json"),
        "requestBody": st.sampled_from(['{"password":"x","a.b":[1]}', '{"query":"query Q { a }"}']),
        "responseBody": st.sampled_from(ANSWERS),
    }
)
sessions = st.tuples(
    st.lists(actions, min_size=1, max_size=6),
    st.lists(exchanges, max_size=4),
    st.lists(texts, max_size=2),
)


def store_of(session: tuple[list[Any], list[Any], list[str]]) -> Store:
    into = ingest()
    acted, asked, said = session
    send_actions(into, *acted)
    send_exchanges(into, *asked)
    send_logs(into, *[{"level": "error", "message": text, "timestamp": NOON_MS} for text in said])
    return into.store


@settings(deadline=None)
@given(sessions, texts)
def test_python_is_python(session: Any, name: str) -> None:
    store = store_of(session)

    answer = ask(
        store, "generate_test", format="pytest", test_name=name, assertions={}, fixtures=True,
        include_fixtures=True, inline=True,
    )  # fmt: skip
    script = ask(store, "get_reproduction_script", format="pytest", inline=True)["script"]

    for text in (answer["test_script"], answer["fixture_file"], script):
        ast.parse(text)


@pytest.fixture(scope="module")
def javascript(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Scripts of many sessions, for one run of the parser."""
    folder = tmp_path_factory.mktemp("scripts")
    written: list[str] = []

    @settings(max_examples=60, deadline=None, database=None)
    @given(sessions, texts)
    def write(session: Any, name: str) -> None:
        store = store_of(session)
        answer = ask(
            store, "generate_test", test_name=name, assertions={"visual": True}, fixtures=True,
            include_fixtures=True, inline=True,
        )  # fmt: skip
        plain = ask(store, "get_reproduction_script", inline=True)["script"]
        cypress = ask(store, "get_reproduction_script", format="cypress", inline=True)["script"]
        written.extend([answer["test_script"], answer["fixture_file"], plain, cypress])

    write()
    for number, text in enumerate(written):
        (folder / f"script{number}.ts").write_text(text, encoding="utf-8")
    return folder


def test_javascript_is_javascript(javascript: Path) -> None:
    scripts = sorted(javascript.glob("*.ts"))

    finished = subprocess.run(
        [ESBUILD, *scripts, f"--outdir={javascript / 'out'}", "--log-limit=5"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert finished.returncode == 0, finished.stderr[:3000]
    assert len(list((javascript / "out").iterdir())) == len(scripts) > 200
