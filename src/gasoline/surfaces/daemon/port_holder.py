"""Who answers on a port: a Gasoline of this version, of another, or another program altogether."""

import json
import re
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from gasoline.surfaces.daemon.place import LOOPBACK

TIMEOUT_S = 2.0
LISTENING = "0A"


class PortHolder(NamedTuple):
    """What is known about the listener on a port."""

    version: str | None = None
    pid: int | None = None
    program: str | None = None

    @property
    def is_gasoline(self) -> bool:
        return self.version is not None

    def __str__(self) -> str:
        name = f"gasoline {self.version}" if self.is_gasoline else self.program or "another program"
        return f"{name} (pid {self.pid})" if self.pid else name


class Process(NamedTuple):
    """A process as far as its user would name it."""

    pid: int | None = None
    program: str | None = None


def is_listened_on(port: int, host: str = LOOPBACK) -> bool:
    """Whether anything at all accepts connections on a port."""
    try:
        socket.create_connection((host, port), TIMEOUT_S).close()
    except OSError:
        return False
    return True


def find_holder(port: int, host: str = LOOPBACK) -> PortHolder | None:
    """Who listens on a port, or None when nobody does."""
    if not is_listened_on(port, host):
        return None
    return PortHolder(ask_version(port, host=host), *find_process(port))


def ask_version(
    port: int, headers: Mapping[str, str] | None = None, *, host: str = LOOPBACK
) -> str | None:
    """The version of the Gasoline on a port; None when none answers there."""
    # Imported here: a run does not ask, and its command waits for what is imported before.
    import http.client  # noqa: PLC0415

    connection = http.client.HTTPConnection(host, port, timeout=TIMEOUT_S)
    try:
        connection.request("GET", "/", headers=dict(headers or {}))
        response = connection.getresponse()
        said = json.loads(response.read(10_000))
    except (OSError, ValueError, http.client.HTTPException):
        return None
    finally:
        connection.close()
    if response.status == http.client.UNAUTHORIZED and said == {"error": "unauthorized"}:
        return "with a token"
    if not isinstance(said, dict) or said.get("name") != "gasoline":
        return None
    return str(said.get("version", "of unknown version"))


def find_process(port: int) -> Process:
    """The process that listens, as far as the system shows it to this user."""
    if sys.platform == "win32":
        pid = read_netstat(_output_of("netstat", "-ano", "-p", "TCP"), port)
        tasks = _output_of("tasklist", "/FI", f"PID eq {pid}", "/FO", "CSV", "/NH")
        return Process(pid, read_tasklist(tasks)) if pid else Process()
    if Path("/proc/net/tcp").exists():
        return _find_in_proc(port)
    return read_lsof(_output_of("lsof", "-nP", f"-iTCP:{port}", "-sTCP:LISTEN", "-Fpc"))


def read_lsof(output: str) -> Process:
    """The first process in `lsof -Fpc`, which is how macOS tells."""
    found = re.search(r"^p(\d+)\nc(.+)$", output, re.MULTILINE)
    return Process(int(found[1]), found[2]) if found else Process()


def read_netstat(output: str, port: int) -> int | None:
    """The process id in `netstat -ano` of Windows; its word for listening is translated."""
    found = re.search(rf"^\s*TCP\s+\S+:{port}\s+\S+:0\s+\S+\s+(\d+)\s*$", output, re.MULTILINE)
    return int(found[1]) if found else None


def read_tasklist(output: str) -> str | None:
    """The program in `tasklist /FO CSV /NH` of Windows."""
    found = re.match(r'\s*"([^"]+)","\d+"', output)
    return found[1] if found else None


def _output_of(*command: str) -> str:
    try:
        return subprocess.run(
            command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return ""


def _find_in_proc(port: int) -> Process:
    inode = _listening_inode(port)
    wanted = f"socket:[{inode}]"
    for process in Path("/proc").glob("[0-9]*") if inode else ():
        try:
            if any(str(link.readlink()) == wanted for link in (process / "fd").iterdir()):
                return Process(int(process.name), (process / "comm").read_text().strip())
        except OSError:
            # Somebody else's, or gone by now.
            continue
    return Process()


def _listening_inode(port: int) -> str | None:
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        try:
            lines = Path(table).read_text().splitlines()[1:]
        except OSError:
            continue
        for line in lines:
            fields = line.split()
            if fields[3] == LISTENING and int(fields[1].rsplit(":", 1)[1], 16) == port:
                return fields[9]
    return None
