"""How much memory the server takes: idle, while ten test workers post to it, and with pictures."""

import argparse
import asyncio
import base64
import http.client
import io
import json
import time
from itertools import count, cycle
from typing import Any

import msgspec
import psutil
from load import write_post
from PIL import Image
from samples import log_entry, network_body, websocket_event
from servers import Running, gasoline_server
from table import Row, report

SECONDS = 60.0
WORKERS = 10
SETTLE_S = 2.0
SAMPLE_S = 0.1
PICTURES = 3
PICTURE_SAMPLE_S = 0.005
MIB = 1024 * 1024
STORE_LIMIT_BYTES = 24 * MIB
OK, TOO_MANY = 200, 429

# Each turn of a worker: the route, the name of its list, and what it holds.
TURNS: list[tuple[str, str, list[dict[str, Any]]]] = [
    turn
    for first in range(0, 30, 3)
    for turn in (
        ("/logs", "entries", [log_entry(number) for number in range(50)]),
        ("/network-bodies", "bodies", [network_body(first + offset) for offset in range(3)]),
        ("/websocket-events", "events", [websocket_event(number) for number in range(50)]),
    )
]


def measure(*, seconds: float = SECONDS) -> list[Row]:
    """Resident memory at rest, and at its highest under load."""
    with gasoline_server() as server:
        process = psutil.Process(server.pid)
        time.sleep(SETTLE_S)
        idle_bytes = process.memory_info().rss
        peak_bytes, acknowledged = asyncio.run(_load(server, process, seconds))
        assert process.is_running()
        stored_bytes = _stored_bytes(server)
    with gasoline_server() as server:
        picture_peak_bytes = asyncio.run(_send_pictures(server, psutil.Process(server.pid)))
    return [
        Row(what="idle, resident", measured=idle_bytes / MIB, unit="MB", budget=90),
        Row(
            what=f"{WORKERS} workers for {seconds:g} s, highest resident",
            measured=peak_bytes / MIB,
            unit="MB",
            budget=100,
        ),
        Row(
            what="store at its cap",
            measured=100 * stored_bytes / STORE_LIMIT_BYTES,
            unit="%",
            budget=99,
            budget_is="at least",
        ),
        Row(
            what=f"{PICTURES} pictures of 1280 x 16384 pixels, highest resident",
            measured=picture_peak_bytes / MIB,
            unit="MB",
            budget=100,
        ),
        Row(what="batches acknowledged, all of those sent", measured=acknowledged, unit=""),
    ]


async def _load(server: Running, process: psutil.Process, seconds: float) -> tuple[int, int]:
    """The highest memory seen and the number of batches; a batch not acknowledged fails."""
    until = time.monotonic() + seconds
    async with asyncio.TaskGroup() as tasks:
        watching = tasks.create_task(_watch(process, until))
        workers = [
            tasks.create_task(_work(server.port, f"worker-{number}", until))
            for number in range(WORKERS)
        ]
    return watching.result(), sum(worker.result() for worker in workers)


async def _watch(process: psutil.Process, until: float) -> int:
    peak_bytes = 0
    while time.monotonic() < until:
        peak_bytes = max(peak_bytes, process.memory_info().rss)
        await asyncio.sleep(SAMPLE_S)
    return max(peak_bytes, process.memory_info().rss)


async def _work(port: int, name: str, until: float) -> int:
    """One test worker: its own test, its own sender, every batch acknowledged before the next."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    start = json.dumps({"test_id": name, "action": "start"}).encode()
    await _post(reader, writer, write_post(port, "/test-boundary", start))
    numbers = count(1)
    acknowledged = 0
    turns = cycle(TURNS)
    while time.monotonic() < until:
        route, list_name, records = next(turns)
        number = next(numbers)
        batch = {"sender": name, "batch": number, "test_id": name, list_name: records}
        request = write_post(port, route, msgspec.json.encode(batch))
        answer = await _post(reader, writer, request)
        assert answer["received"] == len(records), answer
        assert answer["ack"] == number, answer
        acknowledged += 1
    writer.close()
    return acknowledged


async def _post(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes
) -> dict[str, Any]:
    """The answer, after as many tries as the rate limit asks for."""
    while True:
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        status_line, _, fields = head.partition(b"\r\n")
        headers = http.client.parse_headers(io.BytesIO(fields))
        body = await reader.readexactly(int(headers["content-length"]))
        status = int(status_line.split()[1])
        if status != TOO_MANY:
            assert status == OK, body
            answer: dict[str, Any] = msgspec.json.decode(body)
            return answer
        await asyncio.sleep(float(headers["retry-after"]))


async def _send_pictures(server: Running, process: psutil.Process) -> int:
    """The highest memory seen while whole pages are made small enough to keep."""
    page = Image.linear_gradient("L").resize((1280, 16_384)).convert("RGB")
    png = io.BytesIO()
    page.save(png, "PNG")
    data_url = f"data:image/png;base64,{base64.b64encode(png.getvalue()).decode()}"
    request = write_post(server.port, "/screenshots", msgspec.json.encode({"dataUrl": data_url}))
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    peak_bytes = 0
    for _ in range(PICTURES):
        async with asyncio.TaskGroup() as tasks:
            sending = tasks.create_task(_post(reader, writer, request))
            while not sending.done():
                peak_bytes = max(peak_bytes, process.memory_info().rss)
                await asyncio.sleep(PICTURE_SAMPLE_S)
    writer.close()
    return peak_bytes


def _stored_bytes(server: Running) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    connection.request("GET", "/health")
    health = json.loads(connection.getresponse().read())
    connection.close()
    stored: int = health["memory"]["bytes"]
    return stored


def main() -> None:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of load (default: 60)")
    report(measure(seconds=parser.parse_args().seconds))


if __name__ == "__main__":
    main()
