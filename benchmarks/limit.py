"""The limit: the least a Python server can do with a batch, which is to decode it."""

import sys
from typing import Any

import msgspec
import uvicorn
from msgspec import Struct
from starlette.types import Receive, Scope, Send


class TypedEntry(Struct):
    """The fields of the sample entries, each as a Python object."""

    ts: str
    level: str
    message: str
    type: str = ""
    url: str = ""
    source: str = ""
    stack: str = ""
    tab_id: int | None = msgspec.field(default=None, name="tabId")
    args: list[Any] = []


class TypedBatch(Struct):
    """A request's body."""

    entries: list[TypedEntry]


_decoder = msgspec.json.Decoder(TypedBatch)
_ANSWER = b'{"received":1}'
_HEADERS = [
    (b"content-type", b"application/json"),
    (b"content-length", str(len(_ANSWER)).encode()),
]


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    """Read the body, decode it, answer."""
    assert scope["type"] == "http"
    chunks, more = [], True
    while more:
        message = await receive()
        chunks.append(message["body"])
        more = message["more_body"]
    body = b"".join(chunks)
    if body:
        _decoder.decode(body)
    await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
    await send({"type": "http.response.body", "body": _ANSWER})


if __name__ == "__main__":
    uvicorn.run(
        app,
        port=int(sys.argv[1]),
        loop="uvloop",
        http="httptools",
        log_level="warning",
        access_log=False,
        lifespan="off",
    )
