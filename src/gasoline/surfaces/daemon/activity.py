"""Whether the server is of use to anybody, so that one that a bridge started can end itself."""

import contextlib
import time
from collections.abc import Iterator

from starlette.types import ASGIApp, Receive, Scope, Send


class Activity:
    """When the server was last of use to anybody."""

    def __init__(self) -> None:
        self._last_s = time.monotonic()
        self._engagements = 0

    def note(self) -> None:
        self._last_s = time.monotonic()

    @contextlib.contextmanager
    def engaged(self) -> Iterator[None]:
        """Somebody is connected, and so the server is of use even if nothing is asked."""
        self._engagements += 1
        try:
            yield
        finally:
            self._engagements -= 1
            self.note()

    @property
    def idle_s(self) -> float:
        return 0.0 if self._engagements else time.monotonic() - self._last_s


def while_engaged(activity: Activity, app: ASGIApp) -> ASGIApp:
    """Count every exchange with an app as somebody who is connected."""

    async def engaged_app(scope: Scope, receive: Receive, send: Send) -> None:
        with activity.engaged():
            await app(scope, receive, send)

    return engaged_app
