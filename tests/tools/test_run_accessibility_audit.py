"""What keeps people from using the page."""

import asyncio
import json
from typing import Any

import pytest

from gasoline.live.browsers import Tab
from tests.tools.asking import Page


def violation(rule: str = "image-alt", impact: str | None = "critical", **more: Any) -> Any:
    node = {"selector": "img.hero", "html": "<img>", "failureSummary": "Fix it"}
    return {
        "id": rule,
        "impact": impact,
        "description": "Images need text",
        "helpUrl": "https://dequeuniversity.com/rules/image-alt",
        "wcag": ["wcag2a"],
        "nodes": [node],
        **more,
    }


def audit(*violations: Any) -> dict[str, Any]:
    counts = {"violations": len(violations), "passes": 4, "incomplete": 0, "inapplicable": 9}
    return {"violations": list(violations), "summary": counts}


def test_the_worst_comes_first_and_the_summary_names_it() -> None:
    page = Page(
        audit(
            violation("region", "moderate"),
            violation("image-alt", nodeCount=23),
            violation("odd", None),
            violation("label"),
        )
    )

    answer = page.ask("run_accessibility_audit")

    assert answer["summary"] == (
        "2 critical violations: image-alt (23 nodes), label (1 node); "
        "1 moderate violation: region (1 node); 1 other violation: odd (1 node)."
    )
    assert [one["id"] for one in answer["violations"]] == ["image-alt", "label", "region", "odd"]
    assert answer["violations"][0] == violation("image-alt", nodeCount=23)
    assert answer["counts"] == {"violations": 4, "passes": 4, "incomplete": 0, "inapplicable": 9}
    assert list(answer)[:2] == ["summary", "capture"]


def test_a_clean_page_is_said_to_be_clean() -> None:
    answer = Page(audit()).ask("run_accessibility_audit")

    assert answer["summary"] == "No accessibility violations found."
    assert answer["violations"] == []


def test_scope_and_tags_reach_the_page() -> None:
    page = Page(audit())

    page.ask("run_accessibility_audit", scope="#main", tags=["wcag2a", "wcag2aa"])

    assert [(asked.type, asked.params) for asked in page.asked] == [
        ("a11y", {"scope": "#main", "tags": ["wcag2a", "wcag2aa"]})
    ]


def test_the_same_question_is_asked_once_unless_the_caller_insists() -> None:
    page = Page(audit())

    async def scenario() -> None:
        for arguments in (
            {},
            {},
            {"tags": ["b", "a"]},
            {"tags": ["a", "b"]},
            {"scope": "#main"},
            {"force_refresh": True},
        ):
            await page.call_soon("run_accessibility_audit", **arguments)

    asyncio.run(scenario())

    assert len(page.asked) == 4


def test_callers_at_the_same_time_share_one_run() -> None:
    page = Page(audit(violation()))

    async def scenario() -> list[str]:
        calls = [page.call_soon("run_accessibility_audit") for _ in range(5)]
        return [answer.text for answer in await asyncio.gather(*calls)]

    answers = asyncio.run(scenario())

    assert len(page.asked) == 1
    assert len(set(answers)) == 1


def test_a_navigation_makes_the_audit_before_it_old() -> None:
    page = Page(audit())

    async def scenario() -> None:
        await page.call_soon("run_accessibility_audit")
        (browser,) = page.questions.browsers
        page.questions.browsers.note_tabs(browser, [Tab(31, "http://shop/pay", active=True)])
        await page.call_soon("run_accessibility_audit")

    asyncio.run(scenario())

    assert len(page.asked) == 2


def test_every_rule_is_shown_before_every_place() -> None:
    node = {"selector": "div > " * 10, "html": "<img>" * 40, "failureSummary": "f" * 200}
    page = Page(audit(*(violation(f"rule-{n}", nodes=[node] * 10) for n in range(12))))

    answer = page.ask("run_accessibility_audit")

    assert "omitted" not in answer
    assert len(answer["violations"]) == 12
    assert {one["nodeCount"] for one in answer["violations"]} == {10}
    assert len(json.dumps(answer)) < 4000 * 4


def test_rules_that_do_not_fit_are_counted() -> None:
    page = Page(audit(*(violation(f"rule-{n}", nodes=[{"html": "x" * 900}]) for n in range(90))))

    answer = page.ask("run_accessibility_audit")

    assert answer["omitted"] == 90 - len(answer["violations"]) > 0
    assert "and 85 more" in answer["summary"]
    assert len(json.dumps(answer)) < 4000 * 4


def test_a_failed_audit_is_an_error_and_not_remembered() -> None:
    page = Page({"error": "Accessibility audit timeout"})

    errors = [page.fail("run_accessibility_audit") for _ in range(2)]

    assert errors == ["The page could not answer: Accessibility audit timeout"] * 2
    assert len(page.asked) == 2


@pytest.mark.parametrize("tags", ["wcag2a", [1], ["x"] * 51])
def test_tags_are_a_short_list_of_names(tags: Any) -> None:
    assert Page(audit()).fail("run_accessibility_audit", tags=tags).startswith("tags")
