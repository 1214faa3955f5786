"""The record file: every accepted batch, one line each, whatever happens."""

import json
from pathlib import Path

from gasoline.ingest import Ingest, Recorder, RecordLine, read_record_file
from gasoline.ingest.ingest import DOCTOR
from tests.builders import NOON_MS, exchange, log, send_exchanges, send_logs, store


def recording(path: Path) -> Ingest:
    return Ingest(store(), recorder=Recorder(path))


def lines_of(path: Path) -> list[RecordLine]:
    return [line for line in read_record_file(path) if isinstance(line, RecordLine)]


def notes_of(path: Path) -> list[str]:
    return [line for line in read_record_file(path) if isinstance(line, str)]


def test_an_accepted_batch_is_one_line_with_its_envelope(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "record.jsonl"
    into = recording(path)

    send_logs(into, log(), sender="page", batch=1, dropped=2, test_id="t")
    send_exchanges(into, exchange(ts=NOON_MS))

    logs, bodies = lines_of(path)
    assert (logs.at, logs.route) == (NOON_MS, "/logs")
    assert logs.content == {
        "sender": "page",
        "batch": 1,
        "dropped": 2,
        "test_id": "t",
        "entries": [log()],
    }
    assert bodies.content == {"bodies": [exchange(ts=NOON_MS)]}


def test_a_repeated_batch_is_recorded_once(tmp_path: Path) -> None:
    into = recording(tmp_path / "record.jsonl")

    for _ in range(2):
        send_logs(into, log(), sender="page", batch=1)

    assert len(lines_of(tmp_path / "record.jsonl")) == 1


def test_the_doctor_s_probe_is_not_recorded(tmp_path: Path) -> None:
    into = recording(tmp_path / "record.jsonl")

    send_logs(into, log(), sender=DOCTOR)

    assert lines_of(tmp_path / "record.jsonl") == []


def test_secrets_are_not_written(tmp_path: Path) -> None:
    into = recording(tmp_path / "record.jsonl")

    send_logs(into, log(args=[{"password": "hunter2hunter2"}]))

    assert "hunter2" not in (tmp_path / "record.jsonl").read_text()


def test_a_cut_last_line_is_skipped_with_a_note(tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    send_logs(recording(path), log(message="whole"))
    with path.open("ab") as file:
        file.write(b'{"at":1,"route":"/logs","entries":[{"lev')

    assert [line.content["entries"][0]["message"] for line in lines_of(path)] == ["whole"]
    assert notes_of(path) == [f"{path}, line 2: cut off or not a record, skipped"]


def test_a_new_server_starts_on_a_new_line_after_a_cut_one(tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    path.write_bytes(b'{"at":1,"rou')

    send_logs(recording(path), log(message="after the crash"))

    assert len(notes_of(path)) == 1
    assert lines_of(path)[0].content["entries"][0]["message"] == "after the crash"


def test_lines_that_are_no_records_are_notes(tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    path.write_text('[]\n{"at":1}\n{"at":"x","route":"/logs"}\n\n5\n')

    assert len(notes_of(path)) == 4
    assert lines_of(path) == []


def test_a_full_disk_stops_recording_but_not_the_server(tmp_path: Path) -> None:
    into = recording(Path("/dev/full"))

    receipt = send_logs(into, log())

    assert receipt.received == 1
    assert into.recorder is not None
    assert into.recorder.error
    assert json.dumps(into.recorder.error)
