"""`gasoline status`: what a running server has seen."""

import json
from typing import Any

import click

from gasoline import __version__
from gasoline.surfaces.cli.client import NoServerError, read_health
from gasoline.surfaces.cli.port import port_option
from gasoline.surfaces.daemon.place import address_of, find_place
from gasoline.surfaces.daemon.port_holder import find_holder
from gasoline.tools.wording import count_of


@click.command()
@port_option
@click.option("--json", "as_json", is_flag=True, help="The server's whole /health answer.")
def status(*, port: int, as_json: bool) -> None:
    """Say whether a server runs, and what it has captured."""
    try:
        health = read_health(port)
    except NoServerError as error:
        raise click.ClickException(explain_absence(port, error)) from error
    if as_json:
        print(json.dumps(health, indent=2))
        return
    for label, text in _describe(health, port):
        print(f"{label:<10}{text}")


def explain_absence(port: int, error: NoServerError) -> str:
    """Why there is no server to ask, and what to do."""
    holder = find_holder(port, address_of(find_place(port)))
    if holder is None:
        return f"No server on port {port}. Start one: gasoline serve --port {port}"
    advice = "" if holder.is_gasoline else " Stop that program or choose another --port."
    return f"Port {port} is held by {holder}: {error}.{advice}"


def _describe(health: dict[str, Any], port: int) -> list[tuple[str, str]]:
    buffers, capture, memory = health["buffers"], health["capture"], health["memory"]
    other = "" if health["version"] == __version__ else f" (this command is {__version__})"
    lines = [
        ("server", f"gasoline {health['version']} on port {port}, pid {health['pid']}{other}"),
        ("capture", " ".join([capture["state"], *_reasons(capture)])),
        (
            "captured",
            ", ".join(
                [
                    count_of(health["entries"], "log entry", "log entries"),
                    count_of(buffers["network_bodies"], "request"),
                    count_of(buffers["websocket_events"], "WebSocket event"),
                    count_of(buffers["actions"], "user action"),
                ]
            ),
        ),
        ("memory", f"{memory['bytes'] / 2**20:.1f} of {memory['limit'] / 2**20:.0f} MB"),
    ]
    if health["tests"]["active"]:
        lines.append(("tests", f"{health['tests']['active']} running"))
    if health["logFile"]:
        lines.append(("recording", health["logFile"]))
    if health.get("record_error"):
        lines.append(("RECORDING", f"stopped: {health['record_error']}"))
    return lines


def _reasons(capture: dict[str, Any]) -> list[str]:
    return [f"- {capture[key]}" for key in ("why", "next") if capture.get(key)]
