"""`gasoline extension`: a folder that a browser can load, and how."""

import json
from pathlib import Path

import pytest

from tests.servers import run_gasoline


@pytest.mark.parametrize("flags", [[], ["--debugger"]])
def test_it_prints_a_folder_with_an_extension_and_the_steps(
    tmp_path: Path, flags: list[str]
) -> None:
    finished = run_gasoline(tmp_path, "extension", *flags)

    folder, blank, *steps = finished.out.splitlines()
    manifest = json.loads((Path(folder) / "manifest.json").read_text())
    assert (finished.code, blank) == (0, "")
    assert ("debugger" in manifest["permissions"]) is bool(flags)
    assert [step[:3] for step in steps[:5]] == ["1. ", "2. ", "3. ", "4. ", "5. "]


def test_the_folder_alone_is_for_scripts(tmp_path: Path) -> None:
    finished = run_gasoline(tmp_path, "extension", "--path")

    assert (Path(finished.out.strip()) / "manifest.json").is_file()
