"""From a driver's process to the server: in order, from a thread of its own."""

import atexit
import http.client
import json
import logging
import os
import queue
import threading
import time
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import urlsplit

logger = logging.getLogger(__name__)

LOOPBACK = "127.0.0.1"

# A page reaches these and nothing else through us: what it says is not to be trusted.
PAGE_ROUTES = frozenset(
    {
        "/logs",
        "/websocket-events",
        "/network-bodies",
        "/enhanced-actions",
        "/performance-snapshots",
        "/dom-snapshots",
    }
)

# Where several batches go at once, a line each; the server takes up to 5 MiB.
BATCHES_ROUTE = "/batches"
POST_BYTES = 1024 * 1024

QUEUED_POSTS = 10_000
QUEUED_BYTES = 32 * 1024 * 1024
ANSWER_S = 5.0
# The server hangs up on a connection that was idle for five seconds.
FRESH_S = 2.0
RETRY_S = (0.05, 0.1, 0.25, 0.5, 1.0, 1.0)
LAST_CHANCE_S = 2.0

TOO_MANY = 429
SERVER_FAILURE = 500


class Post(NamedTuple):
    """One request on its way."""

    route: str
    body: bytes
    # The page's origin as its browser knows it: a page may say anything of itself.
    origin: str | None = None
    batches: int = 1


class FullQueueError(Exception):
    """More is waiting than we keep; the page still has it and tries again."""


class Delivery:
    """Posts to one server. What it is given is sent later; what it could not send is counted."""

    def __init__(
        self,
        port: int,
        *,
        host: str | None = None,
        token: str | None = None,
        retry_s: tuple[float, ...] = RETRY_S,
        queued_bytes: int = QUEUED_BYTES,
    ) -> None:
        self.host = host or os.environ.get("GASOLINE_HOST") or LOOPBACK
        self.port = port
        self._retry_s = retry_s
        self._queued_bytes_limit = queued_bytes
        self.delivered = 0
        self.lost = 0
        # Whether the server did not answer the last time. Then nobody waits for it.
        self.is_down = False
        self._headers = {"Content-Type": "application/json"}
        if token:
            self._headers["Authorization"] = f"Bearer {token}"
        self._queue: queue.SimpleQueue[Post | threading.Event | None] = queue.SimpleQueue()
        # Each is written by one side only, so that neither needs a lock.
        self._taken_bytes = 0
        self._sent_bytes = 0
        self._thread: threading.Thread | None = None
        self._connection: http.client.HTTPConnection | None = None
        self._last_used_s = 0.0
        self._has_warned_of_refusal = False

    def name_browser(self, user_agent: str) -> None:
        """Which browser the evidence is of, said as that browser's own requests would."""
        self._headers = self._headers | {"User-Agent": user_agent}

    def take(
        self, message: str, *, test_id: str | None = None, page_url: str | None = None
    ) -> None:
        """Queue batches, a line each. The test's name gives way to one that the page says."""
        origin = None if page_url is None else _origin_of(page_url)
        self._put(*joined([_read_batch(line, test_id, origin) for line in message.split("\n")]))

    def post(self, route: str, content: Any) -> None:
        """Queue a request of our own, behind everything taken so far."""
        self._put(Post(route, json.dumps(content).encode()))

    def drain(self, timeout_s: float) -> bool:
        """Wait until what was taken so far is delivered: whether it was, within the time."""
        if self.is_down:
            return False
        # None before the first, and none after the last or in a forked child: nobody would answer.
        if self._thread is None or not self._thread.is_alive():
            return True
        reached = threading.Event()
        self._queue.put(reached)
        return reached.wait(timeout_s) and not self.is_down

    def close(self, timeout_s: float = LAST_CHANCE_S) -> None:
        """Deliver what is left within the time, and end the thread."""
        self.drain(timeout_s)
        if self._thread and self._thread.is_alive():
            self._queue.put(None)
            self._thread.join(timeout_s)

    def _put(self, *posts: Post) -> None:
        if (
            self._queue.qsize() >= QUEUED_POSTS
            or self._taken_bytes - self._sent_bytes >= self._queued_bytes_limit
        ):
            raise FullQueueError(f"more than {QUEUED_POSTS} batches wait for the server")
        for post in posts:
            self._taken_bytes += len(post.body)
            self._queue.put(post)
        # Not alive in a forked child, which has our queue and none of our threads.
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._run, name="gasoline", daemon=True)
            self._thread.start()
            atexit.register(self.drain, LAST_CHANCE_S)

    def _run(self) -> None:
        while (item := self._queue.get()) is not None:
            if isinstance(item, threading.Event):
                item.set()
                continue
            if self._deliver(item):
                self.delivered += item.batches
            else:
                self.lost += item.batches
            self._sent_bytes += len(item.body)
        self._hang_up()

    def _deliver(self, post: Post) -> bool:
        """Try until the server has it, or until it is clear that it will not have it."""
        # One that was away the last time gets one chance: a queue must not grow behind it.
        for pause_s in (0.0,) if self.is_down else (0.0, *self._retry_s):
            time.sleep(pause_s)
            try:
                status, retry_after = self._send(post)
            except (OSError, http.client.HTTPException):
                self._hang_up()
                continue
            if status == TOO_MANY:
                time.sleep(retry_after)
            elif status < SERVER_FAILURE:
                self.is_down = False
                return self._was_accepted(status, post)
        if not self.is_down:
            logger.warning(
                "Gasoline on port %d does not answer: the browser's evidence is incomplete",
                self.port,
            )
        self.is_down = True
        return False

    def _was_accepted(self, status: int, post: Post) -> bool:
        if status < http.client.BAD_REQUEST:
            return True
        if not self._has_warned_of_refusal:
            self._has_warned_of_refusal = True
            logger.warning(
                "Gasoline on port %d refused a batch for %s (%d): evidence is incomplete",
                self.port,
                post.route,
                status,
            )
        return False

    def _send(self, post: Post) -> tuple[int, float]:
        if time.monotonic() - self._last_used_s > FRESH_S:
            self._hang_up()
        if self._connection is None:
            self._connection = http.client.HTTPConnection(self.host, self.port, timeout=ANSWER_S)
        headers = self._headers | ({"Origin": post.origin} if post.origin else {})
        self._connection.request("POST", post.route, post.body, headers)
        answer = self._connection.getresponse()
        answer.read()
        self._last_used_s = time.monotonic()
        return answer.status, _seconds(answer.getheader("Retry-After"))

    def _hang_up(self) -> None:
        if self._connection:
            self._connection.close()
            self._connection = None


def _read_batch(line: str, test_id: str | None, origin: str | None) -> Post:
    """A route, and right behind it the body: an object with something in it."""
    route, opening, rest = line.partition('{"')
    if route not in PAGE_ROUTES or not opening:
        raise ValueError("a page sent something that is no batch")
    # Of two equal keys the later one counts, and that is the page's.
    named = "" if test_id is None else f'"test_id":{json.dumps(test_id)},'
    return Post(route, f'{{{named}"{rest}'.encode("utf-8", "replace"), origin)


def joined(batches: list[Post], *, post_bytes: int = POST_BYTES) -> Iterator[Post]:
    """The same in few requests: each takes us, the server and the test some of their time."""
    while batches:
        count, size = 1, len(batches[0].body)
        while count < len(batches) and (size := size + len(batches[count].body)) <= post_bytes:
            count += 1
        together, batches = batches[:count], batches[count:]
        if count == 1:
            yield together[0]
        else:
            lines = b"\n".join(post.route.encode() + post.body for post in together)
            yield Post(BATCHES_ROUTE, lines, together[0].origin, count)


def _origin_of(page_url: str) -> str:
    try:
        parts = urlsplit(page_url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return "null"
    if parts.scheme not in {"http", "https"} or not host.isascii():
        return "null"
    name = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{name}:{port}" if port else f"{parts.scheme}://{name}"


def _seconds(retry_after: str | None) -> float:
    return min(float(retry_after), 1.0) if retry_after and retry_after.isdigit() else 0.0
