"""JUnit XML for dashboards."""

import re
from xml.etree import ElementTree as ET

from gasoline.analysis.diagnosis import Diagnosis
from gasoline.generation.report.summary import Outcome, Summary, describe_capture, short_id
from gasoline.generation.untrusted import strip_invisible

# XML 1.0 knows no escape for these.
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def write_junit(summary: Summary) -> str:
    """One suite; failing tests carry their diagnosis, skipped ones say so."""
    skipped = sum(outcome.last.status == "skipped" for outcome in summary.outcomes)
    errors = sum(outcome.last.status == "error" for outcome in summary.outcomes)
    suite = ET.Element(
        "testsuite",
        name="gasoline",
        tests=str(len(summary.outcomes)),
        failures=str(len(summary.failures) - errors),
        errors=str(errors),
        skipped=str(skipped),
        time=f"{sum(_seconds(outcome) for outcome in summary.outcomes):.3f}",
    )
    for outcome in summary.outcomes:
        _add_case(suite, outcome)
    root = ET.Element("testsuites")
    root.append(suite)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _add_case(suite: ET.Element, outcome: Outcome) -> None:
    classname, _, name = _clean(short_id(outcome.test_id)).rpartition(" > ")
    case = ET.SubElement(
        suite,
        "testcase",
        classname=classname or "gasoline",
        name=name,
        time=f"{_seconds(outcome):.3f}",
    )
    if outcome.last.status == "skipped":
        ET.SubElement(case, "skipped")
    elif outcome.failed:
        kind = "error" if outcome.last.status == "error" else "failure"
        told = ET.SubElement(case, kind, message=_clean(_message(outcome.telling)), type=kind)
        told.text = _clean(_details(outcome.telling))
    elif outcome.flaky:
        ET.SubElement(case, "system-out").text = _clean("flaky: " + _details(outcome.telling))


def _message(diagnosis: Diagnosis) -> str:
    said = diagnosis.evidence.run.message
    primary = diagnosis.primary
    return f"{primary.title}{primary.where}" if primary else said or "failed"


def _details(diagnosis: Diagnosis) -> str:
    said = diagnosis.evidence.run.message
    events = [f"[{event.kind}] {event.title}{event.where}" for event in diagnosis.events]
    capture = describe_capture(diagnosis.evidence.capture)
    return "\n".join([*([said] if said else []), *diagnosis.hints, *events, *capture])


def _seconds(outcome: Outcome) -> float:
    return sum((attempt.evidence.run.duration_ms or 0) / 1000 for attempt in outcome.attempts)


def _clean(text: str) -> str:
    return _NOT_XML.sub("", strip_invisible(text))
