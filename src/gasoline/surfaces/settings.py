"""What a user changed while the server runs: it lives as long as the server does."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from gasoline.live.capture_overrides import CaptureOverrides
from gasoline.records.time import format_time

SESSION_CHARS = 200


class ExtensionSeen(Struct, frozen=True, omit_defaults=True):
    """The last heartbeat of an extension."""

    last_seen: str
    session_id: str | None = None


class Settings:
    """Capture overrides for the extension, and what its last heartbeat said."""

    def __init__(
        self,
        overrides: CaptureOverrides | None = None,
        *,
        also_reset: Sequence[Callable[[], None]] = (),
    ) -> None:
        self.overrides = overrides or CaptureOverrides()
        self._also_reset = also_reset
        self.extension: ExtensionSeen | None = None

    @property
    def capture_overrides(self) -> dict[str, Any]:
        return self.overrides.values

    def note_heartbeat(self, session_id: Any, *, now_ms: float) -> None:
        session = session_id[:SESSION_CHARS] if isinstance(session_id, str) else None
        self.extension = ExtensionSeen(format_time(now_ms), session)

    def reset(self) -> None:
        self.overrides.reset()
        for reset in self._also_reset:
            reset()
