"""One tool call: arguments checked, the tool run, its answer as text, and maybe a picture."""

import inspect
from typing import Any

import msgspec
from msgspec import Struct

from gasoline.generation.untrusted import has_invisible, strip_invisible, strip_within
from gasoline.tools.context import Context, WithPicture
from gasoline.tools.registry import Tool, ToolError, all_tools


class ToolAnswer(Struct, frozen=True):
    """What the caller reads."""

    text: str
    is_error: bool = False
    png: bytes | None = None


class UnknownToolError(Exception):
    """No tool has this name."""


async def answer_call(context: Context, name: str, arguments: dict[str, Any]) -> ToolAnswer:
    """Run a tool. Wrong arguments and questions without an answer come back as error texts."""
    tool = all_tools().get(name)
    if tool is None:
        raise UnknownToolError(f"Unknown tool: {name}")
    try:
        params = read_params(tool, arguments)
        result = tool.function(context, params)
        answer = await result if inspect.isawaitable(result) else result
    except ToolError as error:
        return ToolAnswer(str(error), is_error=True)
    if isinstance(answer, WithPicture):
        return ToolAnswer(write_answer(answer.answer), png=answer.png)
    return ToolAnswer(write_answer(answer))


def read_params(tool: Tool, arguments: dict[str, Any]) -> Struct:
    """Check arguments against the tool's Params; the refusal names the parameter and the rule."""
    # Clients send null for what they leave out.
    given = {key: value for key, value in arguments.items() if value is not None}
    known = {field.encode_name for field in msgspec.structs.fields(tool.params)}
    unknown = sorted(given.keys() - known)
    if unknown:
        raise ToolError(
            f"{unknown[0]}: {tool.name} has no such parameter. It takes: "
            f"{', '.join(sorted(known)) or 'none'}."
        )
    try:
        return msgspec.convert(given, tool.params, strict=False)
    except msgspec.ValidationError as error:
        rule, _, place = str(error).partition(" - at `$")
        where = place.strip(".`") or "arguments"
        raise ToolError(f"{where}: {rule}. {_advise(tool, where)}") from error


def _advise(tool: Tool, where: str) -> str:
    described = tool.input_schema()["properties"].get(where.partition("[")[0], {})
    choices = described.get("enum") or described.get("items", {}).get("enum")
    if choices:
        return f"Choose from: {', '.join(map(str, choices))}."
    return f"See the parameters of {tool.name}."


def write_answer(answer: Any) -> str:
    """JSON without the characters that hide text or steer a terminal."""
    if isinstance(answer, str):
        return strip_invisible(answer)
    text = msgspec.json.encode(answer).decode()
    # Control characters are escaped inside JSON, so look for their escapes as well.
    if has_invisible(text) or "\\u00" in text or "\\r" in text or "\\b" in text or "\\f" in text:
        return msgspec.json.encode(strip_within(msgspec.to_builtins(answer))).decode()
    return text
