"""The maps of scripts, from where they can be had: folders, the page's server, the page."""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar
from urllib.parse import urljoin

from gasoline.analysis.map_address import find_map_address, read_data_address
from gasoline.analysis.source_map import read_source_map
from gasoline.analysis.vlq import InvalidMapError
from gasoline.sources.cache import SIZE_BYTES, Looked, MapCache, Missing
from gasoline.sources.fetch import FETCH_S, CannotFetchError, fetch
from gasoline.sources.folders import BuildFolders
from gasoline.sources.origin import origin_of

T = TypeVar("T")

# One that waits for a server must not keep a decoder waiting; more would only fill memory.
THREADS = 2
LEAST_S = 0.1
NO_MAP = "it names no source map"


class Sources:
    """Finds and keeps maps. The only mutable state beside the store, and as bounded."""

    def __init__(
        self,
        folders: BuildFolders | None = None,
        *,
        own_port: int | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._folders = folders or BuildFolders([])
        self._own_port = own_port
        self._threads = ThreadPoolExecutor(THREADS, "sources")
        self._cache = MapCache(clock)
        self._looking: dict[tuple[str, str], asyncio.Future[Looked]] = {}

    async def find(self, script: str, origin: str | None) -> Looked:
        """The map of a script that a page of this origin ran."""
        # A map that a program of the user sent is for every page, one that a page sent for its own.
        for key in ((origin or "", script), ("", script)):
            if known := self._cache.get(key):
                return known
        return await self._look((origin or "", script), lambda: self._load(script, origin))

    async def take(self, script: str, content: str, origin: str | None) -> Looked:
        """Decode a map that was sent to us."""
        return await self._look((origin or "", script), lambda: _decode(content.encode(), script))

    def note_missing(self, script: str, reason: str, origin: str | None) -> None:
        """Nobody can get this one, and why."""
        self._cache.put((origin or "", script), Missing(reason))

    async def in_thread(self, work: Callable[[], T]) -> T:
        """Do what may take long where nobody waits for it."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    async def _look(self, key: tuple[str, str], work: Callable[[], Looked]) -> Looked:
        """Let a thread look, once for all who wait for the same."""
        future = self._looking.get(key)
        if future is None:
            future = asyncio.get_running_loop().run_in_executor(self._threads, work)
            self._looking[key] = future
            future.add_done_callback(lambda done: self._keep(key, done))
        # Whoever asks may give up; the thread goes on, and the next to ask has its answer.
        return await asyncio.shield(future)

    def _keep(self, key: tuple[str, str], done: asyncio.Future[Looked]) -> None:
        del self._looking[key]
        if not done.cancelled() and not done.exception():
            self._cache.put(key, done.result())

    def _load(self, script: str, origin: str | None) -> Looked:
        if file := self._folders.find(script):
            return _decode(file.body, file.url)
        if origin is None or origin_of(script) is None:
            return Missing("it is no file of a web page")
        if self._own_port is not None and origin.endswith(f":{self._own_port}"):
            return Missing("this server has no pages")
        try:
            return _load_from_page(script, origin)
        except CannotFetchError as error:
            return Missing(str(error))


def find_in_folders(folders: BuildFolders, script: str) -> Looked:
    """The map of a script that nobody serves any more."""
    file = folders.find(script)
    return _decode(file.body, file.url) if file else Missing("no folder has its map")


def _load_from_page(script: str, origin: str) -> Looked:
    started = time.monotonic()
    fetched = fetch(script, origin)
    address = find_map_address(fetched.body, fetched.headers)
    if address is None:
        return Missing(NO_MAP)
    if address.startswith("data:"):
        body = read_data_address(address)
        return _decode(body, script) if body is not None else Missing("its inline map is broken")
    map_url = urljoin(fetched.url, address)
    try:
        # Both have the time of one: whoever waits for an error waits for both.
        left_s = max(LEAST_S, FETCH_S - (time.monotonic() - started))
        found = fetch(map_url, origin, timeout_s=left_s)
    except CannotFetchError as error:
        return Missing(f"of its map: {error}")
    return _decode(found.body, found.url)


def _decode(body: bytes, url: str) -> Looked:
    try:
        decoded = read_source_map(body, url)
    except InvalidMapError as error:
        return Missing(str(error))
    if decoded.size_bytes > SIZE_BYTES:
        size, limit = decoded.size_bytes / 2**20, SIZE_BYTES // 2**20
        return Missing(f"its decoded map takes {size:.1f} MB, over the limit of {limit} MB")
    return decoded
