"""Our own server with the suite's fixtures: `python -m tests.conformance.fixture_server`.

Prints its port on the first line of stdout once it listens.
"""

from gasoline.surfaces.daemon.listening import bind
from gasoline.surfaces.daemon.server import ServerOptions, fast_runner, serve
from tests.conformance.fixtures import add_fixtures

LOOPBACK = "127.0.0.1"


def main() -> None:
    listening = bind(LOOPBACK, 0)
    port = listening.getsockname()[1]
    serving = serve(
        ServerOptions(port=port),
        listening,
        on_ready=lambda: print(port, flush=True),  # noqa: T201  # the port is this program's output
        extend_mcp=add_fixtures,
    )
    with fast_runner() as runner:
        runner.run(serving)


if __name__ == "__main__":
    main()
