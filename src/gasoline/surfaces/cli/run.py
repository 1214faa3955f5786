"""`gasoline run -- <command>`: any browser test suite, unchanged, with full evidence."""

import os
import shlex
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from importlib import import_module
from pathlib import Path

import click

from gasoline.analysis.status_words import is_sound
from gasoline.surfaces.cli.noise import noise_option
from gasoline.surfaces.cli.source_maps import as_flags, source_maps_option
from gasoline.surfaces.daemon.launch import CannotStartError
from gasoline.surfaces.daemon.place import address_of, find_place, find_token
from gasoline.surfaces.daemon.port_holder import is_listened_on
from gasoline.surfaces.daemon.private import private_server

HIGHEST_PORT = 65535
NOT_FOUND, NOT_EXECUTABLE = 127, 126
# A tenth of the share of what is as important as usual.
WATCHING_NICENESS = 10
ASSETS = Path(__file__).parent.parent.parent / "assets"
# Imported while the command runs, which need not wait for it.
CLIENT = "gasoline.surfaces.cli.client"
# Imported only where there is something to report: most runs have nothing.
REPORT = "gasoline.surfaces.cli.run_report"
PYTHON_HOOK = Path(__file__).parent.parent.parent / "drivers" / "startup"
RECORD_FILE = "record.jsonl"
REPORT_FILES = {
    "report.txt": "text",
    "report.json": "json",
    "ai-context.md": "ai-context",
    "junit.xml": "junit",
}


class CannotRunError(Exception):
    """The command could not even be started, so there is nothing to report."""

    def __init__(self, why: str, code: int) -> None:
        super().__init__(why)
        self.code = code


@click.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option(
    "--port",
    type=click.IntRange(1, HIGHEST_PORT),
    metavar="PORT",
    help="Use the server on this port instead of starting one.",
)
@click.option(
    "--report-dir",
    type=click.Path(file_okay=False, path_type=Path),
    help=f"Write {', '.join(REPORT_FILES)} into this folder, and without --port record.jsonl.",
)
@source_maps_option
@noise_option
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
def run(
    *,
    port: int | None,
    report_dir: Path | None,
    source_maps: tuple[Path, ...],
    command: tuple[str, ...],
) -> int:
    """Run browser tests unchanged; report what the browser saw.

    gasoline run -- npx playwright test

    gasoline run --report-dir out -- pytest tests/e2e
    """
    with _report_folder(report_dir) as folder:
        record = folder / RECORD_FILE
        try:
            flags = ["--no-mcp", "--record", str(record), *as_flags(source_maps)]
            server = nullcontext(port) if port else private_server(*flags)
            with server as used_port:
                absence = _explain_absence(used_port)
                _say(f"watching browsers on port {used_port}")
                code = _run_command(command, environment_for(used_port, os.environ), used_port)
                if code == 0 and not report_dir and (sound := _count_sound(used_port)):
                    _say(f"{sound} test{'' if sound == 1 else 's'}, no failures")
                    return code
                report = import_module(REPORT)
                evidence, notes = report.gather(used_port, record)
                if absence and notes:
                    notes = [absence]
        except CannotStartError as error:
            raise click.ClickException(str(error)) from error
        except CannotRunError as error:
            click.echo(f"gasoline: {command[0]}: {error}", err=True)
            return error.code
        judged = report.judge(evidence, command, code)
        summary = report.summarise_run(judged, notes, source_maps)
        if report_dir:
            report.write_files(summary, folder, REPORT_FILES)
    if code != 0 or summary.failures:
        click.echo("\n" + report.write_text(summary), nl=False)
    _say(report.headline(summary) + (f"; report in {report_dir}" if report_dir else ""))
    return code


def _explain_absence(port: int) -> str | None:
    """Say at once that nobody will hear what the browsers see; the command runs all the same."""
    if is_listened_on(port, address_of(find_place(port))):
        return None
    absence = f"no server answers on port {port}, so nothing is captured. Leave --port out"
    absence += f" for one of its own, or start one: gasoline serve --port {port}"
    click.echo(f"gasoline: {absence}", err=True)
    return absence


def environment_for(port: int, environment: Mapping[str, str]) -> dict[str, str]:
    """What makes Node and Python processes of the command put capture into their browsers."""
    place = find_place(port, environment)
    token = find_token(place, environment)
    hook = f"--require {shlex.quote(str(ASSETS / 'hook.cjs'))}"
    python_path = [str(PYTHON_HOOK), *filter(None, [environment.get("PYTHONPATH")])]
    return {
        **environment,
        "GASOLINE_RUN": "1",
        "GASOLINE_HOST": address_of(place, environment),
        "GASOLINE_PORT": str(port),
        "GASOLINE_CAPTURE_MODE": "all",
        **({"GASOLINE_TOKEN": token} if token else {}),
        "NODE_OPTIONS": " ".join(filter(None, [environment.get("NODE_OPTIONS"), hook])),
        "PYTHONPATH": os.pathsep.join(python_path),
    }


def _run_command(command: tuple[str, ...], environment: dict[str, str], port: int) -> int:
    with _progress(port) as (out, err):
        try:
            process = subprocess.Popen(command, env=environment, stdout=out, stderr=err)
        except FileNotFoundError as error:
            raise CannotRunError("command not found", NOT_FOUND) from error
        except OSError as error:
            raise CannotRunError(str(error.strerror), NOT_EXECUTABLE) from error
        with _passing_on_signals(process):
            _let_others_first()
            import_module(CLIENT)
            code = process.wait()
    # As a shell reports a command that a signal ended.
    return 128 - code if code < 0 else code


def _count_sound(port: int) -> int | None:
    """How many tests there were, if nothing is to be said of any; a command alone is one."""
    client = import_module(CLIENT)
    try:
        tests = client.read_tests(port)
    except client.NoServerError:
        return None
    if not all(is_sound(test["status"]) for test in tests):
        return None
    return len({test["test_id"] for test in tests}) or 1


def _let_others_first() -> None:
    """From here on we only watch and report; the command has the processors when it wants them."""
    if sys.platform != "win32":
        with suppress(OSError):
            os.nice(WATCHING_NICENESS)


def _progress(port: int) -> AbstractContextManager[tuple[int | None, int | None]]:
    if sys.platform == "win32" or not sys.stderr.isatty():
        return nullcontext((None, None))
    # Imported here: Windows has no pseudo-terminals.
    from gasoline.surfaces.cli.progress import progress_line  # noqa: PLC0415

    return progress_line(lambda: str(import_module(REPORT).describe_progress(port)))


@contextmanager
def _passing_on_signals(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Ctrl+C reaches the command through the terminal; we stay to report what it saw."""
    before_int = signal.signal(signal.SIGINT, signal.SIG_IGN)
    before_term = signal.signal(signal.SIGTERM, lambda *_: process.terminate())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before_int)
        signal.signal(signal.SIGTERM, before_term)


@contextmanager
def _report_folder(report_dir: Path | None) -> Iterator[Path]:
    if report_dir is None:
        with tempfile.TemporaryDirectory(prefix="gasoline-run-") as folder:
            yield Path(folder)
        return
    try:
        report_dir.mkdir(parents=True, exist_ok=True)
        # The server that would fail to write it starts while the command already runs.
        (report_dir / RECORD_FILE).write_bytes(b"")
    except OSError as error:
        raise click.ClickException(f"Cannot write to {report_dir}: {error.strerror}.") from error
    yield report_dir


def _say(text: str) -> None:
    if sys.stderr.isatty():
        click.echo(f"gasoline: {text}", err=True)
