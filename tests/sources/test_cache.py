"""Decoded maps are kept, but few and small."""

import json

from gasoline.analysis.source_map import SourceMap, read_source_map
from gasoline.sources.cache import FILES, FRESH_S, MISSES, SIZE_BYTES, MapCache, Missing
from tests.builders import Clock


def decoded(size_bytes: int = 0) -> SourceMap:
    """A map that takes about so much memory: by its mappings, which do not shrink."""
    content = {"version": 3, "sources": ["a.js"], "mappings": "A;" * (size_bytes // 2)}
    return read_source_map(json.dumps(content).encode(), "http://x/a.js.map")


def key(number: int) -> tuple[str, str]:
    return "http://x:80", f"http://x/{number}.js"


def test_twenty_files_are_kept_and_the_one_used_longest_ago_goes() -> None:
    cache = MapCache(Clock(0))
    maps = [decoded() for _ in range(FILES + 1)]
    for number in range(FILES):
        cache.put(key(number), maps[number])
    cache.get(key(0))

    cache.put(key(FILES), maps[FILES])

    assert len(cache) == FILES
    assert cache.get(key(0)) is maps[0]
    assert cache.get(key(1)) is None
    assert cache.get(key(FILES)) is maps[FILES]


def test_eight_megabytes_are_kept_and_no_more() -> None:
    cache = MapCache(Clock(0))
    large = decoded(SIZE_BYTES // 4)
    for number in range(4):
        cache.put(key(number), large)

    assert cache.size_bytes <= SIZE_BYTES
    assert cache.get(key(3)) is large
    assert cache.get(key(0)) is None


def test_misses_are_kept_apart_and_bounded() -> None:
    cache = MapCache(Clock(0))
    cache.put(key(0), decoded())
    for number in range(1, MISSES + 2):
        cache.put(key(number), Missing("no"))

    assert cache.get(key(0)) is not None
    assert cache.get(key(1)) is None
    assert cache.get(key(2)) == Missing("no")


def test_what_was_looked_at_long_ago_is_looked_at_again() -> None:
    clock = Clock(0)
    cache = MapCache(clock)
    cache.put(key(0), Missing("no"))
    clock.now_ms = FRESH_S

    assert cache.get(key(0)) == Missing("no")
    clock.now_ms += 0.1
    assert cache.get(key(0)) is None


def test_a_map_that_is_found_replaces_the_miss() -> None:
    cache = MapCache(Clock(0))
    cache.put(key(0), Missing("no"))
    found = decoded()

    cache.put(key(0), found)

    assert cache.get(key(0)) is found
