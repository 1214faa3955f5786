"""From a driver's process to the server: in order, from a thread of its own."""

import atexit
import json
import logging
import os
import threading
import time
from collections.abc import Iterator
from http import HTTPStatus
from http.client import HTTPException
from typing import Any, Literal, NamedTuple
from urllib.parse import urlsplit

from gasoline.drivers.http_post import Connection
from gasoline.drivers.waiting_room import WaitingRoom

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

# Where several go at once, a line each; the server takes up to 5 MiB.
EVIDENCE_ROUTE = "/evidence"
POST_BYTES = 1024 * 1024
# Each request takes us, the server and the test some of their time: what is said waits so long for
# company. That a test starts is said at once, and so is what may be about to end this process.
COMPANY_S = 0.25
ERROR = '"level":"error"'

QUEUED_POSTS = 10_000
QUEUED_BYTES = 32 * 1024 * 1024
ANSWER_S = 5.0
# The server hangs up on a connection that was idle for five seconds.
FRESH_S = 2.0
RETRY_S = (0.05, 0.1, 0.25, 0.5, 1.0, 1.0)
LAST_CHANCE_S = 2.0

STOP: Literal["stop"] = "stop"


class Post(NamedTuple):
    """One request on its way."""

    route: str
    body: bytes
    # The page's origin as its browser knows it: a page may say anything of itself.
    origin: str | None = None
    batches: int = 1
    is_urgent: bool = False


class _Answer(NamedTuple):
    """What the server says to a request."""

    status: int
    retry_after_s: float
    # Of one that it did not take as a whole: how many lines it took.
    taken: int


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
        self._waiting: WaitingRoom[Post | threading.Event | Literal["stop"]] = WaitingRoom(
            COMPANY_S
        )
        # Each is written by one side only, so that neither needs a lock.
        self._taken_bytes = 0
        self._sent_bytes = 0
        self._thread: threading.Thread | None = None
        self._connection: Connection | None = None
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
        self._put(*[_read_batch(line, test_id, origin) for line in message.split("\n")])

    def post(self, route: str, content: Any) -> None:
        """Queue something of our own, behind everything taken so far."""
        self._put(Post(route, json.dumps(content).encode(), is_urgent=_is_start(content)))

    def drain(self, timeout_s: float) -> bool:
        """Wait until what was taken so far is delivered: whether it was, within the time."""
        if self.is_down:
            return False
        # None before the first, and none after the last or in a forked child: nobody would answer.
        if self._thread is None or not self._thread.is_alive():
            return True
        reached = threading.Event()
        self._waiting.put(reached, is_urgent=True)
        return reached.wait(timeout_s) and not self.is_down

    def close(self, timeout_s: float = LAST_CHANCE_S) -> None:
        """Deliver what is left within the time, and end the thread."""
        self.drain(timeout_s)
        if self._thread and self._thread.is_alive():
            self._waiting.put(STOP, is_urgent=True)
            self._thread.join(timeout_s)

    def _put(self, *posts: Post) -> None:
        waiting_bytes = self._taken_bytes - self._sent_bytes
        if len(self._waiting) >= QUEUED_POSTS or waiting_bytes >= self._queued_bytes_limit:
            raise FullQueueError(f"more than {QUEUED_POSTS} batches wait for the server")
        new_bytes = sum(len(post.body) for post in posts)
        self._taken_bytes += new_bytes
        is_enough = waiting_bytes + new_bytes >= POST_BYTES
        self._waiting.put(*posts, is_urgent=is_enough or any(post.is_urgent for post in posts))
        # Not alive in a forked child, which has our queue and none of our threads.
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._run, name="gasoline", daemon=True)
            self._thread.start()
            atexit.register(self.drain, LAST_CHANCE_S)

    def _run(self) -> None:
        while True:
            posts, then = self._gather()
            for post in joined(posts):
                delivered = self._deliver(post)
                self.delivered += delivered
                self.lost += post.batches - delivered
            self._sent_bytes += sum(len(post.body) for post in posts)
            if isinstance(then, threading.Event):
                then.set()
            elif then is STOP:
                break
        self._hang_up()

    def _gather(self) -> tuple[list[Post], threading.Event | Literal["stop"] | None]:
        """What is to go now, and what comes after it: who waits for that, or the end."""
        self._waiting.wait()
        posts: list[Post] = []
        size = 0
        then = None
        while size < POST_BYTES and not then and (item := self._waiting.take()):
            if isinstance(item, Post):
                posts.append(item)
                size += len(item.body)
            else:
                then = item
        self._waiting.press()
        return posts, then

    def _deliver(self, post: Post) -> int:
        """Try until the server has it, or until it is clear that it will not: how many it has."""
        left = post
        # One that was away the last time gets one chance: a queue must not grow behind it.
        for pause_s in (0.0,) if self.is_down else (0.0, *self._retry_s):
            if pause_s:
                time.sleep(pause_s)
            try:
                answer = self._send(left)
            except (OSError, HTTPException):
                self._hang_up()
                continue
            if answer.status == HTTPStatus.TOO_MANY_REQUESTS:
                left = _without(left, answer.taken)
                time.sleep(answer.retry_after_s)
            elif answer.status < HTTPStatus.INTERNAL_SERVER_ERROR:
                self.is_down = False
                return post.batches - self._refused(left, answer)
        if not self.is_down:
            logger.warning(
                "Gasoline on port %d does not answer: the browser's evidence is incomplete",
                self.port,
            )
        self.is_down = True
        return post.batches - left.batches

    def _refused(self, post: Post, answer: "_Answer") -> int:
        """How many batches the server does not want."""
        if answer.status < HTTPStatus.BAD_REQUEST:
            return 0
        if not self._has_warned_of_refusal:
            self._has_warned_of_refusal = True
            logger.warning(
                "Gasoline on port %d refused a batch for %s (%d): evidence is incomplete",
                self.port,
                post.route,
                answer.status,
            )
        return post.batches - answer.taken

    def _send(self, post: Post) -> "_Answer":
        if time.monotonic() - self._last_used_s > FRESH_S:
            self._hang_up()
        if self._connection is None:
            self._connection = Connection(self.host, self.port, timeout_s=ANSWER_S)
        headers = self._headers | ({"Origin": post.origin} if post.origin else {})
        answer = self._connection.post(post.route, headers, post.body)
        self._last_used_s = time.monotonic()
        if answer.is_last:
            self._hang_up()
        retry_after_s = _seconds(answer.headers.get(b"retry-after"))
        is_fine = answer.status < HTTPStatus.BAD_REQUEST
        return _Answer(answer.status, retry_after_s, 0 if is_fine else _read_taken(answer.body))

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
    body = f'{{{named}"{rest}'.encode("utf-8", "replace")
    return Post(route, body, origin, is_urgent=ERROR in rest)


def _is_start(content: Any) -> bool:
    return isinstance(content, dict) and content.get("action") == "start"


def joined(posts: list[Post], *, post_bytes: int = POST_BYTES) -> Iterator[Post]:
    """The same in few requests."""
    while posts:
        count, size = 1, len(posts[0].body)
        while count < len(posts) and (size := size + len(posts[count].body)) <= post_bytes:
            count += 1
        together, posts = posts[:count], posts[count:]
        if count == 1:
            yield together[0]
        else:
            yield Post(EVIDENCE_ROUTE, b"\n".join(map(_as_line, together)), batches=count)


def _as_line(post: Post) -> bytes:
    origin = f" {post.origin}" if post.origin else ""
    return f"{post.route}{origin}".encode() + post.body


def _without(post: Post, taken: int) -> Post:
    """What is left of several lines once the first are taken."""
    if taken == 0:
        return post
    lines = post.body.split(b"\n")[taken:]
    return post._replace(body=b"\n".join(lines), batches=len(lines))


def _read_taken(said: bytes) -> int:
    try:
        taken = json.loads(said)["taken"]
    except (ValueError, KeyError, TypeError):
        return 0
    return taken if isinstance(taken, int) else 0


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


def _seconds(retry_after: bytes | None) -> float:
    return min(float(retry_after), 1.0) if retry_after and retry_after.isdigit() else 0.0
