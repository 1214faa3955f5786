"""Before and after: baselines under verification, and named snapshots of the session."""

import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from msgspec import Struct

from gasoline.records import Record

T = TypeVar("T")

MINUTE_MS = 60_000
VERIFICATION_TTL_MS = 30 * MINUTE_MS
SNAPSHOT_TTL_MS = 120 * MINUTE_MS
MOST_VERIFICATIONS = 3
MOST_SNAPSHOTS = 10


class NoSuchSessionError(KeyError):
    """There is no session or snapshot of that name, or no longer."""


class TooManySessionsError(Exception):
    """Every place is taken by a session that is still of use."""


class Watch(Struct, frozen=True):
    """Where the after window begins: sequence numbers, because clocks move and rings evict."""

    started_ms: float
    after_seq: int
    arrived: Mapping[type[Record], int]


class Verification(Struct, Generic[T], kw_only=True):
    """One fix under verification."""

    id: str
    created_ms: float
    baseline: T
    label: str = ""
    url_filter: str | None = None
    status: str = "baseline_captured"
    watch: Watch | None = None


class Verifications(Generic[T]):
    """Few at a time; one that was compared gives up its place to the next."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._now_ms = clock
        self._sessions: OrderedDict[str, Verification[T]] = OrderedDict()

    def start(self, baseline: T, *, label: str, url_filter: str | None) -> Verification[T]:
        self._make_room()
        session = Verification(
            id=f"verify-{secrets.token_hex(4)}",
            created_ms=self._now_ms(),
            baseline=baseline,
            label=label,
            url_filter=url_filter,
        )
        self._sessions[session.id] = session
        return session

    def get(self, session_id: str) -> Verification[T]:
        self._forget_expired()
        if session_id not in self._sessions:
            raise NoSuchSessionError(session_id)
        return self._sessions[session_id]

    def remove(self, session_id: str) -> None:
        del self._sessions[self.get(session_id).id]

    def _make_room(self) -> None:
        self._forget_expired()
        if len(self._sessions) < MOST_VERIFICATIONS:
            return
        done = next((s.id for s in self._sessions.values() if s.status == "compared"), None)
        if done is None:
            raise TooManySessionsError(list(self._sessions))
        del self._sessions[done]

    def _forget_expired(self) -> None:
        since = self._now_ms() - VERIFICATION_TTL_MS
        for session in list(self._sessions.values()):
            if session.created_ms < since:
                del self._sessions[session.id]


class Named(Struct, Generic[T], frozen=True):
    """A snapshot and when it was taken."""

    state: T
    taken_ms: float


class Snapshots(Generic[T]):
    """Snapshots by name, least recently used forgotten first."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._now_ms = clock
        self._snapshots: OrderedDict[str, Named[T]] = OrderedDict()

    def __setitem__(self, name: str, state: T) -> None:
        self._forget_expired()
        self._snapshots[name] = Named(state, self._now_ms())
        self._snapshots.move_to_end(name)
        while len(self._snapshots) > MOST_SNAPSHOTS:
            self._snapshots.popitem(last=False)

    def __getitem__(self, name: str) -> T:
        self._forget_expired()
        if name not in self._snapshots:
            raise NoSuchSessionError(name)
        self._snapshots.move_to_end(name)
        return self._snapshots[name].state

    def __delitem__(self, name: str) -> None:
        self._forget_expired()
        if self._snapshots.pop(name, None) is None:
            raise NoSuchSessionError(name)

    def oldest_first(self) -> list[tuple[str, T]]:
        """Every snapshot and its name."""
        self._forget_expired()
        in_order = sorted(self._snapshots.items(), key=lambda item: item[1].taken_ms)
        return [(name, named.state) for name, named in in_order]

    def _forget_expired(self) -> None:
        since = self._now_ms() - SNAPSHOT_TTL_MS
        for name, named in list(self._snapshots.items()):
            if named.taken_ms < since:
                del self._snapshots[name]
