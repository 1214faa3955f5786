"""Where what is to be sent waits for company: whoever puts something in goes on at once.

A thread that is woken wants the interpreter, and whoever woke it goes on later: the sender is woken
for the first of several things, and for one that cannot wait.
"""

import queue
import time
from collections import deque
from typing import Generic, TypeVar

T = TypeVar("T")


class WaitingRoom(Generic[T]):
    """Things in their order, for one thread that takes them; any thread may put some in."""

    def __init__(self, company_s: float) -> None:
        self._company_s = company_s
        self._things: deque[T] = deque()
        self._bell: queue.SimpleQueue[None] = queue.SimpleQueue()
        self._is_asleep = False
        self._is_pressed = False

    def __len__(self) -> int:
        return len(self._things)

    def put(self, *things: T, is_urgent: bool = False) -> None:
        self._things.extend(things)
        # Only now: whoever falls asleep looks once more after saying so.
        if is_urgent:
            self._is_pressed = True
        if is_urgent or self._is_asleep:
            self._is_asleep = False
            self._bell.put(None)

    def wait(self) -> None:
        """Until there is something, and it has had company for long enough or cannot wait."""
        while not self._things:
            self._is_asleep = True
            if not self._things:
                self._bell.get()
            self._is_asleep = False
        deadline_s = time.monotonic() + self._company_s
        while not self._is_pressed and (left_s := deadline_s - time.monotonic()) > 0:
            try:
                self._bell.get(timeout=left_s)
            except queue.Empty:
                break
        self._is_pressed = False

    def take(self) -> T | None:
        """The next one, if there is any."""
        return self._things.popleft() if self._things else None

    def press(self) -> None:
        """What is left does not wait again."""
        if self._things:
            self._is_pressed = True
