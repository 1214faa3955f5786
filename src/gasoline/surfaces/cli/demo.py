"""`gasoline demo`: what Gasoline does, shown on a shop with a fault."""

import json
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import click

from gasoline.analysis.diagnosis import diagnose_all
from gasoline.drivers.cdp import NoBrowserError, observe
from gasoline.generation.report.ai_context import write_ai_context
from gasoline.generation.report.summary import summarise
from gasoline.surfaces.cli.client import NoServerError, request
from gasoline.surfaces.cli.demonstration.browser import (
    NoBrowserFoundError,
    find_browser,
    running_browser,
)
from gasoline.surfaces.cli.demonstration.visitor import LostVisitorError, Visitor, buy_a_mug
from gasoline.surfaces.cli.evidence import read_from_server
from gasoline.surfaces.daemon.launch import CannotStartError
from gasoline.surfaces.daemon.private import private_server

FAULT = "server-error"
TEST_ID = "shop > a visitor buys a mug"
PACKAGE = Path(__file__).parent.parent.parent
# A checkout has the shop at its root, an installation among its shared data.
SHOP_PARENTS = (PACKAGE.parent.parent, Path(sysconfig.get_path("data")) / "share" / "gasoline")
LINES_SHOWN = 40


@click.command()
def demo() -> None:
    """Show what Gasoline sees when a visitor meets a broken shop."""
    try:
        _show()
    except (
        NoBrowserFoundError,
        NoBrowserError,
        CannotStartError,
        LostVisitorError,
        NoServerError,
    ) as error:
        raise click.ClickException(str(error)) from error


def _show() -> None:
    executable = find_browser()
    with ExitStack() as running:
        port = running.enter_context(private_server())
        shop_url = running.enter_context(_broken_shop())
        print(f"A shop with the fault {FAULT!r} is open at {shop_url}")
        print(f"A visitor buys a mug in {executable.name}, headless ...")
        address = running.enter_context(running_browser(executable))
        _mark(port, "start")
        watching = observe(address, port=port, test_id=TEST_ID)
        running.callback(watching.close)
        visitor = Visitor(address)
        running.callback(visitor.close)
        said = buy_a_mug(visitor, shop_url)
        watching.flush()
        watching.delivery.drain(5.0)
        _mark(
            port, "end", status="failed", message=f"expected an order number, the page said: {said}"
        )
        _section("What the test saw", f"The page said: {said}")
        evidence = read_from_server(port, test_id=TEST_ID)
        report = write_ai_context(summarise(diagnose_all(evidence)))
        _section("What Gasoline reports (gasoline report --format ai-context)", report)
        answer = _ask_tool(port, "get_network_bodies", {"status_min": 500, "limit": 1})
        _section("What an AI agent gets from get_network_bodies", answer)
    _section(
        "Now yours",
        "Connect your AI tool:      gasoline install\n"
        "Run your tests with it:    gasoline run -- npx playwright test\n"
        "                           gasoline run -- pytest\n"
        "Watch your own browser:    gasoline extension\n"
        "Check that it works:       gasoline doctor",
    )


@contextmanager
def _broken_shop() -> Iterator[str]:
    parent = next((folder for folder in SHOP_PARENTS if (folder / "examples/shop").exists()), None)
    if parent is None:
        raise click.ClickException("The demo's shop is not here. Reinstall gasoline.")
    sys.path.insert(0, str(parent))
    # The shop is an example, not a part of the package; only this command knows where it lies.
    from examples.shop.server import running_shop  # noqa: PLC0415

    with running_shop(faults=[FAULT]) as shop:
        yield shop.url


def _mark(port: int, action: str, **outcome: str) -> None:
    request(port, "POST", "/test-boundary", {"test_id": TEST_ID, "action": action, **outcome})


def _ask_tool(port: int, name: str, arguments: dict[str, Any]) -> str:
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": name, "arguments": {**arguments, "test_id": TEST_ID}},
    }
    _status, answer = request(port, "POST", "/mcp", call)
    return json.dumps(json.loads(answer["result"]["content"][0]["text"]), indent=2)


def _section(title: str, text: str) -> None:
    print(f"\n\033[1m{title}\033[0m" if sys.stdout.isatty() else f"\n== {title}")
    lines = text.rstrip().splitlines()
    print("\n".join(lines[:LINES_SHOWN]))
    if len(lines) > LINES_SHOWN:
        print(f"({len(lines) - LINES_SHOWN} more lines)")
