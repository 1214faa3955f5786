"""Record files read back."""

from pathlib import Path

from gasoline.ingest import Ingest, Recorder
from gasoline.ingest.replay import replay
from gasoline.records import LogEntry, NetworkBody
from tests.builders import exchange, log, messages_in, send_exchanges, send_logs, store


def record_run(path: Path, *, test_id: str, status: str) -> None:
    into = Ingest(store(), recorder=Recorder(path))
    assert into.recorder is not None
    into.recorder.note("/test-boundary", {"test_id": test_id, "action": "start"}, at_ms=1.0)
    into.store.start_test(test_id)
    send_logs(into, log(message=f"in {test_id}"), sender="page", batch=1)
    send_exchanges(into, exchange(), test_id=test_id)
    ended = {"test_id": test_id, "action": "end", "status": status}
    into.recorder.note("/test-boundary", ended, at_ms=2.0)
    into.recorder.note("/clear", {"test_id": test_id}, at_ms=3.0)
    into.recorder.close()


def test_a_recorded_run_has_its_tests_and_their_evidence_even_after_clearing(
    tmp_path: Path,
) -> None:
    record_run(tmp_path / "a.jsonl", test_id="a", status="failed")

    replayed, notes = replay([tmp_path / "a.jsonl"])

    assert [(run.test_id, run.status) for run in replayed.test_runs()] == [("a", "failed")]
    assert messages_in(replayed, LogEntry, test_id="a") == ["in a"]
    assert len(messages_in(replayed, NetworkBody, test_id="a")) == 1
    assert notes == []


def test_shards_merge_even_when_their_senders_have_equal_names(tmp_path: Path) -> None:
    for name in ("a", "b"):
        record_run(tmp_path / f"{name}.jsonl", test_id=name, status="passed")

    replayed, _ = replay([tmp_path / "a.jsonl", tmp_path / "b.jsonl"])

    assert [run.test_id for run in replayed.test_runs()] == ["a", "b"]
    assert messages_in(replayed) == ["in a", "in b"]


def test_a_test_that_never_ended_was_interrupted(tmp_path: Path) -> None:
    path = tmp_path / "cut.jsonl"
    path.write_text('{"at":1,"route":"/test-boundary","test_id":"t","action":"start"}\n{"at":2,"ro')

    replayed, notes = replay([path])

    assert [(run.test_id, run.status) for run in replayed.test_runs()] == [("t", "interrupted")]
    assert len(notes) == 1


def test_boundaries_mean_the_same_as_they_did_to_the_server(tmp_path: Path) -> None:
    path = tmp_path / "attempts.jsonl"
    marked = [(1, "start"), (1, "end"), (1, "start"), (2, "start"), (1, "end"), (2, "end")]
    path.write_text(
        "".join(
            f'{{"at":1,"route":"/test-boundary","test_id":"t","action":"{action}",'
            f'"attempt":{attempt},"status":"failed"}}\n'
            for attempt, action in marked
        )
    )

    replayed, notes = replay([path])

    assert [(run.attempt, run.status) for run in replayed.test_runs()] == [
        (1, "interrupted"),
        (2, "failed"),
    ]
    assert notes == []
