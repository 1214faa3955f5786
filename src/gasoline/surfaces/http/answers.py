"""How this server answers over HTTP: JSON, always with a reason when it refuses."""

from typing import Any

import msgspec
from starlette.responses import Response


def json_answer(content: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    body = content if isinstance(content, bytes) else msgspec.json.encode(content)
    return Response(body, status, headers, media_type="application/json")


def refuse(reason: str, status: int = 400, headers: dict[str, str] | None = None) -> Response:
    return json_answer({"error": reason}, status, headers)
