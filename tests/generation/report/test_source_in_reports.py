"""Reports name the source as its author wrote it, and say the same sentence as the tools."""

from collections.abc import Callable

import pytest

from gasoline.generation.report.ai_context import FAILURE_TOKENS, write_ai_context
from gasoline.generation.report.json_report import write_json
from gasoline.generation.report.junit import write_junit
from gasoline.generation.report.summary import Summary
from gasoline.generation.report.text import write_text
from gasoline.records.ai_context import AiContext, SnippetLine, SourceSnippet
from tests.generation.report.stories import attempt, error, report

SENTENCE = "TypeError in src/pay.ts:12 — `total` is null when reading `amount`."
CONTEXT = AiContext(
    summary=SENTENCE,
    source_snippets=[
        SourceSnippet(
            "src/pay.ts",
            12,
            16,
            [
                SnippetLine(11, "  const total = order.total;"),
                SnippetLine(12, "  return total.amount;", is_error=True),
                SnippetLine(13, "}"),
            ],
        )
    ],
)
MESSAGE = "TypeError: Cannot read properties of null (reading 'amount')"


def failed(context: AiContext = CONTEXT) -> Summary:
    return report(attempt(logs=(error(MESSAGE, ai_context=context),)))


@pytest.mark.parametrize("write", [write_text, write_junit, write_ai_context, write_json])
def test_every_report_names_the_place_and_says_the_sentence(
    write: Callable[[Summary], str],
) -> None:
    text = write(failed()).replace("'", "`")

    assert "src/pay.ts:12" in text
    assert SENTENCE in text


def test_the_report_for_an_agent_shows_the_line_and_not_the_bundle() -> None:
    text = write_ai_context(failed())

    assert (
        "1. [exception] TypeError: Cannot read properties of null (reading 'amount') "
        "in src/pay.ts:12\n"
        "   at src/pay.ts:12:16\n"
        "     11 | const total = order.total;\n"
        "   > 12 | return total.amount;\n"
        "     13 | }\n"
    ) in text
    assert "a.js" not in text


def test_a_long_context_stays_within_the_tokens_of_one_failure() -> None:
    lines = [SnippetLine(number, "x" * 200, is_error=number == 5) for number in range(11)]
    snippet = SourceSnippet("src/" + "deep/" * 40 + "a.ts", 5, 1, lines)

    text = write_ai_context(failed(AiContext(summary="s" * 2000, source_snippets=[snippet] * 3)))

    assert len(text) <= FAILURE_TOKENS * 4 + 1


def test_the_message_of_junit_ends_in_the_place() -> None:
    assert "(reading 'amount') in src/pay.ts:12\"" in write_junit(failed())


def test_without_a_source_reports_are_as_before() -> None:
    text = write_text(failed(AiContext(summary="TypeError — something.")))

    assert " in " not in text.split("FAILED")[1].split("\n", 1)[1]
