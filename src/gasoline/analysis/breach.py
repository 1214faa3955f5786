"""One way in which an endpoint's answers broke with their shape, and how often."""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from gasoline.analysis.shape import Shape
from gasoline.analysis.shape_differences import Difference, find_sample
from gasoline.analysis.shape_notation import write_shape

SAMPLE_CHARS = 50
SHAPE_BYTES = 1500
PERSONAL_DIGITS = 7


class Breach(Struct, frozen=True, kw_only=True):
    """A violation as remembered: what differed, and after how many good responses."""

    type: str
    differences: tuple[Difference, ...]
    expected_shape: Any
    actual_shape: Any
    sample: Any = None
    after: int
    count: int = 1
    episodes: int = 1
    last_ms: float

    @property
    def key(self) -> tuple[str, tuple[tuple[str, ...], ...]]:
        return self.type, tuple(difference.path for difference in self.differences)

    def again(self, latest: "Breach") -> "Breach":
        """The same once more; another episode if good responses came in between."""
        if self.type == "new_field":
            return self
        return replace(
            latest,
            count=self.count + 1,
            episodes=self.episodes + (latest.after > self.after),
        )


def find_breaches(
    found: list[Difference],
    answer: Any,
    shapes: tuple[Shape, Shape],
    *,
    after: int,
    at_ms: float,
) -> Iterator[Breach]:
    """Sort the differences of one response into violations: all missing fields are one.

    `shapes` are the learned one and that of the answer.
    """
    missing = tuple(one for one in found if one.departure == "missing" and not one.in_list)
    others = [(one,) for one in found if one not in missing]
    for differences in [missing, *others] if missing else others:
        first = differences[0]
        kind = _violation_type(first)
        yield Breach(
            type=kind,
            differences=differences,
            expected_shape=_written(shapes[0]) if kind == "shape_change" else None,
            actual_shape=_written(shapes[1]) if kind == "shape_change" else None,
            sample=_sample(answer, first),
            after=after,
            last_ms=at_ms,
        )


def _violation_type(difference: Difference) -> str:
    match difference.departure:
        case "new":
            return "new_field"
        case "null":
            return "null_field"
        case "type":
            return "array_shape_change" if difference.in_list else "type_change"
        case "missing":
            return "array_shape_change" if difference.in_list else "shape_change"


def _written(shape: Shape) -> Any:
    """The shape, unless it is so large that the names of the missing fields say more."""
    written = write_shape(shape)
    return written if len(msgspec.json.encode(written)) <= SHAPE_BYTES else None


def _sample(answer: Any, difference: Difference) -> Any:
    """A value that shows the change, unless it could be somebody's."""
    if difference.departure != "type" or difference.actual in {"object", "array"}:
        return None
    sample = find_sample(answer, difference.path, difference.actual)
    text = str(sample)
    if "@" in text or sum(letter.isdigit() for letter in text) >= PERSONAL_DIGITS:
        return "[redacted]"
    return sample[:SAMPLE_CHARS] if isinstance(sample, str) else sample
