"""Where pictures of pages are delivered."""

from starlette.requests import Request
from starlette.responses import Response

from gasoline.ingest import Ingest
from gasoline.surfaces.http.answers import json_answer
from gasoline.surfaces.http.app import Routes
from gasoline.surfaces.http.asked import named_test


def screenshot_routes(ingest: Ingest) -> Routes:
    """Pictures are kept in memory, and as files where the user named a folder for them."""
    return {"/screenshots": {"POST": lambda request, body: _take(ingest, request, body)}}


async def _take(ingest: Ingest, request: Request, body: bytes) -> Response:
    taken = await ingest.take_screenshot(body, test_id=named_test(request))
    return json_answer(
        {
            "filename": taken.record.filename,
            "path": taken.path,
            "id": taken.record.seq,
            "size_bytes": taken.record.size_bytes,
            **({"notes": taken.record.notes} if taken.record.notes else {}),
        }
    )
