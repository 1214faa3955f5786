"""Importing one module of a package without all that the package itself imports.

The SDK's packages import their client, a second server and a cipher, which this server never uses:
11 MB of memory and a tenth of its start (benchmarks/memory.py, benchmarks/bridge.py).
"""

import sys
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType


class LazyPackage(ModuleType):
    """A package whose own code runs when it is first asked for a name that is not there."""

    def __getattr__(self, name: str) -> object:
        spec = self.__spec__
        if name.startswith("__") or spec is None or spec.loader is None:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        self.__class__ = ModuleType  # type: ignore[assignment]  # from now on like any other
        spec.loader.exec_module(self)
        return getattr(self, name)


def import_lazily(*packages: str) -> None:
    """Put lazy packages in place, parents first, of those that nobody has imported yet."""
    for name in packages:
        if name not in sys.modules:
            _put_in_place(name)


def _put_in_place(name: str) -> None:
    parent, _, own_name = name.rpartition(".")
    spec = PathFinder.find_spec(name, sys.modules[parent].__path__ if parent else None)
    if spec is None or spec.submodule_search_locations is None:
        return
    package = sys.modules[name] = _make(spec)
    if parent:
        setattr(sys.modules[parent], own_name, package)


def _make(spec: ModuleSpec) -> LazyPackage:
    package = LazyPackage(spec.name)
    package.__spec__, package.__loader__ = spec, spec.loader
    package.__file__, package.__package__ = spec.origin, spec.name
    package.__path__ = list(spec.submodule_search_locations or ())
    return package
