"""What a tool is, and how the tools in this folder are found."""

import importlib
import inspect
import pkgutil
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

import gasoline.tools
from gasoline.tools.context import Context

ToolFunction = Callable[[Context, Any], Any | Awaitable[Any]]


class ToolError(Exception):
    """The question cannot be answered; the message says why and what to do next."""


class Tool(Struct, frozen=True):
    """One question a client can ask."""

    name: str
    description: str
    params: type[Struct]
    function: ToolFunction
    read_only: bool

    def input_schema(self) -> dict[str, Any]:
        """The JSON schema of the parameters, kept short: every client reads all of it."""
        _, components = msgspec.json.schema_components([self.params])
        schema = components[self.params.__name__]
        return {
            "type": "object",
            "properties": {
                name: _shorten(described, components)
                for name, described in schema["properties"].items()
            },
            **({"required": schema["required"]} if schema.get("required") else {}),
            "additionalProperties": False,
        }


def _shorten(described: dict[str, Any], components: dict[str, Any]) -> dict[str, Any]:
    """Leave out null: it is accepted for every optional parameter, so saying so says nothing."""
    choices = [choice for choice in described.get("anyOf", []) if choice != {"type": "null"}]
    if len(choices) == 1 and "$ref" in choices[0]:
        nested = components[choices[0]["$ref"].rpartition("/")[2]]
        choices = [{"type": "object", "properties": nested["properties"]}]
    merged = {**described, **(choices[0] if len(choices) == 1 else {})}
    if len(choices) == 1:
        del merged["anyOf"]
    if "enum" in merged:
        merged["enum"] = [value for value in merged["enum"] if value is not None]
    return {key: value for key, value in merged.items() if (key, value) != ("default", None)}


def tool(*, read_only: bool = True) -> Callable[[ToolFunction], ToolFunction]:
    """Make a tool of a function; its module holds the Params it takes."""

    def register(function: ToolFunction) -> ToolFunction:
        params = inspect.signature(function, eval_str=True).parameters["params"].annotation
        _tools[function.__name__] = Tool(
            name=function.__name__,
            description=inspect.getdoc(function) or "",
            params=params,
            function=function,
            read_only=read_only,
        )
        return function

    return register


_tools: dict[str, Tool] = {}


@cache
def all_tools() -> dict[str, Tool]:
    """Every tool of this folder by name."""
    for module in pkgutil.iter_modules(gasoline.tools.__path__):
        importlib.import_module(f"gasoline.tools.{module.name}")
    return dict(sorted(_tools.items()))
