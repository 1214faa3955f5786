"""Compiling the rules: over bytes, in linear time, with one meaning of upper and lower case."""

import re
from collections.abc import Iterable
from typing import Any

import re2

_COUNT = re.compile(r"\{(\d+)(?:,\d*)?\}")
# The automaton's ceiling; clean text never comes near it, hostile text never beyond.
_MOST_MEMORY = 2**25


def compile_bytes(pattern: str, *, ignore_case: bool = False, capture: bool = True) -> Any:
    """Compile for bytes that need not be valid UTF-8.

    Latin-1 also keeps case-folding to ASCII letters: in UTF-8 mode the Kelvin sign matches `k`,
    and what redaction finds in decoded text the prefilter would miss in escaped text.
    """
    options = _options(ignore_case=ignore_case)
    options.never_capture = not capture
    return re2.compile(pattern.encode("latin-1"), options)


def compile_set(patterns: Iterable[str], *, ignore_case: bool = True) -> Any:
    """Compile alternatives that must match in full; `Match` lists the indices of those that do."""
    alternatives = re2.Set.FullMatchSet(_options(ignore_case=ignore_case))
    for pattern in patterns:
        alternatives.Add(pattern.encode("latin-1"))
    alternatives.Compile()
    return alternatives


def relax(pattern: str, *, counted: int) -> str:
    """Let long runs be of any length: `{36}` becomes `{8,}`.

    What matches may then be too long or too short, which a second look at the one match tells;
    counting to hundreds in every rule at once takes the automaton more memory than it may have.
    """
    return _COUNT.sub(lambda count: _relaxed(count, counted), pattern)


def _relaxed(count: re.Match[str], counted: int) -> str:
    return f"{{{counted},}}" if int(count[1]) > counted else count[0]


def any_of(patterns: Iterable[str]) -> str:
    """Join patterns to one that matches where any of them does, the first that does winning."""
    return "(?:" + "|".join(patterns) + ")"


def _options(*, ignore_case: bool) -> Any:
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.case_sensitive = not ignore_case
    options.dot_nl = True
    options.log_errors = False
    options.max_mem = _MOST_MEMORY
    return options
