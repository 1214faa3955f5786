"""`gasoline install`: tell the AI tools on this machine how to start us."""

import difflib
import os
import shutil
import stat
import sys
from pathlib import Path

import click

from gasoline.surfaces.cli.clients import (
    CLIENTS,
    Client,
    Entry,
    Machine,
    Platform,
    connect,
    disconnect,
    locate,
    snippet,
)
from gasoline.surfaces.cli.jsonc import ConfigError
from gasoline.surfaces.cli.port import port_option
from gasoline.surfaces.daemon.place import DEFAULT_PORT

ANY_OTHER = "other"
KNOWN_NAMES = ", ".join(client.name for client in CLIENTS)


@click.command(
    short_help="Connect the AI tools on this machine.",
    help=f"""Connect AI tools to Gasoline: those you name, or all that are found here.

    CLIENT is one of {KNOWN_NAMES}. For any other tool, "{ANY_OTHER}" prints what to paste.
    """,
)
@click.argument("names", nargs=-1, metavar="[CLIENT]...")
@click.option("--project", is_flag=True, help="Configure the current folder, not the user.")
@click.option("--uninstall", is_flag=True, help="Remove Gasoline again and keep the rest.")
@click.option("--dry-run", is_flag=True, help="Show what would change and write nothing.")
@click.option("--print", "print_only", is_flag=True, help="Print what to paste and write nothing.")
@port_option
@click.option("--command", help="The executable to start, if not this installation's.")
def install(
    *,
    names: tuple[str, ...],
    project: bool,
    uninstall: bool,
    dry_run: bool,
    print_only: bool,
    port: int,
    command: str | None,
) -> None:
    machine = this_machine()
    entry = make_entry([command] if command else find_gasoline(Path(sys.executable), machine), port)
    refuse_unknown(names, entry)
    targets = find_targets(names, machine, project=project)
    if print_only or ANY_OTHER in names:
        print_entries(targets if names else [], entry)
    elif targets:
        done = [
            configure(client, file, entry, uninstall=uninstall, dry_run=dry_run)
            for client, file in targets
        ]
        sys.exit(0 if all(done) else 1)
    else:
        click.echo(f"Found none of {KNOWN_NAMES}.")
        if not uninstall:
            click.echo(f"Paste this into your AI tool's configuration:\n{snippet(entry)}")


def this_machine() -> Machine:
    platforms: dict[str, Platform] = {"darwin": "macos", "win32": "windows"}
    return Machine(platforms.get(sys.platform, "linux"), Path.home(), os.environ)


def find_gasoline(python: Path, machine: Machine) -> list[str]:
    """Name the command by its full path: an AI tool seldom has the PATH of the user's shell."""
    beside = python.with_name("gasoline.exe" if machine.platform == "windows" else "gasoline")
    if beside.is_file():
        return [str(beside)]
    on_path = shutil.which("gasoline", path=machine.environment.get("PATH", ""))
    return [str(Path(on_path).absolute())] if on_path else [str(python), "-m", "gasoline"]


def make_entry(command: list[str], port: int) -> Entry:
    arguments = ["mcp"] if port == DEFAULT_PORT else ["mcp", "--port", str(port)]
    return {"command": command[0], "args": [*command[1:], *arguments]}


def refuse_unknown(names: tuple[str, ...], entry: Entry) -> None:
    known = {ANY_OTHER, *(client.name for client in CLIENTS)}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise click.UsageError(
            f"We do not know {', '.join(unknown)}, only {KNOWN_NAMES}. "
            f"Most tools take this in their configuration:\n{snippet(entry)}"
        )


def find_targets(
    names: tuple[str, ...], machine: Machine, *, project: bool
) -> list[tuple[Client, Path]]:
    """List the clients that are named, or else present, with the file to change for each."""
    targets = []
    for client in CLIENTS:
        file, is_present = locate(client, machine)
        if not (client.name in names if names else is_present):
            continue
        if not project:
            targets.append((client, file))
        elif client.project_file:
            targets.append((client, Path.cwd() / client.project_file))
        elif names:
            raise click.UsageError(
                f"{client.title} has no project configuration. Leave out --project."
            )
    return targets


def print_entries(targets: list[tuple[Client, Path]], entry: Entry) -> None:
    for client, file in targets:
        # On stderr, so that stdout can be piped as JSON.
        click.echo(f"{client.title}, in {file}:", err=True)
        click.echo(snippet(client.complete(entry), client.servers_key))
    if not targets:
        click.echo(snippet(entry))


def configure(client: Client, file: Path, entry: Entry, *, uninstall: bool, dry_run: bool) -> bool:
    """Change one client's configuration and say so; False says that it could not be done."""
    try:
        before = read_text(file)
        after = (
            without_us(client, file, before)
            if uninstall
            else connect(before or "", client, client.complete(entry))
        )
        if before != after and not dry_run:
            write_change(file, before, after)
    except (ConfigError, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        click.echo(f"{client.title}: {file} is left as it was: {reason}.", err=True)
        if not uninstall:
            paste = snippet(client.complete(entry), client.servers_key)
            click.echo(f"Add this to it yourself:\n{paste}", err=True)
        return False
    if before == after:
        state = "not set up" if uninstall else "already set up"
        click.echo(f"{client.title}: {state} in {file}, nothing to change.")
    elif dry_run:
        click.echo(show_difference(file, before or "", after or ""))
    elif uninstall:
        click.echo(f"{client.title}: removed from {file}. Restart {client.title}.")
    else:
        click.echo(f"{client.title}: set up in {file}. Restart {client.title} to use it.")
    return True


def without_us(client: Client, file: Path, before: str | None) -> str | None:
    if before is None:
        return None
    return disconnect(before, client, backup=read_text(backup_of(file)))


def show_difference(file: Path, before: str, after: str) -> str:
    lines = difflib.unified_diff(
        before.splitlines(), after.splitlines(), str(file), f"{file} (changed)", lineterm=""
    )
    return "\n".join(lines)


def backup_of(file: Path) -> Path:
    return file.with_name(f"{file.name}.gasoline-backup")


def read_text(file: Path) -> str | None:
    try:
        # Bytes, because reading as text would turn CRLF into LF and lose the original's line ends.
        return file.read_bytes().decode()
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise ConfigError("not UTF-8 text") from error


def write_change(file: Path, before: str | None, after: str | None) -> None:
    """Write all or nothing, where a link points to, and keep what was there beside it."""
    target = file.resolve()
    if after is None:
        target.unlink()
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    mode = stat.S_IMODE(target.stat().st_mode) if before is not None else None
    if before is not None:
        replace_file(backup_of(file), before, mode)
    replace_file(target, after, mode)


def replace_file(file: Path, text: str, mode: int | None) -> None:
    temporary = file.with_name(f".{file.name}.{os.getpid()}.tmp")

    def open_with_mode(path: str, flags: int) -> int:
        # From the start, for configurations hold other servers' secrets.
        return os.open(path, flags, 0o666 if mode is None else mode)

    try:
        with open(temporary, "xb", opener=open_with_mode) as handle:
            handle.write(text.encode())
            handle.flush()
            os.fsync(handle.fileno())
        if mode is not None:
            temporary.chmod(mode)
        temporary.replace(file)
    finally:
        temporary.unlink(missing_ok=True)
