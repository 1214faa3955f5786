"""Where what a browser shows goes, under which test's name, and the script that shows it."""

import contextlib
import json
import logging
import os
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Any

from gasoline.drivers.delivery import Delivery, FullQueueError

logger = logging.getLogger(__name__)

BINDING = "__gasolineSend"
# As the server's records spell it; a driver may run where the packages they need are missing.
CAPTURE_NOTE = "gasoline-capture"
CRASH = "crash"
AFTER_CRASH = (
    "Look at what it did last: pages crash when memory runs out, or of a bug in the browser."
)
PUT_IT_IN = "Put gasoline-ci.js into the page yourself, or drive Chromium."
# What the page holds is the answer: it need not call us, and wait for ours. Who has not heard the
# answer asks for the second time, and gets all of it.
HAND_OVER = "nth => window.__gasoline ? window.__gasoline.flush(nth) : undefined"
# Most pages answer at once. One that does not is asked again, after its browser has answered.
FIRST_LOOK_S = 0.1
# How long a page may then keep somebody waiting who wants to close it.
FLUSH_S = 0.25
# A machine that is short of processor time slows the page more than the browser, and all the more
# the more programs share it, but not for ever.
SLOWER_THAN_BROWSER = 4
LONGEST_FLUSH_S = 3.0

_said: set[str] = set()


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
        self.troubles = 0

    @property
    def script(self) -> str:
        """What a page runs before its own scripts."""
        host = self.delivery.host
        settings = {
            "__GASOLINE_HOST": f"[{host}]" if ":" in host else host,
            "__GASOLINE_PORT": self.delivery.port,
            "__GASOLINE_CAPTURE_MODE": self.mode,
            **_read_ai_context(os.environ.get("GASOLINE_AI_CONTEXT")),
        }
        assignments = "".join(
            f"window.{name}={json.dumps(value)};" for name, value in settings.items()
        )
        return assignments + read_capture_script()

    def take(self, message: str, page_url: str | None = None) -> None:
        """What a page calls with each batch. Quick: the page and the driver wait for it."""
        self.delivery.take(message, test_id=self.test_id, page_url=page_url)
        self.batches += 1

    def take_from(self, source: Mapping[str, Any], message: str) -> None:
        """The same, from a driver that knows which frame calls."""
        self.take(message, source["frame"].url)

    def take_answer(self, answer: object, page_url: str) -> None:
        """What a page answered when it was asked; one that captures in its own way has nothing."""
        if isinstance(answer, str) and answer:
            self.take_or_lose(answer, page_url)

    def take_or_lose(self, message: str, page_url: str) -> None:
        """What a page does not say again: without room for it, it counts as lost."""
        try:
            self.take(message, page_url)
        except FullQueueError:
            self.delivery.lost += 1
            raise

    def cannot_see(self, why: str, *, advice: str) -> None:
        """Say so in the evidence: an empty list must not pass for a quiet browser."""
        self._admit("blind", why, advice)

    def sees_in_part(self, why: str, *, advice: str) -> None:
        """Say in the evidence that something is missing from it."""
        self._admit("partial", why, advice)

    def page_was_late(self) -> None:
        """A page was asked for what it holds and did not answer in time: the rest is lost."""
        self.sees_in_part(
            "a page did not hand over what it held in time",
            advice="Its scripts were busy: have the test wait for what it expects before it ends.",
        )

    def page_crashed(self, url: str) -> None:
        """Say what no page can say itself."""
        self.note(
            [
                {
                    "level": "error",
                    "type": CRASH,
                    "source": CRASH,
                    "message": "The page crashed",
                    "url": url,
                }
            ]
        )
        self.sees_in_part("a page crashed with what it had not handed over yet", advice=AFTER_CRASH)

    def _admit(self, state: str, why: str, advice: str) -> None:
        self.troubles += 1
        entry = {
            "level": "info",
            "type": CAPTURE_NOTE,
            "source": CAPTURE_NOTE,
            "message": f"[gasoline] Capture is {state}: {why}",
            "capture": state,
            "metadata": {"next": advice},
        }
        with quietly("say how well it sees"):
            self.note([entry])

    def note(self, entries: list[dict[str, Any]]) -> None:
        """Add log entries of the driver's own to the evidence of the test that runs."""
        envelope = {} if self.test_id is None else {"test_id": self.test_id}
        self.delivery.post("/logs", {**envelope, "entries": entries})


def patience_with_page(browser_took_s: float, *, crowding: float) -> float:
    """How long a page may take, measured by how long its browser took for next to nothing."""
    undisturbed_s = FLUSH_S + SLOWER_THAN_BROWSER * browser_took_s
    return min(undisturbed_s * max(crowding, 1), LONGEST_FLUSH_S)


def crowding() -> float:
    """How many programs want each of the machine's processors, where the system says so."""
    try:
        return os.getloadavg()[0] / (os.cpu_count() or 1)
    except (AttributeError, OSError):
        return 1


def _read_ai_context(setting: str | None) -> dict[str, Any]:
    """What the user wants errors told with: `false`, or an object of switches, as JSON."""
    try:
        wanted = json.loads(setting) if setting else None
    except ValueError:
        wanted = None
    is_setting = wanted is False or isinstance(wanted, dict)
    if setting and not is_setting:
        logger.warning('GASOLINE_AI_CONTEXT is no JSON like false or {"stateSnapshot": true}')
    return {"__GASOLINE_AI_CONTEXT": wanted} if is_setting else {}


@cache
def read_capture_script() -> str:
    asset = resources.files("gasoline") / "assets" / "gasoline-ci.driver.js"
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
