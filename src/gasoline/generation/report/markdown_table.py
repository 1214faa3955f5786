"""A table for a job summary page: one row a cause."""

from gasoline.generation.report.summary import Summary, headline, short_id
from gasoline.generation.untrusted import strip_invisible

TESTS_NAMED = 3
CELL_CHARS = 160
# Markdown and HTML both render in a job summary; a page's text may use neither.
_SPECIAL = {ord(letter): f"&#{ord(letter)};" for letter in "&<>|`*_[]\\#!@~$"}


def write_table(summary: Summary) -> str:
    """Headline and, for failures, cause, root cause and tests."""
    lines = [f"### Gasoline: {headline(summary)}"]
    lines += [f"> {_cell(note)}" for note in summary.notes]
    if summary.causes:
        lines += ["", "| Cause | Likely because | Tests |", "|---|---|---|"]
    for cause, outcomes in summary.causes.items():
        named = [_cell(short_id(outcome.test_id)) for outcome in outcomes[:TESTS_NAMED]]
        more = len(outcomes) - len(named)
        tests = "<br>".join([*named, *([f"and {more} more"] if more else [])])
        lines.append(f"| {_cell(cause)} | {_cell(outcomes[0].telling.because)} | {tests} |")
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    flat = " ".join(strip_invisible(text).split())
    short = flat if len(flat) <= CELL_CHARS else flat[: CELL_CHARS - 3] + "..."
    return short.translate(_SPECIAL)
