"""Draws the extension's icons from packages/extension/static/icon.svg: run it when that changes."""

import os
import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

STATIC = Path(__file__).parents[2] / "packages" / "extension" / "static"
SIZES = (16, 48, 128)


def draw() -> None:
    """One PNG for each size, on nothing."""
    svg = (STATIC / "icon.svg").read_text()
    browser_path = os.environ.get("GASOLINE_BROWSER") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        for size in SIZES:
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(f"<style>body{{margin:0}}svg{{display:block}}</style>{svg}")
            page.screenshot(path=STATIC / "icons" / f"{size}.png", omit_background=True)
        browser.close()


if __name__ == "__main__":
    draw()
