"""The commands of `gasoline`, as click knows them."""

import click

from gasoline import __version__
from gasoline.surfaces.cli.attach import attach
from gasoline.surfaces.cli.audit import security_audit
from gasoline.surfaces.cli.demo import demo
from gasoline.surfaces.cli.doctor import doctor
from gasoline.surfaces.cli.extension import extension
from gasoline.surfaces.cli.install import install
from gasoline.surfaces.cli.report import report
from gasoline.surfaces.cli.run import run as run_tests
from gasoline.surfaces.cli.serve import serve
from gasoline.surfaces.cli.status import status
from gasoline.surfaces.cli.stop import stop
from gasoline.surfaces.mcp.bridge import main as run_bridge

FAILED = 1


class CommandsInOrder(click.Group):
    """Lists commands as they were added; `gasoline` with options only is `gasoline serve`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own = {"--help", "-h", "--version"}
        if not args or (args[0].startswith("-") and args[0] not in own):
            args = ["serve", *args]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(self.commands)


@click.group(
    cls=CommandsInOrder,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="gasoline", message="%(prog)s %(version)s")
def gasoline() -> None:
    """What the browser saw, for AI coding agents and failed CI jobs.

    Without a command: gasoline serve.
    """


@click.command(context_settings={"ignore_unknown_options": True}, add_help_option=False)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def mcp(arguments: tuple[str, ...]) -> int:
    """Speak MCP on stdin and stdout: what an AI tool starts."""
    # main.py goes there directly; this is for the list of commands.
    return run_bridge(list(arguments))


for command in (
    serve,
    mcp,
    run_tests,
    demo,
    attach,
    install,
    report,
    security_audit,
    status,
    stop,
    doctor,
    extension,
):
    gasoline.add_command(command)


def run(arguments: list[str]) -> int:
    """Run a command line; click's own exits become exit codes."""
    try:
        result = gasoline.main(arguments, prog_name="gasoline", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except PermissionError as error:
        click.echo(f"Error: {error}", err=True)
        return FAILED
    except click.Abort:
        return FAILED
    return result if isinstance(result, int) else 0
