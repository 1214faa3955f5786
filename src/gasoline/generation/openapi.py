"""An OpenAPI 3.1 document of the endpoints that were seen."""

from collections.abc import Iterable
from typing import Any

import msgspec

from gasoline.analysis.contract import Contract
from gasoline.analysis.endpoint import Endpoint
from gasoline.analysis.shape import BEYOND, Shape
from gasoline.records.network import FAILURE_STATUS

METHODS = frozenset({"GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"})
LOWEST_STATUS, HIGHEST_STATUS, REDIRECT, NO_CONTENT = 100, 599, 300, 204

Document = dict[str, Any]


def write_openapi(contracts: Iterable[Contract]) -> str:
    """The document as JSON text, the same for the same contracts."""
    return msgspec.json.format(msgspec.json.encode(describe_api(contracts)), indent=2).decode()


def describe_api(contracts: Iterable[Contract]) -> Document:
    """Paths, parameters, bodies and answers. What was never seen is not in it."""
    described = sorted(
        (contract for contract in contracts if _can_be_described(contract.endpoint)),
        key=lambda contract: contract.endpoint,
    )
    paths: Document = {}
    for contract in described:
        path, names = _name_ids(contract.endpoint.path)
        item = paths.setdefault(path, {})
        method = contract.endpoint.method.lower()
        # Operations of GraphQL share an address, which OpenAPI describes once.
        item[method] = _join_operations(item.get(method), _describe(contract, names))
    origins = sorted({contract.endpoint.origin for contract in described} - {""})
    return {
        "openapi": "3.1.0",
        "info": {
            "title": f"API of {origins[0]}" if len(origins) == 1 else "API as seen by the browser",
            "version": "observed",
            "description": "Made from captured traffic: it holds what was seen and nothing else.",
        },
        **({"servers": [{"url": origin} for origin in origins]} if origins else {}),
        "paths": paths,
    }


def _can_be_described(endpoint: Endpoint) -> bool:
    return endpoint.path.startswith("/") and endpoint.method in METHODS


def _name_ids(path: str) -> tuple[str, list[str]]:
    """The path with each id as a parameter, named after what it identifies."""
    segments, names = path.replace("{", "%7B").replace("}", "%7D").split("/"), []
    for place, segment in enumerate(segments):
        if segment == ":id":
            owner = "".join(letter for letter in segments[place - 1] if letter.isalnum())
            name = f"{owner}_id" if owner else "id"
            name = name if name not in names else f"{name}_{place}"
            names.append(name)
            segments[place] = f"{{{name}}}"
    return "/".join(segments), names


def _describe(contract: Contract, names: list[str]) -> Document:
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in names
    ]
    request = contract.request_shape
    return {
        "summary": str(contract.endpoint),
        **({"parameters": parameters} if parameters else {}),
        **({"requestBody": {"content": _json_content(request)}} if request else {}),
        "responses": {
            str(status): _describe_response(contract, status, count)
            for status, count in sorted(contract.statuses.items())
            if LOWEST_STATUS <= status <= HIGHEST_STATUS
        }
        or {"default": {"description": "No answer was seen"}},
    }


def _describe_response(contract: Contract, status: int, count: int) -> Document:
    description = f"Seen {count} time{'' if count == 1 else 's'}"
    is_success = status < REDIRECT and status != NO_CONTENT
    if not is_success or contract.shape is None:
        kind = "error, " if status >= FAILURE_STATUS else ""
        return {"description": f"{kind}{description}".capitalize()}
    return {"description": description, "content": _json_content(contract.shape)}


def _json_content(shape: Shape) -> Document:
    return {"application/json": {"schema": describe_schema(shape)}}


def _join_operations(known: Document | None, more: Document) -> Document:
    if known is None:
        return more
    responses = dict(known["responses"])
    for status, response in more["responses"].items():
        responses[status] = _join_content(responses.get(status), response)
    request = _join_content(known.get("requestBody"), more.get("requestBody"))
    return {
        **known,
        "summary": f"{known['summary']}, {more['summary'].rpartition(' ')[2]}",
        **({"requestBody": request} if request else {}),
        "responses": responses,
    }


def _join_content(known: Document | None, more: Document | None) -> Document:
    if not known or not more:
        return known or more or {}
    schemas = [_schema_in(one) for one in (known, more) if "content" in one]
    every = [alternative for schema in schemas for alternative in schema.get("anyOf", [schema])]
    if not every:
        return known
    schema = every[0] if len(every) == 1 else {"anyOf": every}
    return {**more, **known, "content": {"application/json": {"schema": schema}}}


def _schema_in(described: Document) -> Document:
    schema: Document = described["content"]["application/json"]["schema"]
    return schema


def describe_schema(shape: Shape) -> Document:
    """A learned shape as a JSON schema; what lies too deep may be anything."""
    kinds = sorted(shape.kinds.keys() - {BEYOND})
    if not kinds:
        return {}
    schema: Document = {"type": kinds[0] if len(kinds) == 1 else kinds}
    if shape.values:
        schema["additionalProperties"] = describe_schema(shape.values)
    elif shape.fields:
        schema["properties"] = {
            name: describe_schema(field) for name, field in shape.fields.items()
        }
        if shape.required:
            schema["required"] = sorted(shape.required)
    if shape.elements:
        schema["items"] = describe_schema(shape.elements)
    return schema
