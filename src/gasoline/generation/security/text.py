"""An audit for people."""

from gasoline.analysis.security.finding import Audit, Finding
from gasoline.analysis.security.summary import summarise
from gasoline.generation.untrusted import strip_invisible

_SHOWN_FIRST = ("method", "url", "resource_url", "page_url", "source")


def write_text(audit: Audit) -> str:
    """One paragraph per finding, worst first."""
    head = f"Security audit: {summarise(audit.findings, audit.scanned).conclusion}\n"
    cut = f"\n{audit.cut} more findings were left out.\n" if audit.cut else ""
    return head + "".join(map(_paragraph, audit.findings)) + cut


def _paragraph(finding: Finding) -> str:
    cwe = f" ({finding.cwe})" if finding.cwe else ""
    lines = [
        f"{finding.severity.upper()}  {finding.title}{cwe}",
        f"  {finding.description}",
        f"  Seen: {_evidence(finding)}",
        f"  Do:   {finding.recommendation}",
    ]
    return "\n" + "\n".join(strip_invisible(line.replace("\n", " ")) for line in lines) + "\n"


def _evidence(finding: Finding) -> str:
    first = {key: finding.evidence[key] for key in _SHOWN_FIRST if key in finding.evidence}
    pairs = {**first, **finding.evidence}.items()
    return ", ".join(f"{key} {_value(value)}" for key, value in pairs if value not in ("", None))


def _value(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
