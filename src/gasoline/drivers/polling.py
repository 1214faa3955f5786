"""Selenium without a debugging port: pages keep their batches until the driver fetches them."""

import contextlib
from typing import Any

from selenium.webdriver.remote.command import Command
from selenium.webdriver.remote.webdriver import WebDriver

from gasoline.drivers.observation import Observation

# With these the driver leaves a document itself, right after fetching what it holds.
LEAVING = frozenset({Command.GET, Command.REFRESH, Command.GO_BACK, Command.GO_FORWARD})
# After these the document may be gone as well, with what it said meanwhile.
PERHAPS_LEAVING = frozenset({Command.CLICK_ELEMENT})

# Frames of one origin share their page's store. What a document still holds when it goes, the next
# one of its origin in the same tab takes along: our script runs there before any of the page's own.
KEEP_BATCHES = """(() => {
  try {
    if (top !== window && top.__gasolineSend) {
      window.__gasolineSend = top.__gasolineSend;
      return;
    }
  } catch {}
  const KEY = '__gasoline', id = Math.random().toString(36).slice(2);
  let ended = [], kept = [], isLeaving = false;
  const arrive = () => {
    isLeaving = false;
    [ended, kept] = [[], []];
    try {
      ({ended, kept} = JSON.parse(sessionStorage.getItem(KEY)) ?? {ended, kept});
      sessionStorage.removeItem(KEY);
    } catch {}
  };
  const leave = () => {
    isLeaving = true;
    try { sessionStorage.setItem(KEY, JSON.stringify({ended: [...ended, id], kept})); } catch {}
  };
  window.__gasolineSend = message => {
    if (kept.length >= 500) throw new Error('full');
    kept.push(message);
    if (isLeaving) leave();
  };
  window.__gasolineTake = () => {
    const taken = {id, ended, kept};
    [ended, kept] = [[], []];
    return taken;
  };
  addEventListener('pagehide', leave, true);
  addEventListener('pageshow', ({persisted}) => persisted && arrive(), true);
  arrive();
})();"""
TAKE_BATCHES = """
let hidden = 0;
const flush = frame => {
  try {
    const frames = Array.from({length: frame.frames.length}, (_, index) => frame.frames[index]);
    return [frame.__gasoline && frame.__gasoline.flush(), ...frames.flatMap(flush)];
  } catch {
    hidden++;
    return [];
  }
};
let home = window;
try { if (top.__gasolineTake) home = top; } catch {}
if (!home.__gasolineTake) return null;
return Promise.all(flush(home)).then(() => ({...home.__gasolineTake(), hidden}));
"""
LEND_A_PORT = (
    "Have the grid lend its debugging port (se:cdp), or pip install websockets where the tests run."
)


class Polling:
    """The page keeps its batches; the driver's own commands fetch them."""

    def __init__(self, driver: WebDriver, observation: Observation) -> None:
        self._driver = driver
        self._observation = observation
        # The document last seen in each window, until the driver itself leaves it.
        self._documents: dict[str, str] = {}
        self._admitted: set[str] = set()
        source = KEEP_BATCHES + observation.script
        driver.execute(
            "executeCdpCommand",
            {"cmd": "Page.addScriptToEvaluateOnNewDocument", "params": {"source": source}},
        )
        observation.browsers += 1

    def before(self, command: str) -> None:
        """Fetch what a document holds that this command may end."""
        if command in LEAVING | PERHAPS_LEAVING:
            window = self._fetch()
            if window and command in LEAVING:
                self._documents.pop(window, None)

    def flush(self) -> None:
        self._fetch()

    def close(self) -> None:
        self._fetch()

    def _fetch(self) -> str | None:
        """The window that was asked, if it answered."""
        with contextlib.suppress(Exception):
            taken = self._driver.execute_script(TAKE_BATCHES)
            if taken:
                for message in taken["kept"]:
                    # A page may have put there what it likes.
                    with contextlib.suppress(ValueError, AttributeError):
                        self._observation.take(message)
                return self._note(self._driver.current_window_handle, taken)
        return None

    def _note(self, window: str, taken: dict[str, Any]) -> str:
        previous = self._documents.get(window)
        self._documents[window] = taken["id"]
        if previous and previous not in {taken["id"], *taken["ended"]}:
            self._admit("what a page said right before it gave way to another origin is missing")
        if taken["hidden"]:
            self._admit("what frames of another origin said is missing")
        return window

    def _admit(self, why: str) -> None:
        said = f"{self._observation.test_id} {why}"
        if said not in self._admitted:
            self._admitted.add(said)
            self._observation.sees_in_part(why, advice=LEND_A_PORT)
