"""The AI tools we can connect: where each lists its servers, and how we get onto that list."""

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

from msgspec import Struct

from gasoline.surfaces.cli.jsonc import ConfigError, Document

Platform = Literal["linux", "macos", "windows"]
Entry = Mapping[str, str | list[str]]

SERVER_NAME = "gasoline"


class Machine(Struct, frozen=True):
    """What decides where a client keeps its configuration."""

    platform: Platform
    home: Path
    environment: Mapping[str, str]


class Place(Struct, frozen=True):
    """A folder that shows the client is here, and the file it reads, as seen from that folder."""

    root: Literal["home", "settings", "local", "claude"]
    folder: str
    file: str


class Client(Struct, frozen=True, kw_only=True):
    """One AI tool; of its places the first that exists counts, else the last."""

    name: str
    title: str
    places: dict[Platform, tuple[Place, ...]]
    project_file: str | None = None
    executable: str | None = None
    servers_key: str = "mcpServers"
    transport: str | None = None

    def complete(self, entry: Entry) -> Entry:
        """Add what this client wants an entry to say besides the command."""
        return {"type": self.transport, **entry} if self.transport else entry


class Location(NamedTuple):
    file: Path
    is_present: bool


def _everywhere(*places: Place) -> dict[Platform, tuple[Place, ...]]:
    return {"linux": places, "macos": places, "windows": places}


_CLAUDE_DESKTOP = Place("settings", "Claude", "claude_desktop_config.json")

CLIENTS = (
    Client(
        name="claude-code",
        title="Claude Code",
        places=_everywhere(Place("claude", ".claude", "../.claude.json")),
        project_file=".mcp.json",
        executable="claude",
    ),
    Client(
        name="claude-desktop",
        title="Claude Desktop",
        places={
            "linux": (_CLAUDE_DESKTOP,),
            "macos": (_CLAUDE_DESKTOP,),
            # A packaged app never reads the real %APPDATA%: anthropics/claude-code#26073.
            "windows": (
                Place("local", "Claude-Data/claude_*", "claude_desktop_config.json"),
                Place(
                    "local",
                    "Packages/Claude_*",
                    "LocalCache/Roaming/Claude/claude_desktop_config.json",
                ),
                _CLAUDE_DESKTOP,
            ),
        },
    ),
    Client(
        name="cursor",
        title="Cursor",
        places=_everywhere(Place("home", ".cursor", "mcp.json")),
        project_file=".cursor/mcp.json",
        executable="cursor",
    ),
    Client(
        name="vscode",
        title="VS Code",
        places=_everywhere(Place("settings", "Code", "User/mcp.json")),
        project_file=".vscode/mcp.json",
        executable="code",
        servers_key="servers",
        transport="stdio",
    ),
    Client(
        name="windsurf",
        title="Windsurf",
        places=_everywhere(Place("home", ".codeium/windsurf", "mcp_config.json")),
        executable="windsurf",
    ),
    # Windsurf's successor: its own agent no longer reads Windsurf's file.
    Client(
        name="devin",
        title="Devin",
        places={
            "linux": (Place("home", ".config/devin", "mcp_config.json"),),
            "macos": (Place("home", ".config/devin", "mcp_config.json"),),
            "windows": (Place("settings", "devin", "mcp_config.json"),),
        },
        project_file=".devin/mcp_config.json",
        executable="devin",
    ),
    Client(
        name="zed",
        title="Zed",
        places={
            "linux": (Place("settings", "zed", "settings.json"),),
            "macos": (Place("home", ".config/zed", "settings.json"),),
            "windows": (Place("settings", "Zed", "settings.json"),),
        },
        # Not `zed`: where ZFS is installed, that is its event daemon.
        executable="zeditor",
        servers_key="context_servers",
    ),
    Client(
        name="continue",
        title="Continue",
        places=_everywhere(Place("home", ".continue", "mcpServers/gasoline.json")),
        project_file=".continue/mcpServers/gasoline.json",
    ),
)


def locate(client: Client, machine: Machine) -> Location:
    """Find the file the client reads, and whether the client seems to be installed."""
    roots = _roots(machine)
    places = client.places[machine.platform]
    for place in places:
        for folder in sorted(roots[place.root].glob(place.folder)):
            return Location(_join(folder, place.file), is_present=True)
    file = _join(roots[places[-1].root] / places[-1].folder, places[-1].file)
    search_path = machine.environment.get("PATH", "")
    on_path = client.executable and shutil.which(client.executable, path=search_path)
    return Location(file, is_present=file.exists() or bool(on_path))


def _join(folder: Path, file: str) -> Path:
    return Path(os.path.normpath(folder / file))


def _roots(machine: Machine) -> dict[str, Path]:
    home, environment = machine.home, machine.environment
    settings = {
        "linux": environment.get("XDG_CONFIG_HOME") or home / ".config",
        "macos": home / "Library/Application Support",
        "windows": environment.get("APPDATA") or home / "AppData/Roaming",
    }
    return {
        "home": home,
        "settings": Path(settings[machine.platform]),
        "local": Path(environment.get("LOCALAPPDATA") or home / "AppData/Local"),
        "claude": Path(environment.get("CLAUDE_CONFIG_DIR") or home),
    }


def connect(text: str, client: Client, entry: Entry) -> str:
    """Put our entry into a client's configuration; whatever else is there stays as it is."""
    document = Document(text)
    current = connected_entry(text, client)
    if document.is_blank:
        below_comments = "\n" if document.has_comments_only else ""
        lines = below_comments + snippet(entry, client.servers_key) + "\n"
        return text + lines.replace("\n", document.newline)
    # An entry without a command reaches us over HTTP: its other keys would contradict ours.
    if not isinstance(current, dict) or "command" not in current:
        return document.put([client.servers_key, SERVER_NAME], entry)
    for key, value in entry.items():
        if current.get(key) != value:
            text = Document(text).put([client.servers_key, SERVER_NAME, key], value)
    return text


def disconnect(text: str, client: Client, *, backup: str | None) -> str | None:
    """Take our entry out again; None says that the file held nothing but what we wrote."""
    entry = connected_entry(text, client)
    if entry is None:
        return text
    if backup is not None and _becomes(backup, text, client):
        return backup
    if _becomes("", text, client):
        return None
    return Document(text).take_out([client.servers_key, SERVER_NAME])


def _becomes(earlier: str, text: str, client: Client) -> bool:
    """Tell whether connecting, and nothing else, made the earlier text what it is now."""
    entry = connected_entry(text, client)
    try:
        is_new = connected_entry(earlier, client) is None
        return is_new and connect(earlier, client, entry) == text
    except ConfigError:
        return False


def connected_entry(text: str, client: Client) -> Any:
    """Read what the configuration says about us now, None if nothing."""
    servers = Document(text).parse().get(client.servers_key, {})
    if not isinstance(servers, dict):
        raise ConfigError(f'"{client.servers_key}" is not an object')
    return servers.get(SERVER_NAME)


def snippet(entry: Entry, servers_key: str = "mcpServers") -> str:
    """Write the configuration as a user would paste it into an empty file."""
    return json.dumps({servers_key: {SERVER_NAME: entry}}, indent=2, ensure_ascii=False)
