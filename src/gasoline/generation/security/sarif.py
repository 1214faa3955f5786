"""An audit as SARIF 2.1.0, which code hosts show beside the findings of other scanners."""

import hashlib
import re
from typing import Any, Final
from urllib.parse import quote

import msgspec

from gasoline import __version__
from gasoline.analysis.security.finding import Audit, Finding, Severity

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_LEVELS: Final[dict[Severity, str]] = {"critical": "error", "warning": "warning", "info": "note"}
# GitHub sorts by this number: 7 and above is high, 4 and above medium.
_SCORES: Final[dict[Severity, str]] = {"critical": "8.0", "warning": "5.0", "info": "2.0"}
_NOT_IN_AN_ID = re.compile(r"[^a-z0-9]+")
_SAFE_IN_URI = ":/?#[]@!$&'()*+,;=%~-._"


def write_sarif(audit: Audit) -> str:
    """One run; one rule for each title, one result for each finding."""
    rules = {rule_id(finding): _rule(finding) for finding in reversed(audit.findings)}
    positions = {name: index for index, name in enumerate(rules)}
    log = {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "Gasoline",
                        "version": __version__,
                        "rules": list(rules.values()),
                    }
                },
                "results": [
                    _result(finding, positions[rule_id(finding)]) for finding in audit.findings
                ],
                "columnKind": "utf16CodeUnits",
            }
        ],
    }
    return msgspec.json.format(msgspec.json.encode(log), indent=2).decode() + "\n"


def rule_id(finding: Finding) -> str:
    """Stable as long as the title is."""
    return f"{finding.category}/{_NOT_IN_AN_ID.sub('-', finding.title.lower()).strip('-')}"


def _rule(finding: Finding) -> dict[str, Any]:
    tags = ["security", *([f"external/cwe/{finding.cwe.lower()}"] if finding.cwe else [])]
    return {
        "id": rule_id(finding),
        "shortDescription": {"text": finding.title},
        "help": {"text": finding.recommendation},
        "defaultConfiguration": {"level": _LEVELS[finding.severity]},
        "properties": {"tags": tags, "security-severity": _SCORES[finding.severity]},
    }


def _result(finding: Finding, rule_index: int) -> dict[str, Any]:
    where = _where(finding)
    return {
        "ruleId": rule_id(finding),
        "ruleIndex": rule_index,
        "level": _LEVELS[finding.severity],
        "message": {"text": f"{finding.description} {finding.recommendation}"},
        "locations": [
            {
                "physicalLocation": {"artifactLocation": {"uri": quote(where, _SAFE_IN_URI)}},
                "logicalLocations": [{"fullyQualifiedName": where, "kind": "resource"}],
            }
        ],
        "partialFingerprints": {"gasoline/v1": _fingerprint(finding, where)},
        "properties": {"evidence": finding.evidence},
    }


def _where(finding: Finding) -> str:
    evidence = finding.evidence
    place = evidence.get("url") or evidence.get("resource_url") or evidence.get("source")
    return str(place or "console").split("#", 1)[0].split("?", 1)[0]


def _fingerprint(finding: Finding, where: str) -> str:
    parts = (rule_id(finding), where, str(finding.evidence.get("param_name", "")))
    return hashlib.sha256("\n".join(parts).encode("utf-8", "replace")).hexdigest()[:32]
