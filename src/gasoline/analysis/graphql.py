"""GraphQL tells its requests apart by operation, not by address."""

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

from gasoline.analysis.json_body import UnreadableBodyError, read_request
from gasoline.records import NetworkBody

MOST_OPERATIONS = 5
NAME_CHARS = 100

_NAMED = re.compile(r"\s*(?:query|mutation|subscription)\s+([_A-Za-z]\w*)", re.ASCII)
_FIRST_FIELD = re.compile(r"[^{]*\{\s*(?:\w+\s*:\s*)?(\w+)", re.ASCII)
_DOCUMENT = re.compile(r"\s*(?:query|mutation|subscription|fragment|\{)")
_COMMENT = re.compile(r"#[^\n]*")


def operation_of(exchange: NetworkBody) -> str | None:
    """The name of the operation, or None when the request is not GraphQL."""
    asked = _asked(exchange)
    batch = asked if isinstance(asked, list) else [asked]
    names = [_operation_name(one) for one in batch[:MOST_OPERATIONS]]
    known = [name for name in names if name is not None]
    return ",".join(known) if known and len(known) == len(names) else None


def has_graphql_errors(answer: Any) -> bool:
    """Whether an answer, though its status says success, reports errors."""
    errors = answer.get("errors") if isinstance(answer, dict) else None
    return isinstance(errors, list) and bool(errors)


def _asked(exchange: NetworkBody) -> Any:
    body = exchange.request_body
    if body and '"query"' not in body and '"extensions"' not in body:
        return None
    if body:
        try:
            return read_request(exchange)
        except UnreadableBodyError:
            return None
    try:
        query = parse_qs(urlsplit(exchange.url).query, max_num_fields=50)
    except ValueError:
        return None
    return {name: values[0] for name, values in query.items()}


def _operation_name(asked: Any) -> str | None:
    if not isinstance(asked, dict):
        return None
    query, name = asked.get("query"), asked.get("operationName")
    document = _COMMENT.sub("", query[:2000]) if isinstance(query, str) else ""
    if not _DOCUMENT.match(document) and "extensions" not in asked:
        return None
    if isinstance(name, str) and name:
        return name[:NAME_CHARS]
    # An anonymous operation goes by what it asks for first: else all of them were one endpoint.
    named = _NAMED.match(document) or _FIRST_FIELD.match(document)
    return named[1][:NAME_CHARS] if named else "anonymous"
