"""Where a server leaves word of itself."""

import json
import os
import stat
import tempfile
from pathlib import Path

import pytest

from gasoline.surfaces.daemon.place import (
    LONGEST_SOCKET_PATH,
    Place,
    ServerNote,
    address_of,
    authorization,
    find_place,
    read_note,
    remove_note,
    write_note,
)

NOTE = ServerNote(pid=12, port=7890, version="1.2.3", token="secret")


def test_a_note_is_read_back(tmp_path: Path) -> None:
    write_note(Place(tmp_path, 7890), NOTE)

    assert read_note(Place(tmp_path, 7890)) == NOTE
    assert read_note(Place(tmp_path, 7891)) is None


def test_a_note_is_for_its_user_only(tmp_path: Path) -> None:
    place = Place(tmp_path, 7890)
    write_note(place, NOTE)

    assert stat.S_IMODE(place.note.stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["7890.json"]


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"pid": 1}', '{"unknown": 1}', "\ud800"])
def test_a_note_that_says_nothing_readable_is_none(tmp_path: Path, text: str) -> None:
    place = Place(tmp_path, 7890)
    place.note.write_bytes(text.encode(errors="surrogatepass"))

    assert read_note(place) is None
    assert authorization(place) == {}


def test_the_token_of_a_note_opens_its_server(tmp_path: Path) -> None:
    write_note(Place(tmp_path, 7890), NOTE)

    assert authorization(Place(tmp_path, 7890)) == {"Authorization": "Bearer secret"}


def test_a_server_without_word_is_asked_with_the_user_s_own_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GASOLINE_TOKEN", "of the user")

    assert authorization(Place(tmp_path, 7890)) == {"Authorization": "Bearer of the user"}
    write_note(Place(tmp_path, 7890), NOTE)
    assert authorization(Place(tmp_path, 7890)) == {"Authorization": "Bearer secret"}


@pytest.mark.parametrize(
    ("host", "address"),
    [("127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("0.0.0.0", "127.0.0.1"), ("::", "::1")],  # noqa: S104  # what a user may say
)
def test_a_server_is_reached_where_it_listens(tmp_path: Path, host: str, address: str) -> None:
    place = Place(tmp_path, 7890)
    assert address_of(place) == "127.0.0.1"

    write_note(place, NOTE._replace(host=host))

    assert address_of(place) == address


def test_word_of_a_server_that_came_after_stays(tmp_path: Path) -> None:
    place = Place(tmp_path, 7890)
    write_note(place, NOTE)
    place.socket.touch()

    remove_note(place, pid=11)
    assert (place.note.exists(), place.socket.exists()) == (True, True)

    remove_note(place, pid=12)
    assert (place.note.exists(), place.socket.exists()) == (False, False)


def test_the_state_folder_can_be_chosen_and_is_absolute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    place = find_place(1, {"GASOLINE_STATE": "state"})

    assert place.folder == tmp_path / "state"
    assert stat.S_IMODE(place.folder.stat().st_mode) == 0o700


@pytest.mark.skipif(os.name != "posix", reason="XDG is how Linux says it")
def test_on_linux_the_state_folder_follows_xdg(tmp_path: Path) -> None:
    by_xdg = find_place(1, {"XDG_STATE_HOME": str(tmp_path / "xdg"), "HOME": str(tmp_path)})
    by_home = find_place(1, {"HOME": str(tmp_path)})

    assert by_xdg.folder == tmp_path / "xdg/gasoline"
    assert by_home.folder == tmp_path / ".local/state/gasoline"


def test_a_folder_that_cannot_be_made_gives_way_to_a_temporary_one(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    place = find_place(1, {"GASOLINE_STATE": str(tmp_path / "file/state")})

    assert place.folder.parent == Path(tempfile.gettempdir())
    assert stat.S_IMODE(place.folder.stat().st_mode) == 0o700


def test_a_socket_path_fits_into_what_systems_take(tmp_path: Path) -> None:
    short, deep = Place(Path("/s"), 7890), Place(tmp_path / ("x" * 100), 7890)

    assert short.socket == Path("/s/7890.sock")
    assert len(os.fsencode(deep.socket)) <= LONGEST_SOCKET_PATH
    assert deep.socket != Place(deep.folder, 7891).socket
    assert deep.socket == Place(deep.folder, 7890).socket


def test_a_temporary_folder_of_somebody_else_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.getuid() != 0:
        pytest.skip("only root can give a folder away")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    folder = tmp_path / f"gasoline-{os.getuid()}"
    folder.symlink_to("/")
    os.lchown(folder, 12345, 12345)

    with pytest.raises(PermissionError, match="belongs to somebody else"):
        find_place(1, {"GASOLINE_STATE": "/dev/null/state"})


def test_a_note_is_plain_json(tmp_path: Path) -> None:
    write_note(Place(tmp_path, 7890), NOTE)

    written = json.loads((tmp_path / "7890.json").read_bytes())
    assert written == {
        "pid": 12,
        "port": 7890,
        "version": "1.2.3",
        "token": "secret",
        "host": "127.0.0.1",
    }
