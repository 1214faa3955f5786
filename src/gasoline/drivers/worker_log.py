"""What a worker said, as the log entry that a page's capture would have made of it."""

from datetime import UTC, datetime
from typing import Any

LEVELS = {"warning": "warn", "assert": "error", "error": "error", "info": "info", "debug": "debug"}
TEXT_CHARS = 2000


def read_worker_event(method: str, params: dict[str, Any], *, url: str) -> dict[str, Any]:
    """Capture does not run in workers; the browser tells their console and exceptions itself."""
    if method == "Runtime.exceptionThrown":
        details = params["exceptionDetails"]
        thrown = details.get("exception", {}).get("description") or details.get("text", "")
        message, _, stack = thrown.partition("\n")
        said = {"level": "error", "type": "exception", "message": message, "stack": stack}
    else:
        message = " ".join(_describe(argument) for argument in params.get("args", []))
        said = {"level": LEVELS.get(params["type"], "log"), "type": "console", "message": message}
    when = datetime.fromtimestamp(params.get("timestamp", 0) / 1000, UTC)
    return {
        **{key: text[:TEXT_CHARS] for key, text in said.items()},
        "source": said["type"],
        "ts": when.isoformat(timespec="milliseconds"),
        "url": url,
        "worker": True,
    }


def _describe(value: dict[str, Any]) -> str:
    if "value" in value:
        return str(value["value"])
    return str(value.get("description") or value.get("unserializableValue") or value.get("type"))
