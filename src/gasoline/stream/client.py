"""Who is asking, and how they can be told something unasked."""

from collections.abc import Callable, Hashable

from msgspec import Struct

from gasoline.stream.hub import Send


class Client(Struct, frozen=True, kw_only=True):
    """One connection. Without `send` it cannot be told anything; `instead` says what it can do."""

    key: Hashable
    send: Send | None = None
    can_hear: Callable[[], bool] = lambda: True
    instead: str = ""
