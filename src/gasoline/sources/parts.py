"""Maps too large for one batch, put together from the parts in which pages send them."""

from collections import OrderedDict

from gasoline.analysis.source_map import MAP_BYTES
from gasoline.ingest.about_errors import UploadedSource

# Of all maps under way, the one that began first is given up for room.
WAITING_MAPS = 20
WAITING_BYTES = MAP_BYTES


class SourceParts:
    """What has arrived of maps that are not complete yet."""

    def __init__(self) -> None:
        self._begun: OrderedDict[tuple[str, str], list[str]] = OrderedDict()

    def add(self, source: UploadedSource, origin: str | None) -> UploadedSource | None:
        """The whole map once its last part is here; None while parts are awaited."""
        if source.map is None or source.parts == 1:
            return source
        key = (origin or "", source.url)
        parts = self._begun.pop(key, []) if source.part else []
        if source.part != len(parts):
            return UploadedSource(source.url, None, "a part of its map did not arrive")
        parts.append(source.map)
        if len(parts) == source.parts:
            return UploadedSource(source.url, "".join(parts))
        self._begun[key] = parts
        self._make_room()
        return None

    @property
    def size_bytes(self) -> int:
        return sum(len(part) for parts in self._begun.values() for part in parts)

    def _make_room(self) -> None:
        while len(self._begun) > WAITING_MAPS or self.size_bytes > WAITING_BYTES:
            self._begun.popitem(last=False)
