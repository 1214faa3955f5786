"""The JSON of a captured body, where it was captured whole."""

from typing import Any

import msgspec

from gasoline.records import NetworkBody
from gasoline.records.network import FAILURE_STATUS

LONGEST_COMPARED = 65_536


class UnreadableBodyError(Exception):
    """The body was captured in part, or is not JSON."""


def read_answer(exchange: NetworkBody) -> Any:
    """The decoded JSON of a response."""
    if exchange.response_truncated or not may_be_json(exchange.content_type):
        raise UnreadableBodyError
    return read_json(exchange.response_body)


def read_success(exchange: NetworkBody) -> Any:
    """The decoded JSON of a successful answer of modest size; None where there is none."""
    body = exchange.response_body
    if not body or len(body) > LONGEST_COMPARED or not 0 < exchange.status < FAILURE_STATUS:
        return None
    try:
        return read_json(body)
    except UnreadableBodyError:
        return None


def read_request(exchange: NetworkBody) -> Any:
    """The decoded JSON of a request."""
    if exchange.request_truncated:
        raise UnreadableBodyError
    return read_json(exchange.request_body)


def read_json(body: str | None) -> Any:
    """The decoded JSON of a text, however it was announced."""
    if not body:
        raise UnreadableBodyError
    try:
        return msgspec.json.decode(body)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise UnreadableBodyError from error


def may_be_json(content_type: str) -> bool:
    """Whether a content type is JSON of any flavour, or was not captured."""
    return not content_type or "json" in content_type.lower()
