"""What a tool can reach: the store, the live page, and how well the browser was seen."""

from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from gasoline.analysis.capture_health import judge_capture
from gasoline.ingest import Ingest
from gasoline.live.audits import Audits
from gasoline.live.capture_overrides import CaptureOverrides
from gasoline.live.questions import Questions
from gasoline.records import Record
from gasoline.records.health import CaptureHealth
from gasoline.sources.explainer import Explainer
from gasoline.store import Store
from gasoline.stream.client import Client
from gasoline.stream.hub import Hub


class Context(Struct, frozen=True):
    """Handed to every tool call."""

    store: Store
    questions: Questions
    ingest: Ingest
    overrides: CaptureOverrides
    explainer: Explainer
    audits: Audits[Any] = msgspec.field(default_factory=Audits)
    # Where files too long for an answer are written.
    generated: Path | None = None
    hub: Hub | None = None
    client: Client | None = None

    def health(self, kind: type[Record], *, test_id: str | None = None) -> CaptureHealth:
        return judge_capture(self.store.capture_facts(kind, test_id=test_id))


class Answer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Conclusion first, then how well it was seen; each tool adds its evidence below."""

    summary: str
    capture: CaptureHealth
    omitted: int = 0
    next: str | None = None


class WithPicture(Struct, frozen=True):
    """An answer that comes with a picture, which is no text."""

    answer: Answer
    png: bytes


Excerpt = dict[str, Any]
