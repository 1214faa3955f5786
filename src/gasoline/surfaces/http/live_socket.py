"""The line to an extension: it tells which tabs are open, and is asked about their pages."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec
from msgspec import Struct
from starlette.types import ASGIApp, Receive, Scope, Send

from gasoline.ingest.json_text import NOT_JSON, mend_half_pairs
from gasoline.live.browsers import Browser, Question, Tab
from gasoline.live.questions import Questions
from gasoline.redaction import redact_text
from gasoline.surfaces.settings import SESSION_CHARS, Settings

logger = logging.getLogger(__name__)

MESSAGE_LIMIT = 10 * 1024 * 1024
OUTBOX_MESSAGES = 100
SEND_PATIENCE_S = 10.0
GOODBYE_PATIENCE_S = 1.0
TABS_LISTED = 500
URL_CHARS, TITLE_CHARS = 2000, 200
LOGGED_CHARS = 200


class Hello(Struct, frozen=True, tag_field="type", tag="hello"):
    """The first message: who is there."""

    session: str = ""
    debugger: bool = False
    tabs: list[Tab] = []


class TabsChanged(Struct, frozen=True, tag_field="type", tag="tabs"):
    """The tabs that are open now."""

    tabs: list[Tab]


class Ping(Struct, frozen=True, tag_field="type", tag="ping"):
    """A sign of life, which keeps the extension's worker alive too."""


class Answer(Struct, frozen=True, tag_field="type", tag="answer"):
    """What a question brought to light."""

    id: str
    result: Any = None


Said = Hello | TabsChanged | Ping | Answer

_decoder: msgspec.json.Decoder[Said] = msgspec.json.Decoder(Said)


def live_socket(
    questions: Questions, settings: Settings, *, now_ms: Callable[[], float]
) -> ASGIApp:
    """Serve any number of extensions, each on a line of its own."""

    async def app(_scope: Scope, receive: Receive, send: Send) -> None:
        await _Line(questions, settings, now_ms).serve(receive, send)

    return app


class _Line:
    """One connection from its opening to its end."""

    def __init__(
        self, questions: Questions, settings: Settings, now_ms: Callable[[], float]
    ) -> None:
        self._questions = questions
        self._settings = settings
        self._now_ms = now_ms
        self._outbox: asyncio.Queue[bytes] = asyncio.Queue(OUTBOX_MESSAGES)
        self._ended = asyncio.Event()
        self._browser = Browser(ask=self._ask, hang_up=self._ended.set)

    async def serve(self, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        self._tell_settings()
        stop_watching = self._settings.overrides.watch(self._tell_settings)
        try:
            async with asyncio.TaskGroup() as tasks:
                running = [
                    tasks.create_task(self._read(receive)),
                    tasks.create_task(self._write(send)),
                ]
                await self._ended.wait()
                for task in running:
                    task.cancel()
        finally:
            stop_watching()
            self._questions.disconnect(self._browser)
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(GOODBYE_PATIENCE_S):
                await send({"type": "websocket.close"})

    async def _read(self, receive: Receive) -> None:
        while (message := await receive())["type"] == "websocket.receive":
            text = message.get("text")
            if text is None:
                logger.warning("Ignored a binary frame on /live: it takes JSON text")
            else:
                self._hear(text.encode())
        self._ended.set()

    async def _write(self, send: Send) -> None:
        try:
            while True:
                message = await self._outbox.get()
                async with asyncio.timeout(SEND_PATIENCE_S):
                    await send({"type": "websocket.send", "text": message.decode()})
        except TimeoutError:
            logger.warning("An extension stopped reading: its line is cut")
        except OSError:
            # It left; reading says so too.
            logger.debug("An extension left before its message")
        self._ended.set()

    def _hear(self, frame: bytes) -> None:
        try:
            said = _decode(frame)
        except NOT_JSON as error:
            logger.warning("Ignored a frame on /live: %.*r", LOGGED_CHARS, str(error))
            return
        match said:
            case Ping():
                self._tell({"type": "pong"})
            case TabsChanged(tabs):
                self._questions.browsers.note_tabs(self._browser, _readable(tabs))
            case Answer(question_id, result):
                self._questions.answer(question_id, result, by=self._browser)
            case Hello(session, debugger, tabs):
                self._browser.session = session[:SESSION_CHARS]
                self._browser.can_debug = debugger
                self._browser.tabs = tuple(_readable(tabs))
                self._questions.browsers.connect(self._browser)
                self._settings.note_heartbeat(session, now_ms=self._now_ms())

    def _ask(self, question: Question) -> None:
        self._tell(
            {
                "type": "question",
                "id": question.id,
                "question": question.type,
                "params": question.params,
                "tabId": question.tab_id,
            }
        )

    def _tell_settings(self) -> None:
        self._tell({"type": "settings", "captureOverrides": self._settings.capture_overrides})

    def _tell(self, message: dict[str, Any]) -> None:
        try:
            self._outbox.put_nowait(msgspec.json.encode(message))
        except asyncio.QueueFull:
            logger.warning("An extension does not read what it is told: its line is cut")
            self._ended.set()


def _decode(frame: bytes) -> Said:
    try:
        return _decoder.decode(frame)
    except NOT_JSON:
        return _decoder.decode(mend_half_pairs(frame))


def _readable(tabs: Iterable[Tab]) -> Iterator[Tab]:
    """Tabs without secrets in their addresses, and no more text than a list needs."""
    for tab, _ in zip(tabs, range(TABS_LISTED), strict=False):
        yield Tab(
            tab.tab_id,
            redact_text(tab.url[:URL_CHARS]),
            redact_text(tab.title[:TITLE_CHARS]),
            tab.active,
        )
