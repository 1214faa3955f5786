"""Maps in build folders."""

import base64
from pathlib import Path

import pytest

from gasoline.analysis.source_map import MAP_BYTES
from gasoline.sources.folders import BuildFolders, MapFile

SCRIPT = "https://shop.example/static/assets/app.js?v=3"


def put(path: Path, content: str = "{}") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "place",
    [
        "static/assets/app.js.map",
        "assets/app.js.map",
        "app.js.map",
        "client/deeply/nested/app.js.map",
    ],
)
def test_a_map_is_found_by_the_end_of_the_script_s_path(tmp_path: Path, place: str) -> None:
    put(tmp_path / place, "the map")

    found = BuildFolders([tmp_path]).find(SCRIPT)

    assert found == MapFile(b"the map", "https://shop.example/static/assets/app.js.map")


def test_the_longest_path_wins(tmp_path: Path) -> None:
    put(tmp_path / "app.js.map", "wrong")
    put(tmp_path / "assets/app.js.map", "right")

    found = BuildFolders([tmp_path]).find(SCRIPT)

    assert found is not None
    assert found.body == b"right"


def test_a_name_that_two_maps_have_is_no_match(tmp_path: Path) -> None:
    put(tmp_path / "one/app.js.map")
    put(tmp_path / "two/app.js.map")

    assert BuildFolders([tmp_path]).find(SCRIPT) is None


def test_a_script_names_its_map(tmp_path: Path) -> None:
    inline = base64.b64encode(b"inline map").decode()
    put(tmp_path / "a.js", "x\n//# sourceMappingURL=maps/a.map")
    put(tmp_path / "maps/a.map", "named map")
    put(tmp_path / "b.js", f"x\n//# sourceMappingURL=data:application/json;base64,{inline}")
    folders = BuildFolders([tmp_path])

    assert folders.find("http://x/a.js") == MapFile(b"named map", "http://x/a.js")
    assert folders.find("http://x/b.js") == MapFile(b"inline map", "http://x/b.js")


@pytest.mark.parametrize(
    "url",
    [
        "http://x/../secret.js",
        "http://x/%2e%2e/secret.js",
        "http://x/b.js",
        "http://[x",
        "data:,x",
        "http://x/\0",
    ],
)
def test_nothing_outside_of_the_folders_is_read(tmp_path: Path, url: str) -> None:
    put(tmp_path / "secret.js.map", "secret")
    put(tmp_path / "build/b.js", "x\n//# sourceMappingURL=../secret.js.map")

    assert BuildFolders([tmp_path / "build"]).find(url) is None


def test_a_map_over_the_limit_is_not_read(tmp_path: Path) -> None:
    put(tmp_path / "a.js.map", "x" * MAP_BYTES)
    put(tmp_path / "b.js.map", "x" * (MAP_BYTES + 1))
    folders = BuildFolders([tmp_path])

    assert folders.find("http://x/a.js") is not None
    assert folders.find("http://x/b.js") is None
