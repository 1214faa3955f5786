"""JSON answers of one endpoint, compared: what one lacks, adds or changes against the others."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from gasoline.analysis.endpoint import path_of, path_template, segment_template
from gasoline.records import NetworkBody
from gasoline.records.network import FAILURE_STATUS

DEPTH = 6
ITEMS_READ = 5
FIELDS_READ = 50
LONGEST_READ = 65_536
FIELDS_NAMED = 4
# Fewer other answers than this do not tell what is new from what is optional.
ENOUGH_TO_CALL_NEW = 2
KINDS: Mapping[type, str] = {
    dict: "an object",
    list: "a list",
    str: "text",
    bool: "true or false",
    int: "a number",
    float: "a number",
    type(None): "null",
}
Shape = Mapping[str, frozenset[str]]


class Usual(Struct, frozen=True):
    """How often each field, and each kind of it, was in the answers of one endpoint."""

    answers: int
    fields: Counter[str]
    kinds: Counter[tuple[str, str]]

    def without(self, shapes: Iterable[Shape]) -> "Usual":
        """The same, less these answers."""
        own = count(shapes)
        return Usual(self.answers - own.answers, self.fields - own.fields, self.kinds - own.kinds)

    def always_has(self, field: str) -> bool:
        """Whether the field was there wherever the object was that holds it."""
        return self.fields[field] > 0 and self.fields[field] == self.fields[holder_of(field)]

    def kinds_of(self, field: str) -> set[str]:
        return {kind for name, kind in self.kinds if name == field}


class Deviation(Struct, frozen=True):
    """An answer that is not like the others of its endpoint."""

    exchange: NetworkBody
    what: str
    fields: tuple[str, ...]
    signature: str


def read_answer(exchange: NetworkBody) -> Any:
    """The JSON of a successful answer; None where there is none."""
    body = exchange.response_body
    if not body or len(body) > LONGEST_READ or not 0 < exchange.status < FAILURE_STATUS:
        return None
    try:
        return msgspec.json.decode(body)
    except (msgspec.MsgspecError, RecursionError):
        return None


def endpoint_of(exchange: NetworkBody) -> str:
    """Method and path without ids; a GraphQL operation is an endpoint of its own."""
    operation = ""
    if exchange.request_body and '"query"' in exchange.request_body:
        try:
            asked = msgspec.json.decode(exchange.request_body)
            operation = f" {asked.get('operationName') or asked['query'][:80]}"
        except (msgspec.MsgspecError, AttributeError, KeyError, TypeError):
            operation = ""
    return f"{exchange.method} {path_template(exchange.url)}{operation}"


def shape_of(answer: Any) -> Shape:
    """Every field by its path, with the kinds of value found there: `items[].price: a number`."""
    found: dict[str, set[str]] = {}
    for path, kind in _fields(answer, "", DEPTH):
        found.setdefault(path, set()).add(kind)
    return {path: frozenset(kinds) for path, kinds in found.items()}


def _fields(value: Any, path: str, depth: int) -> Iterator[tuple[str, str]]:
    yield path, KINDS.get(type(value), "text")
    if isinstance(value, dict) and depth:
        for key in list(value)[:FIELDS_READ]:
            # Keys that are ids make a map of an object: its entries are alike.
            yield from _fields(value[key], f"{path}.{segment_template(key)}", depth - 1)
    elif isinstance(value, list) and depth:
        for item in value[:ITEMS_READ]:
            yield from _fields(item, f"{path}[]", depth - 1)


def holder_of(field: str) -> str:
    """The path of the object or list that holds a field."""
    return field.removesuffix("[]") if field.endswith("[]") else field.rpartition(".")[0]


def count(shapes: Iterable[Shape]) -> Usual:
    """What is usual, from answers of one endpoint."""
    shapes = list(shapes)
    return Usual(
        answers=len(shapes),
        fields=Counter(field for shape in shapes for field in shape),
        kinds=Counter(
            (field, kind) for shape in shapes for field, kinds in shape.items() for kind in kinds
        ),
    )


def find_deviations(exchange: NetworkBody, shape: Shape, usual: Usual) -> Iterator[Deviation]:
    """What is unlike the others in this answer: fields gone, null, of another kind, or new."""
    if usual.answers == 0:
        return
    where, others = f"{exchange.method} {path_of(exchange.url)}", _others(usual.answers)
    gone = [
        field
        for field in usual.fields
        if field not in shape
        and "an object" in shape.get(holder_of(field), ())
        and usual.always_has(field)
    ]
    if gone:
        yield _deviation(exchange, f"{where} answered without {{}}, which {others} had", gone)
    known = [field for field in shape if field and usual.fields[field]]
    for field in known:
        before = usual.kinds_of(field)
        if changed := sorted(shape[field] - before):
            what = f"{where} answered {changed[0]} in {{}}, where {others} had {_one_of(before)}"
            yield _deviation(exchange, what, [field])
    new = [field for field in shape if not usual.fields[field] and usual.fields[holder_of(field)]]
    if new and usual.answers >= ENOUGH_TO_CALL_NEW:
        yield _deviation(exchange, f"{where} answered with {{}}, which {others} did not have", new)


def _deviation(exchange: NetworkBody, what: str, fields: list[str]) -> Deviation:
    names = [field.lstrip(".") for field in fields]
    more = len(names) - FIELDS_NAMED
    named = ", ".join(names[:FIELDS_NAMED]) + (f" and {more} more" if more > 0 else "")
    return Deviation(
        exchange=exchange,
        what=what.format(named),
        fields=tuple(names),
        signature=f"{endpoint_of(exchange)} answered otherwise in {named}",
    )


def _others(number: int) -> str:
    return "the one other answer" if number == 1 else f"all {number} other answers"


def _one_of(kinds: set[str]) -> str:
    return " or ".join(sorted(kinds))
