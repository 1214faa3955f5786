"""Where what a browser shows goes, under which test's name, and the script that shows it."""

import contextlib
import json
import logging
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

from gasoline.drivers.delivery import Delivery

logger = logging.getLogger(__name__)

BINDING = "__gasolineSend"
FLUSH = "() => window.__gasoline ? window.__gasoline.flush() : undefined"
# How long a page may keep somebody waiting who wants to close it.
FLUSH_S = 0.25

_said: set[str] = set()


class Trouble(NamedTuple):
    """Why a browser is seen in part (`partial`) or not at all (`blind`)."""

    state: str
    why: str


class Observation:
    """One way from browsers to a server, shared by all browsers that one test run drives."""

    def __init__(
        self, delivery: Delivery, *, test_id: str | None = None, mode: str = "all"
    ) -> None:
        self.delivery = delivery
        self.mode = mode
        # The test that runs now. A runner changes it; pages that say their own keep theirs.
        self.test_id = test_id
        self.batches = 0
        self.browsers = 0
        self.troubles: list[Trouble] = []

    @property
    def script(self) -> str:
        """What a page runs before its own scripts."""
        settings = {
            "__GASOLINE_HOST": self.delivery.host,
            "__GASOLINE_PORT": self.delivery.port,
            "__GASOLINE_CAPTURE_MODE": self.mode,
        }
        assignments = "".join(
            f"window.{name}={json.dumps(value)};" for name, value in settings.items()
        )
        return assignments + read_capture_script()

    def take(self, message: str) -> None:
        """What a page calls with each batch. Quick: the page and the driver wait for it."""
        self.delivery.take(message, test_id=self.test_id)
        self.batches += 1

    def cannot_see(self, why: str) -> None:
        """Say so in the evidence: an empty list must not pass for a quiet browser."""
        self._admit(Trouble("blind", why))

    def page_was_late(self) -> None:
        """A page was asked for what it holds and did not answer in time: the rest is lost."""
        limit_ms = round(FLUSH_S * 1000)
        why = f"a page did not hand over what it held within {limit_ms} ms"
        self._admit(Trouble("partial", why))

    def _admit(self, trouble: "Trouble") -> None:
        self.troubles.append(trouble)
        entry = {
            "level": "info",
            "type": "gasoline-capture",
            "source": "gasoline-capture",
            "message": f"[gasoline] Capture is {trouble.state}: {trouble.why}",
            "capture": trouble.state,
        }
        with quietly("say how well it sees"):
            self.note([entry])

    def note(self, entries: list[dict[str, Any]]) -> None:
        """Add log entries of the driver's own to the evidence of the test that runs."""
        envelope = {} if self.test_id is None else {"test_id": self.test_id}
        self.delivery.post("/logs", {**envelope, "entries": entries})


@cache
def read_capture_script() -> str:
    asset = resources.files("gasoline") / "assets" / "gasoline-ci.min.js"
    return asset.read_text(encoding="utf-8")


@contextlib.contextmanager
def quietly(doing: str) -> Iterator[None]:
    """Whatever goes wrong in here is said once, and never breaks the test around it."""
    try:
        yield
    except Exception as error:  # noqa: BLE001  # a driver may raise anything at all
        if doing not in _said:
            _said.add(doing)
            logger.warning("Gasoline could not %s: %s", doing, error)
