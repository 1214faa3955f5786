"""Asking a running server over HTTP, from a command."""

import http.client
import json
from typing import Any

from gasoline.surfaces.daemon.place import address_of, authorization, find_place

# A server takes its port at once, and on a busy machine a while until it answers.
TIMEOUT_S = 15.0
FOREIGN = "something answers, but it is not this Gasoline"


class NoServerError(Exception):
    """Nobody answered, or not as a Gasoline server does."""


def request(port: int, method: str, path: str, content: Any = None) -> tuple[int, Any]:
    """One request; the answer's status and its JSON."""
    place = find_place(port)
    headers = {"Content-Type": "application/json", **authorization(place)}
    body = None if content is None else json.dumps(content)
    connection = http.client.HTTPConnection(address_of(place), port, timeout=TIMEOUT_S)
    try:
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        return response.status, json.loads(response.read() or b"null")
    except ValueError as error:
        raise NoServerError(FOREIGN) from error
    except (OSError, http.client.HTTPException) as error:
        raise NoServerError(f"{type(error).__name__}: {error}") from error
    finally:
        connection.close()


def read_health(port: int) -> dict[str, Any]:
    """The server's health, or NoServerError when the port's holder is not a Gasoline of ours."""
    status, health = request(port, "GET", "/health")
    if status == http.client.UNAUTHORIZED:
        raise NoServerError("the server asks for a token that this user does not have")
    if not isinstance(health, dict) or health.get("name") != "gasoline":
        raise NoServerError(FOREIGN)
    return health


def read_tests(port: int) -> list[dict[str, Any]]:
    """Every attempt that the server knows of, as it tells them."""
    status, listed = request(port, "GET", "/tests")
    if not isinstance(listed, dict) or "tests" not in listed:
        raise NoServerError(f"GET /tests answered {status}")
    tests: list[dict[str, Any]] = listed["tests"]
    return tests
