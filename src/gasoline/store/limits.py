"""Every bound of the store, in one table."""

from msgspec import Struct

MIB = 1024 * 1024


class RingLimit(Struct, frozen=True):
    """How many records one ring holds, and how many bytes they may take together."""

    count: int
    size_bytes: int


class Limits(Struct, frozen=True, kw_only=True):
    """What the server keeps. The count limits are the protocol's, the bytes keep it small."""

    logs: RingLimit = RingLimit(1000, 8 * MIB)
    websocket_events: RingLimit = RingLimit(500, 4 * MIB)
    network_bodies: RingLimit = RingLimit(100, 8 * MIB)
    enhanced_actions: RingLimit = RingLimit(50, MIB)
    performance_snapshots: RingLimit = RingLimit(20, MIB)
    dom_snapshots: RingLimit = RingLimit(20, 2 * MIB)
    screenshots: RingLimit = RingLimit(20, 10_000_000)
    described_screenshots: int = 200

    memory_bytes: int = 24 * MIB
    archive_share: float = 0.5
    active_tests: int = 200
    archived_tests: int = 500
    archived_test_bytes: int = 64 * 1024

    open_connections: int = 20
    closed_connections: int = 10
    baselines: int = 20
    contracts: int = 30
    senders: int = 1000
    missing_batches_per_sender: int = 1000

    entry_bytes: int = MIB
    test_id_chars: int = 4096
