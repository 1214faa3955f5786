"""What a request says outside its body."""

from starlette.requests import Request


def named_test(request: Request) -> str | None:
    """The test a request names in its header, else in its query."""
    # Every batch pays for this: Starlette's headers and query cost as much as a small batch.
    for name, value in request.scope["headers"]:
        if name == b"x-gasoline-test-id" and value:
            return _read_header(value)
    return request.query_params.get("test_id") if request.scope["query_string"] else None


def named_origin(request: Request) -> str | None:
    """The page that sent a request, as its browser says."""
    for name, value in request.scope["headers"]:
        if name == b"origin":
            return _read_header(value)
    return None


def _read_header(value: bytes) -> str:
    try:
        # HTTP names no encoding; clients send what their strings are made of.
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.decode("latin-1")
