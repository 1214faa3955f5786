"""Untrusted bytes to trusted records to the store."""

from gasoline.ingest.boundary import Boundary, mark_boundary, read_boundary
from gasoline.ingest.ingest import Ingest, Receipt
from gasoline.ingest.rate import RateLimit
from gasoline.ingest.recorder import Recorder, RecordLine, read_record_file
from gasoline.ingest.refusal import RefusedBatch
from gasoline.ingest.streams import STREAMS, Stream

__all__ = [
    "STREAMS",
    "Boundary",
    "Ingest",
    "RateLimit",
    "Receipt",
    "RecordLine",
    "Recorder",
    "RefusedBatch",
    "Stream",
    "mark_boundary",
    "read_boundary",
    "read_record_file",
]
