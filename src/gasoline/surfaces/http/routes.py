"""Every route of the HTTP door, in one table."""

from gasoline.ingest import Ingest
from gasoline.live.questions import Questions
from gasoline.surfaces.http.app import Routes
from gasoline.surfaces.http.ci_routes import ci_routes
from gasoline.surfaces.http.ingest_routes import ingest_routes
from gasoline.surfaces.http.screenshot_routes import screenshot_routes
from gasoline.surfaces.http.status_routes import status_routes
from gasoline.surfaces.settings import Settings


def all_routes(ingest: Ingest, questions: Questions, settings: Settings) -> Routes:
    """What each path answers, by method. Protocols with their own transport are mounted beside."""
    return (
        ingest_routes(ingest)
        | ci_routes(ingest, settings)
        | status_routes(ingest, questions, settings)
        | screenshot_routes(ingest)
    )
