"""Which faults are on: for everybody, or for one visitor by a cookie."""

from collections.abc import Collection, Iterable

from msgspec import Struct

from examples.shop.acts import Fault
from examples.shop.faults import BY_NAME, FAULTS

NO_FAULTS = "none"
SEPARATOR = "."


class UnknownFaultError(Exception):
    """Somebody named a fault that is not in the table."""


class FaultState(Struct, frozen=True):
    """A fault as `GET /__faults` tells of it."""

    name: str
    description: str
    where: list[str]
    on: bool


class Switches:
    """The faults that are on for everybody."""

    def __init__(self, at_start: Iterable[str] = ()) -> None:
        self._at_start = known(at_start)
        self._on = set(self._at_start)

    def change(self, *, on: Iterable[str], off: Iterable[str]) -> None:
        on, off = known(on), known(off)
        self._on = (self._on | on) - off

    def reset(self) -> None:
        self._on = set(self._at_start)

    def states(self) -> list[FaultState]:
        return [
            FaultState(fault.name, fault.description, fault.where, fault.name in self._on)
            for fault in FAULTS
        ]

    def active(self, of_visitor: Collection[str]) -> list[Fault]:
        return [fault for fault in FAULTS if fault.name in self._on or fault.name in of_visitor]


def known(names: Iterable[str]) -> frozenset[str]:
    """The same names, all of them faults, or an error that lists those that there are."""
    given = frozenset(names)
    if unknown := sorted(given - BY_NAME.keys()):
        raise UnknownFaultError(
            f"Unknown fault: {', '.join(unknown)}. Known are: {', '.join(BY_NAME)}."
        )
    return given


def asked_for(values: Iterable[str]) -> frozenset[str]:
    """The faults in `?fault=a,b&fault=c`; `none` stands for no fault at all."""
    names = {name.strip() for value in values for name in value.split(",")}
    return known(names - {NO_FAULTS, ""})


def to_cookie(names: Iterable[str]) -> str:
    return SEPARATOR.join(sorted(names))


def from_cookie(value: str) -> frozenset[str]:
    """What an earlier page load asked for; a cookie of another version is no reason to fail."""
    return frozenset(value.split(SEPARATOR)) & BY_NAME.keys()
