"""Scripts for Cypress hold against Cypress's own types."""

import subprocess
from pathlib import Path

from tests.sessions import Session, login
from tests.tools.asking import ask

ROOT = Path(__file__).parents[3]
TSC = ROOT / "node_modules" / ".bin" / "tsc"
OPTIONS = (
    *("--noEmit", "--strict", "--target", "es2022", "--module", "esnext", "--lib", "es2022,dom"),
    *("--moduleResolution", "bundler", "--types", "cypress", "--skipLibCheck"),
)


def every_kind_of_action() -> Session:
    session = login()
    where = {"testId": "x"}
    for number, key in enumerate(("Enter", "Escape", "Tab")):
        session.act(5 + number, "keypress", key=key, selectors=where)
    session.act(9, "select", selectors={"id": "a b"}, selectedValue="q")
    session.act(10, "input", inputType="file", selectors={"cssPath": "input"}, value="a.png")
    session.act(11, "drag", selectors={"text": "A"}, drop={"text": "B"})
    part = {"css": "li", "text": "it's"}
    among = {"scope": part, "text": "Buy", "unique": {"text": False}}
    session.act(12, "click", frame="iframe", selectors=among)
    session.act(12.1, "dialog", value="dismiss")
    session.act(15, "submit", selectors={"id": "f"})
    return session.fill(16, "", "q").fill(17, "{enter}", "q")


def test_every_kind_of_action_has_the_types_of_cypress(tmp_path: Path) -> None:
    script = ask(
        every_kind_of_action().into.store,
        "get_reproduction_script",
        format="cypress",
        include_screenshots=True,
        inline=True,
    )["script"]
    (tmp_path / "node_modules").symlink_to(ROOT / "node_modules")
    (tmp_path / "session.cy.ts").write_text(script, encoding="utf-8")

    checked = subprocess.run(
        [TSC, *OPTIONS, "session.cy.ts"], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert checked.returncode == 0, checked.stdout
