"""Compiling the rules: over bytes, in linear time, with one meaning of upper and lower case."""

from collections.abc import Iterable
from typing import Any

import re2


def compile_bytes(pattern: str, *, ignore_case: bool = False, capture: bool = True) -> Any:
    """Compile for bytes that need not be valid UTF-8.

    Latin-1 also keeps case-folding to ASCII letters: in UTF-8 mode the Kelvin sign matches `k`,
    and what redaction finds in decoded text the prefilter would miss in escaped text.
    """
    options = _options(ignore_case=ignore_case)
    options.never_capture = not capture
    return re2.compile(pattern.encode("latin-1"), options)


def compile_set(patterns: Iterable[str]) -> Any:
    """Compile alternatives that must match in full; `Match` lists the indices of those that do."""
    alternatives = re2.Set.FullMatchSet(_options(ignore_case=True))
    for pattern in patterns:
        alternatives.Add(pattern.encode("latin-1"))
    alternatives.Compile()
    return alternatives


def any_of(patterns: Iterable[str]) -> str:
    """Join patterns to one that matches where any of them does, the first that does winning."""
    return "(?:" + "|".join(patterns) + ")"


def _options(*, ignore_case: bool) -> Any:
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.case_sensitive = not ignore_case
    options.dot_nl = True
    options.log_errors = False
    return options
