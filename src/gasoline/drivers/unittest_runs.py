"""unittest: where each test starts and ends, and how, for suites that no other runner drives."""

import functools
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from gasoline.drivers.everywhere import drain_everything
from gasoline.drivers.naming import fit_message, fit_test_id
from gasoline.drivers.observation import Observation, quietly
from gasoline.drivers.watched import Provide
from gasoline.drivers.wrapping import wrap

PASSED, FAILED, ERROR, SKIPPED = "passed", "failed", "error", "skipped"

_provide: Provide | None = None
# How often each test began: the first time in this process is its first attempt.
_started: Counter[str] = Counter()


def everything(provide: Provide) -> None:
    """Tell of every test from now on; `provide` is asked for the way to the server then."""
    global _provide  # noqa: PLW0603  # one answer for the whole process, as the classes are one
    _provide = provide


def patch(module: ModuleType) -> None:
    """Wrap what all tests of unittest extend, and what runs those of a class."""
    if module.__name__ == "unittest.case":
        wrap(module.TestCase, "run", _run)
    else:
        wrap(module.TestSuite, "_addClassOrModuleLevelException", _add_failed_set_up)


class Verdict:
    """What a result is told of the test that runs; the first bad word stands."""

    def __init__(self) -> None:
        self.status = PASSED
        self.message: str | None = None

    def hear(self, status: str, message: str | None) -> None:
        if self.status in {PASSED, SKIPPED}:
            self.status, self.message = status, message

    def hear_call(self, name: str, case: Any, args: tuple[Any, ...]) -> None:
        """Take in one call of the result's methods."""
        match name, args:
            case "addFailure", (_, error):
                self.hear(FAILED, describe(error))
            case "addError", (_, error):
                self.hear(ERROR, describe(error))
            case "addSubTest", (_, _, error) if error:
                is_failure = issubclass(error[0], case.failureException)
                self.hear(FAILED if is_failure else ERROR, describe(error))
            case "addSkip", _:
                self.hear(SKIPPED, None)
            case "addUnexpectedSuccess", _:
                self.hear(FAILED, "Expected to fail, but passed.")


HEARD = ("addFailure", "addError", "addSubTest", "addSkip", "addUnexpectedSuccess")


def describe(error: Any) -> str:
    """The last word of an exception, as a traceback ends with it."""
    return fit_message("".join(traceback.format_exception_only(error[0], error[1])))


@contextmanager
def _listening(result: Any, case: Any, verdict: Verdict) -> Iterator[None]:
    """Hear what this one result is told: runners have results of many kinds."""
    # Past whatever the result does when it is given something: that is for its own users.
    attributes = vars(result)
    own = {name: attributes[name] for name in HEARD if name in attributes}
    heard = {name: getattr(result, name) for name in HEARD if hasattr(result, name)}
    attributes |= {name: _overheard(told, name, case, verdict) for name, told in heard.items()}
    try:
        yield
    finally:
        for name in heard:
            attributes.pop(name, None)
        attributes |= own


def _overheard(told: Any, name: str, case: Any, verdict: Verdict) -> Any:
    @functools.wraps(told)
    def tell(*args: Any, **kwargs: Any) -> Any:
        with quietly("hear how a test ended"):
            verdict.hear_call(name, case, args)
        return told(*args, **kwargs)

    return tell


def _run(original: Any, case: Any, result: Any = None, *args: Any, **kwargs: Any) -> Any:
    observation, test_id = None, ""
    # pytest runs these classes too, and our plugin for it tells of them. A result with fixed
    # attributes cannot be overheard, and so nothing is known of how its tests end.
    if _provide is not None and "_pytest" not in sys.modules and hasattr(result, "__dict__"):
        with quietly("mark the start of a test"):
            test_id = fit_test_id(case.id())
            observation = _provide()
    if observation is None:
        return original(case, result, *args, **kwargs)
    attempt = _begin(observation, test_id)
    verdict, began_s = Verdict(), time.perf_counter()
    try:
        with _listening(result, case, verdict):
            return original(case, result, *args, **kwargs)
    finally:
        duration_ms = (time.perf_counter() - began_s) * 1000
        _end(observation, test_id, attempt, verdict, duration_ms)


def _add_failed_set_up(
    original: Any, suite: Any, result: Any, error: Any, name: str, *args: Any, **kwargs: Any
) -> Any:
    """What goes wrong before the first test of a class, or after its last, is a test by itself."""
    with quietly("tell of a class that could not be set up"):
        is_skip = type(error).__name__ == "SkipTest"
        if _provide is not None and "_pytest" not in sys.modules and not is_skip:
            observation, test_id = _provide(), fit_test_id(name)
            verdict = Verdict()
            verdict.hear(ERROR, describe((type(error), error)))
            _end(observation, test_id, _begin(observation, test_id), verdict, 0.0)
    return original(suite, result, error, name, *args, **kwargs)


def _begin(observation: Observation, test_id: str) -> int:
    _started[test_id] += 1
    attempt = _started[test_id]
    with quietly("mark the start of a test"):
        observation.test_id = test_id
        boundary = {"test_id": test_id, "action": "start", "attempt": attempt}
        observation.delivery.post("/test-boundary", boundary)
    return attempt


def _end(
    observation: Observation, test_id: str, attempt: int, verdict: Verdict, duration_ms: float
) -> None:
    with quietly("mark the end of a test"):
        # Pages that outlive the test: what they hold now is still of this one.
        drain_everything()
        observation.test_id = None
        boundary = {
            "test_id": test_id,
            "action": "end",
            "status": verdict.status,
            "duration_ms": round(duration_ms, 1),
            "message": verdict.message,
            "attempt": attempt,
        }
        observation.delivery.post("/test-boundary", boundary)
