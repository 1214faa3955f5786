"""Decoded maps, and scripts known to have none: few, small, and not for ever."""

from collections.abc import Callable

from msgspec import Struct

from gasoline.analysis.source_map import SourceMap

FILES = 20
SIZE_BYTES = 8 * 1024 * 1024
MISSES = 200
# A development server changes what is behind an address; after so long it is looked at again.
FRESH_S = 30.0


class Missing(Struct, frozen=True):
    """There is no map, and this is why."""

    reason: str


Looked = SourceMap | Missing


class _Entry(Struct, frozen=True):
    looked: Looked
    at_s: float


class MapCache:
    """What was last used stays; the oldest go first."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._maps: dict[tuple[str, str], _Entry] = {}
        self._misses: dict[tuple[str, str], _Entry] = {}

    def __len__(self) -> int:
        return len(self._maps)

    @property
    def size_bytes(self) -> int:
        return sum(_size(entry.looked) for entry in self._maps.values())

    def get(self, key: tuple[str, str]) -> Looked | None:
        """What is known of a script, if it was looked at lately."""
        kind = self._maps if key in self._maps else self._misses
        entry = kind.pop(key, None)
        if entry is None or self._clock() - entry.at_s > FRESH_S:
            return None
        kind[key] = entry
        return entry.looked

    def put(self, key: tuple[str, str], looked: Looked) -> None:
        self._maps.pop(key, None)
        self._misses.pop(key, None)
        kind = self._misses if isinstance(looked, Missing) else self._maps
        kind[key] = _Entry(looked, self._clock())
        while len(self._maps) > FILES or self.size_bytes > SIZE_BYTES:
            del self._maps[next(iter(self._maps))]
        while len(self._misses) > MISSES:
            del self._misses[next(iter(self._misses))]


def _size(looked: Looked) -> int:
    return 0 if isinstance(looked, Missing) else looked.size_bytes
