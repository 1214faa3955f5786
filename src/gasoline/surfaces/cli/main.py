"""`gasoline`: finds the command. The bridge is looked at first, because it must start at once."""

import sys


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return its exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    # `gasoline --port 7891 --mcp` is how the original was told to speak MCP.
    spelled_as_flag = given[:1] != [] and given[0].startswith("-") and "--mcp" in given
    if given[:1] == ["mcp"] or spelled_as_flag:
        from gasoline.surfaces.mcp.bridge import main as run_bridge  # noqa: PLC0415  # start-up

        rest = [word for word in given if word != "--mcp"] if spelled_as_flag else given[1:]
        return run_bridge(rest)
    from gasoline.surfaces.cli.commands import run  # noqa: PLC0415  # start-up: click is not free

    return run(given)
