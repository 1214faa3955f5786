"""Opens the shop: `python examples/shop/server.py`, or `with running_shop() as shop` in a test."""

import argparse
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import msgspec
import uvicorn

if not __package__:  # started as a script, which puts only this folder on the path
    sys.path.insert(0, str(Path(__file__).parents[2]))

from examples.shop.app import build_app
from examples.shop.faults import markdown_table
from examples.shop.switches import FaultState, UnknownFaultError
from examples.shop.visits import Shop

LOOPBACK = "127.0.0.1"
DEFAULT_PORT = 7970
LAST_ANSWERS_S = 1


class RunningShop:
    """A shop that is open."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.url = f"http://{LOOPBACK}:{port}"

    def faults(self) -> dict[str, bool]:
        """Every fault by name, and whether it is on for everybody."""
        return _by_name(self._ask("/__faults"))

    def switch(self, *, on: Iterable[str] = (), off: Iterable[str] = ()) -> dict[str, bool]:
        return _by_name(self._ask("/__faults", {"on": list(on), "off": list(off)}))

    def reset(self) -> None:
        """Be as at the start: the faults of the start, no carts, nobody signed in."""
        self._ask("/__reset", {})

    def _ask(self, path: str, content: Any = None) -> bytes:
        body = None if content is None else msgspec.json.encode(content)
        with urlopen(Request(f"{self.url}{path}", body)) as response:
            told: bytes = response.read()
        return told


def _by_name(told: bytes) -> dict[str, bool]:
    return {state.name: state.on for state in msgspec.json.decode(told, type=list[FaultState])}


@contextmanager
def running_shop(*, port: int = 0, faults: Iterable[str] = ()) -> Iterator[RunningShop]:
    """Open a shop on a port of its own, in a thread, until the block ends."""
    app = build_app(Shop(faults))
    with socket.create_server((LOOPBACK, port)) as listening:
        server = uvicorn.Server(
            uvicorn.Config(
                app,
                ws="websockets-sansio",
                lifespan="off",
                log_config=None,
                log_level=logging.CRITICAL,
                server_header=False,
                timeout_graceful_shutdown=LAST_ANSWERS_S,
            )
        )
        thread = threading.Thread(target=server.run, args=([listening],), name="shop")
        thread.start()
        try:
            yield RunningShop(listening.getsockname()[1])
        finally:
            server.should_exit = True
            thread.join()


def main(arguments: list[str] | None = None) -> int:
    """Keep a shop open until somebody stops it."""
    parser = argparse.ArgumentParser(description="Opens the demo shop, on this machine only.")
    parser.add_argument("--port", type=int, default=DEFAULT_PORT, help="0 takes any free one")
    parser.add_argument("--faults", default="", help="names, with commas between them")
    parser.add_argument("--list", action="store_true", help="print all faults as Markdown and end")
    given = parser.parse_args(arguments)
    if given.list:
        print(markdown_table())
        return 0
    try:
        with running_shop(port=given.port, faults=filter(None, given.faults.split(","))) as shop:
            stopped = threading.Event()
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, lambda _number, _frame: stopped.set())
            print(f"The shop is open at {shop.url} (stop it with Ctrl-C)", flush=True)
            stopped.wait()
    except UnknownFaultError as error:
        parser.error(str(error))
    except OSError as error:
        reason = os.strerror(error.errno or 0)
        parser.exit(1, f"Cannot open port {given.port}: {reason}. Try --port 0.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
