"""What the capture says of an element, and the locator made of it: in the same page it finds just that one."""

import re

import msgspec
import pytest
from playwright.sync_api import Locator, Page

from gasoline.generation.script.browsing import locate
from gasoline.generation.script.locator import choose_locator
from gasoline.generation.script.spelling import PYTHON
from gasoline.records.action import Selectors

SELECTORS = "html => { document.body.innerHTML = html; const t = document.querySelector('[data-t]'); t.removeAttribute('data-t'); window.wanted = t; return lab.selectorsOf(t) }"
MANY = "<a href=/x>More</a>" * 61

# The element is the one with `data-t`.
PAGES = {
    "a label and a heading that say the same": "<h2>Size</h2><label data-t>Size</label>",
    "a clickable box and a paragraph": "<p>Pay</p><div onclick=1 data-t>Pay</div>",
    "the same text in two pieces": "<p>Pay <b>now</b></p><div onclick=1 data-t>Pay now</div>",
    "the same text in a box in a box": "<div><i><b>Pay</b></i></div><div onclick=1 data-t>Pay</div>",
    "the same text, hidden": "<p hidden>Pay</p><div onclick=1 data-t>Pay</div>",
    "the same text on an old button": "<input type=submit value=Pay><div onclick=1 data-t>Pay</div>",
    "a summary and a link": "<a href=/x>More</a><details><summary data-t>More</summary></details>",
    "a summary with an id": "<details><summary data-t id=faq>More</summary></details>",
    "a summary and a cell": "<table><tr><td>More</td></tr></table><details><summary data-t>More</summary></details>",
    "an option of its own and a word in a list": "<ul><li>Red</li></ul><a data-t onclick=1>Red</a>",
    "text among many links": f"{MANY}<p>Less</p><a data-t onclick=1>Less</a>",
    "parts that tell apart": "<ul><li>Mug <p>Buy</p></li><li>Lamp <a data-t onclick=1>Buy</a></li></ul>",
    "parts in which the text is said twice": "<ul><li>Mug <a onclick=1>Buy</a></li><li>Lamp <p>Buy</p><a data-t onclick=1>Buy</a></li></ul>",
    "a number that is part of another": "<ul><li>Row 10 <button>Edit</button></li><li>Row  1 <button data-t>Edit</button></li><li>Row 21 <button>Edit</button></li></ul>",
    "numbers side by side": "<table><tr><td>HL-1<td>2026<td><button data-t>Edit</button><tr><td>HL-2<td>2025<td><button>Edit</button></table>",
    "numbers side by side, one part of another": "<table><tr><td>HL-1<td>2026<td><button data-t>Edit</button><tr><td>HL-10<td>2025<td><button>Edit</button></table>",
    "inner elements": "<div onclick=1 data-t><b>Pay</b></div>",
    "text that is part of a longer one": "<p>Pay later</p><div onclick=1 data-t>Pay</div>",
    "another case": "<p>PAY</p><div onclick=1 data-t>Pay</div>",
    "a field and an area of one name": "<textarea aria-label=Note></textarea><input aria-label=Note data-t>",
    "a list of options and a field with suggestions": "<input list=x aria-label=City><select aria-label=City data-t></select>",
    "headings of two levels": "<h1>Cart</h1><h2 data-t>Cart</h2>",
    "a box with a label and a field with one": "<label>Find <input></label><div aria-label=Find data-t>o</div>",
    "a row of two hundred": "<table>" + "".join(f"<tr><td>Row {i}</td><td><button {'data-t' * (i == 20)}>Edit</button></td></tr>" for i in range(200)) + "</table>",
    "a link among many with pictures": '<a href=/x><img alt="Log in"></a>' + MANY + "<a href=/y data-t>Log in</a>",
    "one of two thousand": "<button>Edit</button>" * 1999 + "<button data-t>Edit</button>",
    "a card as a link": "<a href=/1 data-t><article><h3>Mug</h3><p>Ten</p></article></a><a href=/2><article><h3>Lamp</h3><p>Ten</p></article></a>",
    "a card with a label": "<a href=/1 data-t aria-label=Mug><figure>Mug</figure></a><p>Mug</p>",
    "what is hidden from assistive technology": "<div aria-hidden=true><button data-t>Go</button></div>",
    "a box in which is written": "<div role=textbox contenteditable placeholder=Note data-t>x</div>",
    "the title of the page": "<a onclick=1 data-t>Test page</a>",
}  # fmt: skip


@pytest.fixture
def titled(lab: Page) -> Page:
    lab.evaluate("document.title = 'Test page'")
    return lab


def locator_of(page: Page, html: str) -> tuple[str, Locator]:
    selectors = msgspec.convert(page.evaluate(SELECTORS, html), Selectors)
    chosen = choose_locator(selectors)
    assert chosen
    written = locate(chosen, PYTHON)
    found = eval(written, {"page": page, "re": re})  # noqa: S307  # what was just generated is what is tested
    assert isinstance(found, Locator)
    return written, found


@pytest.mark.parametrize("html", PAGES.values(), ids=PAGES.keys())
def test_a_locator_finds_just_the_element_that_was_recorded(titled: Page, html: str) -> None:
    written, found = locator_of(titled, html)

    assert (written, found.count()) == (written, 1)
    assert found.evaluate("element => window.wanted.contains(element)"), written


@pytest.mark.parametrize(
    ("page", "written"),
    [
        ("a clickable box and a paragraph", 'page.locator("div").filter(has_text="Pay")'),
        (
            "a number that is part of another",
            r'page.locator("li").filter(has_text=re.compile("(?<!\\d)Row\\s+1(?!\\d)")).get_by_role("button", name="Edit", exact=True)',
        ),
    ],
)
def test_what_tells_an_element_apart_is_said_rather_than_counted(
    titled: Page, page: str, written: str
) -> None:
    assert locator_of(titled, PAGES[page])[0] == written


def test_a_text_that_nothing_else_says_is_enough(titled: Page) -> None:
    assert locator_of(titled, PAGES["the title of the page"])[0] == 'page.get_by_text("Test page", exact=True)'  # fmt: skip
