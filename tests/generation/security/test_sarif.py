"""An audit as SARIF, held against the standard's schema."""

import json
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from jsonschema import Draft7Validator

from gasoline.analysis.security.finding import Audit
from gasoline.generation.security.sarif import write_sarif
from tests.analysis.security.auditing import Session
from tests.redaction.samples import TOKENS
from tests.redaction.strategies import secret_texts

SCHEMA = json.loads(Path(__file__).with_name("sarif-2.1.0.json").read_text(encoding="utf-8"))
VALIDATOR = Draft7Validator(SCHEMA, format_checker=Draft7Validator.FORMAT_CHECKER)
KEY = "Zx8kQ0pLm3Vt9Rw2Yb5Nc7Hd"


def sarif_of(audit: Audit) -> Any:
    log = json.loads(write_sarif(audit))
    VALIDATOR.validate(log)
    return log


def test_every_kind_of_finding_is_a_valid_result() -> None:
    body = '{"email":"ann@mailpost.no"}'
    session = Session().call(
        url=f"http://shop.io/a?api_key={KEY}",
        responseBody=body,
        hasAuthHeader=False,
        pageUrl="https://shop.io/",
    )
    session.say(f"token {TOKENS['jwt']}").hear(TOKENS["openai-key"], url="ws://shop.io/live")
    audit = session.audit()

    (run,) = sarif_of(audit)["runs"]

    assert len(run["results"]) == len(audit.findings) == 8
    assert {result["level"] for result in run["results"]} == {"error", "warning"}
    rules = run["tool"]["driver"]["rules"]
    assert [rules[one["ruleIndex"]]["id"] for one in run["results"]] == [
        one["ruleId"] for one in run["results"]
    ]


def test_nothing_found_is_a_valid_log_without_results() -> None:
    (run,) = sarif_of(Session().audit())["runs"]

    assert run["results"] == []


def test_a_finding_keeps_its_fingerprint_while_values_change() -> None:
    def fingerprint(value: str) -> str:
        audit = Session().call(url=f"https://shop.io/a?api_key={value}").audit()
        result = sarif_of(audit)["runs"][0]["results"][0]
        return str(result["partialFingerprints"]["gasoline/v1"])

    assert fingerprint(KEY) == fingerprint(KEY[::-1])


@settings(deadline=None, max_examples=50)
@given(url=secret_texts, body=secret_texts)
def test_whatever_a_page_does_the_log_is_valid(url: str, body: str) -> None:
    sarif_of(Session().call(url=url or "/", responseBody=body).say(body).audit())
