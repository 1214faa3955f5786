"""Importing one module of a package without all that the package imports."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gasoline.surfaces.mcp.lazy_packages import import_lazily


@pytest.fixture
def large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A package that counts how often it runs, with a module that needs nothing of it."""
    package = tmp_path / "large_package"
    (package / "inner").mkdir(parents=True)
    (package / "__init__.py").write_text("import sys\nsys.runs_of_large += 1\nNAME = 'large'\n")
    (package / "inner" / "__init__.py").write_text("from large_package import NAME\n")
    (package / "inner" / "small.py").write_text("SIZE = 'small'\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "runs_of_large", 0, raising=False)
    yield package.name
    for name in [name for name in sys.modules if name.startswith(package.name)]:
        del sys.modules[name]


def runs() -> int:
    return int(sys.runs_of_large)  # type: ignore[attr-defined]  # the fixture's


def test_a_module_is_imported_without_its_packages(large: str) -> None:
    import_lazily(large, f"{large}.inner")

    small = __import__(f"{large}.inner.small", fromlist=["SIZE"])

    assert (small.SIZE, runs()) == ("small", 0)


def test_a_name_of_the_package_runs_it_once(large: str) -> None:
    import_lazily(large, f"{large}.inner")

    inner = __import__(f"{large}.inner", fromlist=["NAME"])

    assert (inner.NAME, inner.NAME, runs()) == ("large", "large", 1)
    assert sys.modules[large].NAME == "large"


def test_a_name_that_is_not_there_is_missed_as_ever(large: str) -> None:
    import_lazily(large)

    with pytest.raises(ImportError):
        __import__(f"{large}.nowhere")
    with pytest.raises(AttributeError):
        _ = sys.modules[large].nothing


def test_a_package_that_is_there_already_stays(large: str) -> None:
    there = __import__(large)

    import_lazily(large)

    assert sys.modules[large] is there


def test_a_package_that_does_not_exist_is_left_to_whoever_imports_it() -> None:
    import_lazily("no_such_package_at_all")

    assert "no_such_package_at_all" not in sys.modules
