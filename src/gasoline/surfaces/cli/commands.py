"""The commands of `gasoline`, as click knows them."""

from importlib import import_module

import click

from gasoline import __version__

FAILED = 1
# Each in a module of its own, which is imported when it is asked for: none pays for the others.
COMMANDS = {
    "serve": "gasoline.surfaces.cli.serve:serve",
    "mcp": "gasoline.surfaces.cli.mcp:mcp",
    "run": "gasoline.surfaces.cli.run:run",
    "demo": "gasoline.surfaces.cli.demo:demo",
    "attach": "gasoline.surfaces.cli.attach:attach",
    "install": "gasoline.surfaces.cli.install:install",
    "report": "gasoline.surfaces.cli.report:report",
    "audit": "gasoline.surfaces.cli.audit:security_audit",
    "status": "gasoline.surfaces.cli.status:status",
    "stop": "gasoline.surfaces.cli.stop:stop",
    "doctor": "gasoline.surfaces.cli.doctor:doctor",
    "extension": "gasoline.surfaces.cli.extension:extension",
}


class CommandsInOrder(click.Group):
    """Lists commands in their order; `gasoline` with options only is `gasoline serve`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own = {"--help", "-h", "--version"}
        if not args or (args[0].startswith("-") and args[0] not in own):
            args = ["serve", *args]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command


@click.group(
    cls=CommandsInOrder,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="gasoline", message="%(prog)s %(version)s")
def gasoline() -> None:
    """What the browser saw, for AI coding agents and failed CI jobs.

    Without a command: gasoline serve.
    """


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
