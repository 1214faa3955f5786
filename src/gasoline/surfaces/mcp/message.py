"""A JSON-RPC message as far as the bridge reads it. Standard library only."""

import json
from functools import cached_property
from typing import Any

SERVER_GONE = -32000


class Message:
    """One line of the wire. What is not a message is for the server to refuse, so it passes."""

    def __init__(self, line: bytes) -> None:
        self.line = line if line.endswith(b"\n") else line + b"\n"

    @cached_property
    def content(self) -> dict[str, Any]:
        try:
            content = json.loads(self.line)
        except (ValueError, RecursionError):
            return {}
        return content if isinstance(content, dict) else {}

    @property
    def method(self) -> str | None:
        method = self.content.get("method")
        return method if isinstance(method, str) else None

    @property
    def id(self) -> Any:
        return self.content.get("id")

    @property
    def key(self) -> str:
        """Its id as a name: JSON tells 1 from "1"."""
        return json.dumps(self.id)

    @property
    def is_request(self) -> bool:
        return "method" in self.content and self.id is not None

    @property
    def is_answer(self) -> bool:
        return "method" not in self.content and self.id is not None

    @property
    def expects_answer(self) -> bool:
        return self.is_request or not self.content

    @property
    def params(self) -> dict[str, Any]:
        params = self.content.get("params")
        return params if isinstance(params, dict) else {}

    def with_id(self, new_id: Any) -> "Message":
        return write_message({**self.content, "id": new_id})


def write_message(content: dict[str, Any]) -> Message:
    return Message(json.dumps(content, separators=(",", ":")).encode())


def refuse(request_id: Any, reason: str) -> Message:
    """The answer to a request that no server answered."""
    error = {"code": SERVER_GONE, "message": f"gasoline: {reason}"}
    return write_message({"jsonrpc": "2.0", "id": request_id, "error": error})
