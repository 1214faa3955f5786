"""The lines of code around a place, few and short enough to read."""

from gasoline.analysis.source_map import Original
from gasoline.records.ai_context import SnippetLine, SourceSnippet

LINES_AROUND = 5
LINE_CHARS = 200


def cut_snippet(original: Original) -> SourceSnippet | None:
    """Five lines before, the line, five after; nothing where the text or the line is missing."""
    lines = original.lines()
    if lines is None or not original.file or not 1 <= original.line <= len(lines):
        return None
    first = max(1, original.line - LINES_AROUND)
    last = min(len(lines), original.line + LINES_AROUND)
    return SourceSnippet(
        file=original.file,
        line=original.line,
        column=original.column,
        snippet=[
            SnippetLine(
                line=number,
                text=_cut(lines[number - 1], original.column if number == original.line else 1),
                is_error=number == original.line,
            )
            for number in range(first, last + 1)
        ],
    )


def _cut(text: str, column: int) -> str:
    """A line of at most 200 characters; of a longer one the part that holds the column."""
    start = 0 if column <= LINE_CHARS else column - LINE_CHARS // 2
    return text[start : start + LINE_CHARS]
