"""Doing something to a module as soon as somebody imports it, and nothing until then."""

import importlib.abc
import importlib.machinery
import sys
from collections.abc import Callable, Sequence
from types import ModuleType

Change = Callable[[ModuleType], None]


def when_imported(name: str, change: Change) -> None:
    """Change a module now if it is there, else right after its own code has run."""
    module = sys.modules.get(name)
    if module is not None:
        change(module)
        return
    if _watcher not in sys.meta_path:
        sys.meta_path.insert(0, _watcher)
    _watcher.waiting.setdefault(name, []).append(change)


class _Watcher(importlib.abc.MetaPathFinder):
    def __init__(self) -> None:
        self.waiting: dict[str, list[Change]] = {}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname not in self.waiting:
            return None
        spec = _find_elsewhere(fullname, path, target)
        if spec is None or spec.loader is None:
            return None
        # The loader stays the one it is: modules ask theirs for files beside them.
        run = spec.loader.exec_module

        def run_and_change(module: ModuleType) -> None:
            run(module)
            for change in self.waiting.pop(fullname, []):
                change(module)

        spec.loader.exec_module = run_and_change  # type: ignore[method-assign]  # see above
        return spec


def _find_elsewhere(
    fullname: str, path: Sequence[str] | None, target: ModuleType | None
) -> importlib.machinery.ModuleSpec | None:
    for finder in sys.meta_path:
        if not isinstance(finder, _Watcher):
            spec = finder.find_spec(fullname, path, target)
            if spec is not None:
                return spec
    return None


_watcher = _Watcher()
