"""`gasoline extension`: where the browser extension is, and how to load it."""

from pathlib import Path

import click

import gasoline

STEPS = (
    "Open chrome://extensions in Chrome, Edge, Brave or Chromium.",
    'Switch on "Developer mode" (top right).',
    'Click "Load unpacked" and choose the folder above.',
    "Start the server: gasoline serve",
    "Reload the page you work on. The popup of the toolbar button says Connected.",
)
DEBUGGER_NOTE = (
    "This build asks for the debugger permission: it can photograph whole pages, single elements\n"
    "and background tabs. Chrome shows a bar while it does."
)


@click.command()
@click.option(
    "--debugger", is_flag=True, help="The build for screenshots of whole pages and elements."
)
@click.option("--path", "path_only", is_flag=True, help="Print the folder and nothing else.")
def extension(*, debugger: bool, path_only: bool) -> None:
    """Say where the browser extension is and how to load it."""
    folder = extension_folder(debugger=debugger)
    if not (folder / "manifest.json").is_file():
        raise click.ClickException(
            f"{folder} holds no extension: this installation is incomplete. "
            "Reinstall gasoline, or run scripts/build in a source tree."
        )
    print(folder)
    if path_only:
        return
    print()
    for number, step in enumerate(STEPS, 1):
        print(f"{number}. {step}")
    if debugger:
        print(f"\n{DEBUGGER_NOTE}")


def extension_folder(*, debugger: bool = False) -> Path:
    """The folder that a browser loads."""
    name = "extension-debugger" if debugger else "extension"
    return Path(gasoline.__file__).parent / "assets" / name
