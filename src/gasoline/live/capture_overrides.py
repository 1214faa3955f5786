"""What a user wants captured now, whatever the extension's own settings say."""

from collections.abc import Callable
from typing import Any


class CaptureOverrides:
    """Settings for every connected extension, and who is told when they change."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self._watchers: list[Callable[[], None]] = []

    def change(self, **values: Any) -> None:
        self.values.update(values)
        self._tell()

    def reset(self) -> None:
        self.values.clear()
        self._tell()

    def watch(self, changed: Callable[[], None]) -> Callable[[], None]:
        """Call back on every change, until the returned function is called."""
        self._watchers.append(changed)
        return lambda: self._watchers.remove(changed)

    def _tell(self) -> None:
        for changed in tuple(self._watchers):
            changed()
