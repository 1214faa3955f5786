"""Many at once on one server: nothing lost, nothing doubled, nobody blocked."""

import json
import socket
import threading
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from tests.builders import exchange, log
from tests.servers import LOOPBACK, PATIENCE_S, RunningServer, running_server
from tests.surfaces.http.asking import mark, post, post_logs, snapshot

WRITERS, BATCHES, ENTRIES = 10, 40, 5
EVERYTHING = WRITERS * BATCHES * ENTRIES


@pytest.fixture(scope="module")
def roomy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    flags = ("--max-logs", "100000", "--max-network-bodies", "100000")
    with running_server(tmp_path_factory.mktemp("roomy"), *flags) as running:
        yield running


@pytest.fixture
def empty(roomy: RunningServer) -> RunningServer:
    roomy.request("POST", "/clear")
    return roomy


def write(server: RunningServer, writer: int, test_id: str | None = None) -> None:
    """One worker's batches; every entry has a name of its own."""
    sender = uuid.uuid4().hex
    for batch in range(1, BATCHES + 1):
        entries = [log(message=f"{writer}/{batch}/{number}") for number in range(ENTRIES)]
        more = {"test_id": test_id} if test_id else {}
        answer = post_logs(server, *entries, sender=sender, batch=batch, **more)
        assert (answer["received"], answer["ack"]) == (ENTRIES, batch)


def write_from_all(server: RunningServer, beside: Callable[[threading.Event], None]) -> None:
    """Ten writers at once, and something else until they have finished."""
    finished = threading.Event()
    with ThreadPoolExecutor(WRITERS + 1) as pool:
        other = pool.submit(beside, finished)
        writers = [pool.submit(write, server, writer) for writer in range(WRITERS)]
        try:
            for writer in writers:
                writer.result()
        finally:
            finished.set()
        other.result()


def names(seen: dict[str, list[dict[str, str]]]) -> list[str]:
    return [entry["message"] for entry in seen["logs"]]


def every_name() -> set[str]:
    return {
        f"{writer}/{batch}/{number}"
        for writer in range(WRITERS)
        for batch in range(1, BATCHES + 1)
        for number in range(ENTRIES)
    }


def test_ten_writers_and_a_reader_lose_and_double_nothing(empty: RunningServer) -> None:
    sizes: list[int] = []

    def read(finished: threading.Event) -> None:
        while not finished.is_set():
            seen = snapshot(empty)
            sizes.append(len(seen["logs"]))
            assert seen["stats"]["total_logs"] == len(seen["logs"])
            # A batch is taken as a whole or not yet at all.
            assert len(seen["logs"]) % ENTRIES == 0

    write_from_all(empty, beside=read)

    assert sizes == sorted(sizes)
    assert Counter(names(snapshot(empty))) == Counter(every_name())


def test_with_a_clearer_every_entry_is_seen_or_removed_once(empty: RunningServer) -> None:
    removed: list[int] = []

    def clear(finished: threading.Event) -> None:
        while not finished.is_set():
            removed.append(post(empty, "/clear", {})["entries_removed"])

    write_from_all(empty, beside=clear)

    left = names(snapshot(empty))
    assert len(set(left)) == len(left)
    assert sum(removed) + len(left) == EVERYTHING
    assert [count for count in removed if count % ENTRIES] == []


def test_no_reader_sees_a_half_cleared_server(empty: RunningServer) -> None:
    mixed: list[tuple[int, int]] = []

    def fill(finished: threading.Event) -> None:
        while not finished.is_set():
            # The body goes first and is cleared with its log: never fewer bodies than logs.
            post(empty, "/network-bodies", {"bodies": [exchange()], "sender": "fills"})
            post_logs(empty, log())
            post(empty, "/clear", {})

    def read(finished: threading.Event) -> None:
        for _ in range(300):
            seen = snapshot(empty)
            mixed.append((len(seen["network_bodies"]), len(seen["logs"])))
        finished.set()

    finished = threading.Event()
    with ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(fill, finished), pool.submit(read, finished)]:
            done.result()

    assert set(mixed) <= {(0, 0), (1, 0), (1, 1)}
    assert len(mixed) == 300


def test_ten_workers_with_a_test_each_keep_their_evidence_apart(empty: RunningServer) -> None:
    def run(worker: int) -> list[str]:
        test_id = f"worker-{worker}"
        mark(empty, test_id, "start")
        write(empty, worker, test_id)
        seen = names(snapshot(empty, test_id=test_id))
        post(empty, "/clear", {"test_id": test_id})
        assert names(snapshot(empty, test_id=test_id)) == []
        mark(empty, test_id, "end", status="passed")
        return seen

    with ThreadPoolExecutor(WRITERS) as pool:
        seen = list(pool.map(run, range(WRITERS)))

    for worker, evidence in enumerate(seen):
        assert evidence == [
            f"{worker}/{batch}/{number}"
            for batch in range(1, BATCHES + 1)
            for number in range(ENTRIES)
        ]


def test_two_deliveries_of_one_batch_at_once_store_it_once(empty: RunningServer) -> None:
    def deliver(_: int) -> bool:
        answer = post_logs(empty, log(message="once"), sender="twins", batch=1)
        return bool(answer.get("duplicate", False))

    with ThreadPoolExecutor(10) as pool:
        duplicates = list(pool.map(deliver, range(50)))

    assert names(snapshot(empty)) == ["once"]
    assert duplicates.count(False) == 1


@contextmanager
def hanging_connection(server: RunningServer, sent: bytes) -> Iterator[socket.socket]:
    """A client that has sent this much and does nothing more."""
    with socket.socket() as connection:
        # A small window, so that the server's answer does not fit into the kernel's buffers.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(PATIENCE_S)
        connection.connect((LOOPBACK, server.port))
        connection.sendall(sent)
        yield connection


def test_a_client_that_stops_reading_blocks_nobody(empty: RunningServer) -> None:
    post_logs(empty, *(log(message="x" * 900_000) for _ in range(5)))
    request = f"GET /snapshot HTTP/1.1\r\nHost: {LOOPBACK}:{empty.port}\r\n\r\n".encode()

    with hanging_connection(empty, request) as first, hanging_connection(empty, request) as second:
        started = [connection.recv(16) for connection in (first, second)]
        post_logs(empty, log(message="meanwhile"))
        seen = names(snapshot(empty))

    assert started == [b"HTTP/1.1 200 OK\r"] * 2
    assert seen[-1] == "meanwhile"


def test_a_client_that_sends_byte_by_byte_blocks_nobody(empty: RunningServer) -> None:
    body = json.dumps({"entries": [log(message="slow")]}).encode()
    head = f"POST /logs HTTP/1.1\r\nHost: {LOOPBACK}:{empty.port}\r\n"
    request = f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body

    with hanging_connection(empty, request[:1]) as slow:
        for byte in request[1:-1]:
            slow.sendall(bytes([byte]))
            if byte == ord("\n"):
                post_logs(empty, log(message="fast"))
        meanwhile = names(snapshot(empty))
        slow.sendall(request[-1:])
        answered = slow.recv(15)

    assert set(meanwhile) == {"fast"}
    assert answered == b"HTTP/1.1 200 OK"
    assert names(snapshot(empty))[-1] == "slow"
