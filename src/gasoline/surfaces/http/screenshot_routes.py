"""Where pictures of pages are delivered."""

import logging
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from gasoline.ingest import Ingest
from gasoline.surfaces.http.answers import json_answer
from gasoline.surfaces.http.app import Routes
from gasoline.surfaces.http.asked import named_test

logger = logging.getLogger(__name__)


def screenshot_routes(ingest: Ingest, folder: Path | None) -> Routes:
    """Pictures are kept in memory, and as files where the user named a folder for them."""
    return {"/screenshots": {"POST": lambda request, body: _take(ingest, folder, request, body)}}


def _take(ingest: Ingest, folder: Path | None, request: Request, body: bytes) -> Response:
    picture = ingest.take_screenshot(body, test_id=named_test(request))
    path = _write(folder, picture.filename, picture.image) if folder else ""
    return json_answer({"filename": picture.filename, "path": path})


def _write(folder: Path, filename: str, image: bytes) -> str:
    """Where the file is now, or nothing if it could not be written."""
    target, taken = folder / filename, 1
    try:
        folder.mkdir(parents=True, exist_ok=True)
        while target.exists():
            taken += 1
            target = folder / f"{Path(filename).stem}-{taken}.jpg"
        target.write_bytes(image)
    except OSError as error:
        # The picture is not lost: memory still has it.
        logger.warning("Cannot write %s: %s", target, error)
        return ""
    return str(target)
