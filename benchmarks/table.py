"""Measured beside allowed: what every benchmark prints, and what it exits with."""

import sys
from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

HEADINGS = ("what", "budget", "measured", "")


class Row(Struct, frozen=True, kw_only=True):
    """One number and its bound. Without a budget it is there for information only."""

    what: str
    measured: float
    unit: str
    budget: float | None = None
    budget_is: Literal["at least", "under"] = "under"

    @property
    def verdict(self) -> str:
        if self.budget is None:
            return ""
        if self.budget_is == "at least":
            return "ok" if self.measured >= self.budget else "OVER"
        return "ok" if self.measured < self.budget else "OVER"

    @property
    def cells(self) -> tuple[str, str, str, str]:
        bound = "" if self.budget is None else f"{self.budget_is} {self.budget:g} {self.unit}"
        return (self.what, bound, f"{_round(self.measured)} {self.unit}", self.verdict)


def format_table(rows: Iterable[Row]) -> str:
    """A Markdown table that also reads well in a terminal."""
    cells = [HEADINGS, *(row.cells for row in rows)]
    widths = [max(len(line[column]) for line in cells) for column in range(len(HEADINGS))]
    written = [
        "| "
        + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        + " |"
        for line in cells
    ]
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join([written[0], rule, *written[1:]])


def report(rows: list[Row]) -> None:
    """Print the table and end the process: 1 when anything is over its budget."""
    print(format_table(rows))
    sys.exit(any(row.verdict == "OVER" for row in rows))


def _round(value: float) -> str:
    """Three digits say all that a measurement can; what was counted is said as it is."""
    if isinstance(value, int):
        return f"{value:,}"
    return f"{float(f'{value:.3g}'):,g}"
