"""An audit for programs, in the shape in which the tool answers."""

import msgspec

from gasoline.analysis.security.finding import Audit
from gasoline.analysis.security.summary import summarise


def write_json(audit: Audit) -> str:
    """The summary, then the findings."""
    answer = {
        "summary": summarise(audit.findings, audit.scanned),
        "truncated": bool(audit.cut),
        "findings": audit.findings,
    }
    return msgspec.json.format(msgspec.json.encode(answer), indent=2).decode() + "\n"
