"""The newest pictures, and behind them what is known of those that had to go."""

from gasoline.records import Record, Screenshot
from gasoline.store.limits import Limits
from gasoline.store.ring import Kept, Ledger, Ring


class PictureRing(Ring[Record]):
    """A picture that gives way leaves its description, for timelines."""

    def __init__(self, limits: Limits, ledger: Ledger) -> None:
        super().__init__(Screenshot, limits.screenshots, ledger)
        self._described = limits.described_screenshots

    def evict_oldest(self) -> None:
        """Take the pixels of the oldest picture; without any, forget the oldest description."""
        place, oldest = self._oldest_picture()
        if oldest is None:
            self._forget_oldest()
            return
        described = oldest.without_image()
        self._kept[place] = described
        self._count(described.size_bytes - oldest.size_bytes)
        self.evicted += 1

    def _trim(self) -> None:
        pictures = sum(kept.image is not None for kept in self._kept)
        while pictures > self.limit.count or (
            self.size_bytes > self.limit.size_bytes and pictures > 1
        ):
            self.evict_oldest()
            pictures -= 1
        while len(self._kept) > self._described + pictures:
            self._forget_oldest()

    def _oldest_picture(self) -> tuple[int, Kept | None]:
        pictures = ((place, kept) for place, kept in enumerate(self._kept) if kept.image)
        return next(pictures, (0, None))

    def _forget_oldest(self) -> None:
        self._count(-self._kept.popleft().size_bytes)
