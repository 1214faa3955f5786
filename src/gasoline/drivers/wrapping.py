"""Putting something around a driver's public methods, once, without their callers noticing."""

import functools
import inspect
from collections.abc import Callable
from typing import Any

Around = Callable[..., Any]
_MARK = "__gasoline__"


def wrap(owner: type, name: str, around: Around) -> None:
    """Have `around(original, self, ...)` called in place of a method. Twice is once."""
    original = getattr(owner, name, None)
    if original is None or hasattr(original, _MARK):
        return
    patched = _wrap_async if inspect.iscoroutinefunction(original) else _wrap_sync
    method = functools.wraps(original)(patched(original, around))
    setattr(method, _MARK, True)
    setattr(owner, name, method)


def _wrap_sync(original: Around, around: Around) -> Around:
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True  # a failing test shows its own code, not ours
        return around(original, self, *args, **kwargs)

    return call


def _wrap_async(original: Around, around: Around) -> Around:
    async def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True  # as above
        return await around(original, self, *args, **kwargs)

    return call
