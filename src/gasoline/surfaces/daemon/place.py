"""Where a server leaves word of itself. Standard library only: the bridge must start at once."""

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

LOOPBACK = "127.0.0.1"
DEFAULT_PORT = 7890
HIGHEST_PORT = 65535
# Who listens on all addresses is reached at the nearest.
NEAREST = {"0.0.0.0": LOOPBACK, "::": "::1"}  # noqa: S104  # to connect to, not to listen on

# sun_path holds 104 bytes on macOS and 108 on Linux, with a terminating zero.
LONGEST_SOCKET_PATH = 100


class Place(NamedTuple):
    """The files of one server, which its port tells apart from others."""

    folder: Path
    port: int

    @property
    def note(self) -> Path:
        return self.folder / f"{self.port}.json"

    @property
    def lock(self) -> Path:
        return self.folder / f"{self.port}.lock"

    @property
    def log(self) -> Path:
        return self.folder / f"{self.port}.log"

    @property
    def generated(self) -> Path:
        return self.folder / f"{self.port}-generated"

    @property
    def socket(self) -> Path:
        path = self.folder / f"{self.port}.sock"
        return path if len(os.fsencode(path)) <= LONGEST_SOCKET_PATH else _shorten(path)


class ServerNote(NamedTuple):
    """What a running server wrote down for those who look for it."""

    pid: int
    port: int
    version: str
    token: str | None = None
    host: str = LOOPBACK


def find_place(port: int, environment: Mapping[str, str] = os.environ) -> Place:
    """The state folder of this user, made if it is not there."""
    # Absolute, because the server that a bridge starts has another working directory.
    folder = _state_folder(environment).absolute()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        writable = os.access(folder, os.W_OK)
    except OSError:
        writable = False
    return Place(folder if writable else _shared_folder(), port)


def write_note(place: Place, note: ServerNote) -> None:
    """Leave word, readable by this user only: it may hold a token."""
    write_whole(place.note, json.dumps(note._asdict()))


def write_whole(path: Path, text: str) -> None:
    """Write a file of this user's so that whoever finds it finds all of it."""
    temporary = path.with_suffix(f".{os.getpid()}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
    temporary.replace(path)


def read_note(place: Place) -> ServerNote | None:
    """What a server wrote there last, if it can be read. The server may be gone."""
    try:
        return ServerNote(**json.loads(place.note.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def remove_note(place: Place, *, pid: int) -> None:
    """Take back word of a server, unless another one has replaced it since."""
    note = read_note(place)
    if note is not None and note.pid == pid:
        place.note.unlink(missing_ok=True)
        place.socket.unlink(missing_ok=True)


def address_of(place: Place, environment: Mapping[str, str] = os.environ) -> str:
    """Where the server at a place is reached; one that keeps its word elsewhere, the user names."""
    note = read_note(place)
    host = note.host if note else environment.get("GASOLINE_HOST") or LOOPBACK
    return NEAREST.get(host, host)


def find_token(place: Place, environment: Mapping[str, str] = os.environ) -> str | None:
    """The token of the server at a place; of one that keeps its word elsewhere, the user's."""
    note = read_note(place)
    return (note.token if note else None) or environment.get("GASOLINE_TOKEN")


def authorization(place: Place) -> dict[str, str]:
    """The headers by which the server at a place knows its own user."""
    token = find_token(place)
    return {"Authorization": f"Bearer {token}"} if token else {}


def _state_folder(environment: Mapping[str, str]) -> Path:
    if chosen := environment.get("GASOLINE_STATE"):
        return Path(chosen)
    home = Path(environment.get("HOME") or environment.get("USERPROFILE") or Path.home())
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "gasoline"
    if sys.platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or home / "AppData" / "Local") / "gasoline"
    return Path(environment.get("XDG_STATE_HOME") or home / ".local" / "state") / "gasoline"


def _shorten(path: Path) -> Path:
    import hashlib  # noqa: PLC0415  # start-up: few paths are that long

    digest = hashlib.sha256(os.fsencode(path)).hexdigest()[:16]
    return _shared_folder() / f"{digest}.sock"


def _shared_folder() -> Path:
    """A folder of this user's in the system's place for temporary files."""
    import tempfile  # noqa: PLC0415  # start-up: few need it

    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    folder = Path(tempfile.gettempdir()) / f"gasoline-{user}"
    folder.mkdir(mode=0o700, exist_ok=True)
    # Of a link that somebody else left there, the link's owner counts.
    if hasattr(os, "getuid") and folder.lstat().st_uid != user:
        raise PermissionError(
            f"{folder} belongs to somebody else. Set GASOLINE_STATE to a folder of yours."
        )
    return folder
