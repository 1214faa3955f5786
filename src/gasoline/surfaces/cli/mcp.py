"""`gasoline mcp`: what an AI tool starts."""

import click

from gasoline.surfaces.mcp.bridge import main as run_bridge


@click.command(context_settings={"ignore_unknown_options": True}, add_help_option=False)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def mcp(arguments: tuple[str, ...]) -> int:
    """Speak MCP on stdin and stdout: what an AI tool starts."""
    # main.py goes there directly; this is for the list of commands.
    return run_bridge(list(arguments))
