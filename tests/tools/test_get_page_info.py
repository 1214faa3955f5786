"""What page is open now."""

import json
from typing import Any

from tests.tools.asking import Page

INFO: dict[str, Any] = {
    "url": "http://shop/cart?q=1",
    "title": "Cart",
    "viewport": {"width": 1280, "height": 720},
    "scroll": {"x": 0, "y": 40},
    "documentHeight": 2400,
    "headings": ["Cart", "Total"],
    "links": 12,
    "images": 3,
    "interactiveElements": 20,
    "forms": [{"id": "pay", "action": "/pay", "fields": ["card", "name"]}],
}


def test_the_page_is_described() -> None:
    answer = Page(INFO).ask("get_page_info")

    assert answer == {
        "summary": '"Cart" at http://shop/cart?q=1: '
        "2 headings, 1 form, 12 links, 20 interactive elements.",
        "capture": {"state": "complete", "why": "Answered live by tab 31."},
        **INFO,
    }


def test_a_page_that_says_little_is_described_as_far_as_it_goes() -> None:
    answer = Page({"url": "about:blank"}).ask("get_page_info")

    assert (answer["url"], answer["links"], answer["headings"]) == ("about:blank", 0, [])


def test_a_page_of_endless_forms_fits_the_answer() -> None:
    forms = [
        {"id": f"form-{n}", "fields": [f"field-{n}-{m}" for m in range(50)]} for n in range(50)
    ]
    info = INFO | {"forms": forms, "headings": ["h" * 200] * 50, "title": "t" * 9999}

    answer = Page(info).ask("get_page_info")

    assert answer["forms"]
    assert len(json.dumps(answer)) < 4000 * 4


def test_a_secret_in_the_address_is_not_shown() -> None:
    text = Page(INFO | {"url": "http://shop/?api_key=abcdefgh12345678"}).call("get_page_info").text

    assert "abcdefgh12345678" not in text
