"""JUnit XML for dashboards."""

from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from gasoline.generation.report.junit import write_junit
from tests.generation.report.stories import attempt, broken_order, error, report


def test_failing_passing_skipped_and_broken_tests_are_told_apart() -> None:
    xml = ET.fromstring(  # noqa: S314  # our own output
        write_junit(
            report(
                attempt("shop > checkout", exchanges=(broken_order(),)),
                attempt("shop > browse", status="passed"),
                attempt("shop > later", status="skipped"),
                attempt("shop > crash", status="interrupted"),
            )
        )
    )

    (suite,) = xml
    assert {key: suite.get(key) for key in ("tests", "failures", "errors", "skipped")} == {
        "tests": "4",
        "failures": "1",
        "errors": "1",
        "skipped": "1",
    }
    failure = suite.find("testcase/failure")
    assert failure is not None
    assert failure.get("message") == "POST /api/orders/17 → 500"
    assert "null pointer: user.address" in (failure.text or "")
    assert [case.get("name") for case in suite] == ["checkout", "browse", "later", "crash"]


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_text_makes_valid_xml(test_id: str, message: str) -> None:
    xml = write_junit(report(attempt(test_id or "t", logs=(error(message),), message=message)))

    assert ET.fromstring(xml).tag == "testsuites"  # noqa: S314  # our own output
