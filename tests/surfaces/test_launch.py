"""Starting a server in the background."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from gasoline import __version__
from gasoline.surfaces.daemon.launch import CannotStartError, ensure_server
from gasoline.surfaces.daemon.place import Place, ServerNote, read_note, write_note
from tests.bridges import ColdPlace, cold_place, servers_on
from tests.servers import request, running_server


@pytest.fixture
def cold(tmp_path: Path) -> Iterator[ColdPlace]:
    with cold_place(tmp_path) as place:
        place.state_folder.mkdir()
        yield place


def test_a_started_server_leaves_word_and_outlives_its_starter(cold: ColdPlace) -> None:
    ensure_server(cold.place)
    started = servers_on(cold.port)
    ensure_server(cold.place)

    note = ServerNote(started[0].pid, cold.port, __version__)
    assert (read_note(cold.place), servers_on(cold.port)) == (note, started)
    assert started[0].cwd() == str(cold.state_folder)
    assert "--idle-exit 1800" in " ".join(started[0].cmdline())
    started[0].send_signal(signal.SIGTERM)


def test_a_server_that_cannot_start_is_quoted(
    cold: ColdPlace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "uvicorn.py").write_text("raise SystemExit('broken on purpose')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    with pytest.raises(CannotStartError, match="The server did not start: broken on purpose"):
        ensure_server(cold.place)


def test_a_server_with_a_token_is_joined_by_its_user_only(tmp_path: Path) -> None:
    with running_server(tmp_path, "--token", "secret") as server:
        ensure_server(Place(server.state_folder, server.port))

        with pytest.raises(CannotStartError, match="is served by gasoline with a token"):
            ensure_server(Place(tmp_path, server.port))


def test_a_stale_note_does_not_hide_that_the_port_is_free(cold: ColdPlace) -> None:
    write_note(cold.place, ServerNote(2**22, cold.port, "0.0.1", "old token"))

    ensure_server(cold.place)

    assert request(cold.port, "GET", "/").json["version"] == __version__
