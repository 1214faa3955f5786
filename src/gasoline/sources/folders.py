"""Maps in the folders of builds, for scripts that are served without them."""

import os
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

from msgspec import Struct

from gasoline.analysis.map_address import find_map_address, read_data_address
from gasoline.analysis.source_map import MAP_BYTES

FILES_INDEXED = 50_000


class MapFile(Struct, frozen=True):
    """A map, and the address that its sources are relative to."""

    body: bytes
    url: str


class BuildFolders:
    """The folders a user named; each may be the root of what is served, or any part of it."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = [folder.resolve() for folder in folders]

    def find(self, script_url: str) -> MapFile | None:
        """The map of a script, by the end of its path; by its name alone if no other has it."""
        try:
            names = [name for name in unquote(urlsplit(script_url).path).split("/") if name]
        except ValueError:
            return None
        if not names or ".." in names:
            return None
        for path in self._candidates(names):
            if found := self._read_beside(path, script_url):
                return found
        return None

    def _candidates(self, names: list[str]) -> Iterator[Path]:
        for start in range(len(names)):
            for folder in self._folders:
                yield folder.joinpath(*names[start:])
        named_alike = self._by_name.get(names[-1], [])
        if len(named_alike) == 1:
            yield named_alike[0]

    def _read_beside(self, script: Path, script_url: str) -> MapFile | None:
        """The map next to a script, or the one that the script itself names."""
        beside = script.with_name(script.name + ".map")
        if body := self._read(beside):
            return MapFile(body, urljoin(script_url, beside.name))
        text = self._read(script)
        address = find_map_address(text, {}) if text else None
        if not address:
            return None
        body = read_data_address(address) or self._read(script.parent / unquote(address))
        return MapFile(body, script_url) if body else None

    def _read(self, path: Path) -> bytes | None:
        """A file within the folders, unless it is too large to be read by anyone."""
        try:
            resolved = path.resolve()
            inside = any(resolved.is_relative_to(folder) for folder in self._folders)
            if not inside or not resolved.is_file() or resolved.stat().st_size > MAP_BYTES:
                return None
            return resolved.read_bytes()
        except (OSError, ValueError):
            return None

    @cached_property
    def _by_name(self) -> dict[str, list[Path]]:
        """The scripts that have a map, by name."""
        found: dict[str, list[Path]] = {}
        looked_at = 0
        for folder in self._folders:
            for parent, _, names in os.walk(folder):
                looked_at += len(names)
                if looked_at > FILES_INDEXED:
                    return found
                for name in names:
                    if name.endswith(".map"):
                        script = name.removesuffix(".map")
                        found.setdefault(script, []).append(Path(parent, script))
        return found
