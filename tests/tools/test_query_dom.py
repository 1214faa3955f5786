"""What elements the page has now."""

import json
from typing import Any

import pytest

from gasoline.live.browsers import Tab
from tests.tools.asking import SILENCE, Page

MATCH = {
    "tag": "li",
    "text": "One",
    "visible": True,
    "attributes": {"class": "row"},
    "boundingBox": {"x": 0, "y": 10, "width": 300, "height": 20},
    "styles": {"display": "flex"},
    "children": [],
}


def found(*matches: Any, count: int | None = None, **more: Any) -> dict[str, Any]:
    return {
        "url": "http://shop/cart",
        "title": "Cart",
        "matchCount": len(matches) if count is None else count,
        "returnedCount": len(matches),
        "matches": list(matches),
        **more,
    }


def test_the_page_s_answer_is_passed_on_with_a_conclusion() -> None:
    page = Page(found(MATCH))

    answer = page.ask("query_dom", selector="li.row")

    assert answer == {
        "summary": "1 element matches li.row on /cart.",
        "capture": {"state": "complete", "why": "Answered live by tab 31."},
        "url": "http://shop/cart",
        "title": "Cart",
        "matchCount": 1,
        "returnedCount": 1,
        "matches": [MATCH],
    }
    assert [(asked.type, asked.params) for asked in page.asked] == [("dom", {"selector": "li.row"})]


@pytest.mark.parametrize(
    ("answer", "summary"),
    [
        (found(), "No element matches li on /cart."),
        (found(MATCH, MATCH), "2 elements match li on /cart."),
        (found(MATCH, MATCH | {"visible": False}), "2 elements match li on /cart, 1 hidden."),
        ({}, "No element matches li."),
    ],
)
def test_the_summary_counts(answer: Any, summary: str) -> None:
    assert Page(answer).ask("query_dom", selector="li")["summary"] == summary


def test_what_does_not_fit_is_counted() -> None:
    rows = [MATCH | {"text": f"row {number} " + "x" * 400} for number in range(50)]
    page = Page(found(*rows, count=61))

    answer = page.ask("query_dom", selector="li")

    assert answer["returnedCount"] == len(answer["matches"]) < 50
    assert answer["omitted"] == 61 - answer["returnedCount"]
    assert answer["next"] == "Narrow the selector, or raise max_tokens."
    assert len(json.dumps(answer)) < 4000 * 4


def test_one_huge_element_is_shortened_to_fit() -> None:
    child: Any = {"tag": "p", "text": "y" * 5000}
    huge = MATCH | {"text": "x" * 100_000, "children": [child] * 500}
    for _ in range(100):
        child = {"children": [child]}

    answer = Page(found(huge | {"deep": child})).ask("query_dom", selector="li", max_tokens=500)

    assert answer["returnedCount"] == 1
    assert len(json.dumps(answer)) < 500 * 4


def test_no_secret_of_the_page_is_shown() -> None:
    field = MATCH | {"attributes": {"type": "password", "name": "pw", "value": "hunter2hunter2"}}
    key = MATCH | {"text": "key AKIAIOSFODNN7EXAMPLE in the text"}

    text = Page(found(field, key)).call("query_dom", selector="li").text

    assert "hunter2" not in text
    assert "AKIAIOSFODNN7EXAMPLE" not in text


def test_hidden_and_steering_characters_of_the_page_are_stripped() -> None:
    text = (
        Page(found(MATCH | {"text": "a\u202eb\u200b\x1b[31m"}))
        .call("query_dom", selector="li")
        .text
    )

    assert '"text":"ab[31m"' in text


def test_a_selector_the_page_refuses_is_an_error_with_its_reason() -> None:
    page = Page({"error": "dom_query_failed", "message": "'li[' is not a valid selector"})

    assert page.fail("query_dom", selector="li[") == (
        "The page could not answer: 'li[' is not a valid selector"
    )


@pytest.mark.parametrize("answer", [None, [], "text", 7])
def test_an_answer_that_is_no_object_is_an_error(answer: Any) -> None:
    assert Page(answer).fail("query_dom", selector="li") == (
        "The page's answer is not an object: update the Gasoline extension."
    )


@pytest.mark.parametrize("answer", [{"matches": 7}, {"matchCount": "many"}, {"matches": ["x"]}])
def test_an_answer_in_an_unknown_shape_is_an_error(answer: Any) -> None:
    assert (
        Page(answer)
        .fail("query_dom", selector="li")
        .startswith("The page's answer cannot be read (Expected ")
    )


def test_silence_is_an_error_that_says_how_long_and_what_to_do() -> None:
    error = Page(SILENCE).fail("query_dom", selector="li")

    assert error.startswith("The page did not answer within 0 s.")
    assert "reload the page, then ask again" in error


@pytest.mark.parametrize("selector", ["", "x" * 2001])
def test_a_selector_has_a_length(selector: str) -> None:
    page = Page(found())

    assert page.fail("query_dom", selector=selector).startswith("selector: ")
    assert page.asked == []


def test_an_unknown_tab_is_named_with_the_open_ones() -> None:
    tabs = [Tab(number, f"http://app/{number}") for number in range(12)]
    page = Page(found(), *tabs)

    error = page.fail("query_dom", selector="li", tab_id=99)

    assert error.startswith("tab_id: there is no tab 99. Open tabs: 0 (http://app/0), 1 (")
    assert error.endswith(" and 2 more.")


def test_the_named_tab_is_asked() -> None:
    page = Page(found(), Tab(1, active=True), Tab(2))

    answer = page.ask("query_dom", selector="li", tab_id=2)

    assert answer["capture"]["why"] == "Answered live by tab 2."
    assert [asked.tab_id for asked in page.asked] == [2]
