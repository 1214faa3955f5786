"""A module is changed when somebody imports it, not before."""

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from gasoline.drivers.on_import import when_imported


@pytest.fixture
def late_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "late_module.py").write_text("value = 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "late_module", raising=False)
    return "late_module"


def double(module: ModuleType) -> None:
    module.value *= 2  # type: ignore[attr-defined]  # what the fixture's module has


def test_a_module_is_changed_right_after_its_own_code(late_module: str) -> None:
    when_imported(late_module, double)

    assert __import__(late_module).value == 2


def test_several_may_wait_for_the_same_module(late_module: str) -> None:
    when_imported(late_module, double)
    when_imported(late_module, double)

    assert __import__(late_module).value == 4


def test_a_module_that_is_there_already_is_changed_now(late_module: str) -> None:
    module = __import__(late_module)

    when_imported(late_module, double)

    assert module.value == 2


def test_waiting_for_a_driver_imports_none() -> None:
    code = (
        "import sys; from gasoline.drivers.everywhere import observe_everything;"
        "observe_everything(lambda: None);"
        "print([name for name in ('playwright', 'selenium', 'msgspec') if name in sys.modules])"
    )

    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert said.stdout.strip() == "[]"


def test_our_own_module_may_come_before_the_driver_s() -> None:
    code = "from gasoline.drivers import playwright, playwright_async, playwright_sync"

    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert said.stderr == ""
