"""The ways in which a fault can act on the shop."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from msgspec import Struct


class Edit(Struct, frozen=True):
    """A mistake in the page's own source: served with `broken` in the place of `correct`."""

    file: str
    correct: str
    broken: str

    @property
    def where(self) -> str:
        return self.file


class Change(Struct, frozen=True):
    """A call that succeeds and answers something else."""

    call: str
    make: Callable[[Any], Any]

    @property
    def where(self) -> str:
        return _shown(self.call)


class ErrorAnswer(Struct, frozen=True):
    """What a failing call says."""

    error: str
    code: str
    details: str


class Fail(Struct, frozen=True):
    """A call that fails, always or in turns, and changes nothing."""

    call: str
    status: int
    answer: ErrorAnswer
    every: int = 1

    @property
    def where(self) -> str:
        return _shown(self.call)


class Delay(Struct, frozen=True):
    """A call that takes its time."""

    call: str
    seconds: float

    @property
    def where(self) -> str:
        return _shown(self.call)


class Missing(Struct, frozen=True):
    """A file that is not found."""

    file: str

    @property
    def where(self) -> str:
        return self.file


class Policy(Struct, frozen=True):
    """Another Content-Security-Policy for every page; `{origin}` is the shop's own."""

    text: str

    @property
    def where(self) -> str:
        return "header Content-Security-Policy"


class RefusedFeed(Struct, frozen=True):
    """A feed that lets nobody in, and sends away who is there."""

    where: str = "WebSocket /feed"


class FeedPace(Struct, frozen=True):
    """So many messages at once, again and again."""

    messages: int
    every_s: float
    where: str = "WebSocket /feed"


Act = Edit | Change | Fail | Delay | Missing | Policy | RefusedFeed | FeedPace
Kind = TypeVar("Kind", bound=Act)


class Fault(Struct, frozen=True):
    """Something wrong with the shop, by name."""

    name: str
    description: str
    acts: tuple[Act, ...]

    @property
    def where(self) -> list[str]:
        return list(dict.fromkeys(act.where for act in self.acts))


def _shown(call: str) -> str:
    """Show a call without the router's types: `{id}`, not `{id:int}`."""
    return call.replace(":int", "")


def acts_of(kind: type[Kind], faults: Iterable[Fault]) -> Iterator[Kind]:
    """The acts of one kind among those of several faults."""
    return (act for fault in faults for act in fault.acts if isinstance(act, kind))
