"""JSON answers of one endpoint, compared: what one lacks, adds or changes against the others."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from gasoline.analysis.endpoint import endpoint_of, path_of
from gasoline.analysis.shape import Shape, merge_shapes, subtract_shape
from gasoline.analysis.shape_differences import Difference, find_differences
from gasoline.records import NetworkBody

FIELDS_NAMED = 4
# Fewer other answers than this do not tell what is new from what is optional.
ENOUGH_TO_CALL_NEW = 2
KINDS_IN_WORDS: Mapping[str, str] = {
    "object": "an object",
    "array": "a list",
    "string": "text",
    "boolean": "true or false",
    "number": "a number",
    "null": "null",
}


class Usual(Struct, frozen=True):
    """The shape that the answers of one endpoint have in common, and how many they are."""

    answers: int
    shape: Shape

    def without(self, shapes: Iterable[Shape]) -> "Usual":
        """The same, less these answers."""
        answers, rest = self.answers, self.shape
        for shape in shapes:
            answers, rest = answers - 1, subtract_shape(rest, shape)
        return Usual(answers, rest)


class Deviation(Struct, frozen=True):
    """An answer that is not like the others of its endpoint."""

    exchange: NetworkBody
    what: str
    fields: tuple[str, ...]
    signature: str


def learn_usual(shapes: Iterable[Shape]) -> Usual:
    """What is usual, from answers of one endpoint."""
    every = list(shapes)
    return Usual(len(every), merge_shapes(every))


def find_deviations(exchange: NetworkBody, shape: Shape, usual: Usual) -> Iterator[Deviation]:
    """What is unlike the others in this answer: fields gone, null, of another kind, or new."""
    if usual.answers == 0:
        return
    where, others = f"{exchange.method} {path_of(exchange.url)}", _others(usual.answers)
    found = [one for one in find_differences(usual.shape, shape) if one.path]
    if gone := _fields(found, "missing"):
        yield _deviation(exchange, f"{where} answered without", gone, f", which {others} had")
    for one in found:
        if one.departure in {"type", "null"}:
            now, before = _in_words(one.actual), _in_words(one.expected)
            said = f", where {others} had {before}"
            yield _deviation(exchange, f"{where} answered {now} in", [one.field], said)
    new = _fields(found, "new")
    if new and usual.answers >= ENOUGH_TO_CALL_NEW:
        said = f", which {others} did not have"
        yield _deviation(exchange, f"{where} answered with", new, said)


def _fields(found: Iterable[Difference], departure: str) -> list[str]:
    return [one.field for one in found if one.departure == departure]


def _deviation(exchange: NetworkBody, what: str, fields: Sequence[str], against: str) -> Deviation:
    more = len(fields) - FIELDS_NAMED
    named = ", ".join(fields[:FIELDS_NAMED]) + (f" and {more} more" if more > 0 else "")
    return Deviation(
        exchange=exchange,
        what=f"{what} {named}{against}",
        fields=tuple(fields),
        signature=f"{endpoint_of(exchange)} answered otherwise in {named}",
    )


def _others(number: int) -> str:
    return "the one other answer" if number == 1 else f"all {number} other answers"


def _in_words(types: str) -> str:
    return " or ".join(KINDS_IN_WORDS[kind] for kind in types.split("|"))
