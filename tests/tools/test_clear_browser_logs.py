"""Start with an empty log."""

from gasoline.records import LogEntry, NetworkBody
from tests.builders import exchange, ingest, log, send_exchanges, send_logs
from tests.tools.asking import ask


def test_logs_are_forgotten_and_nothing_else() -> None:
    into = ingest()
    send_logs(into, log(), log())
    send_exchanges(into, exchange())

    answer = ask(into.store, "clear_browser_logs")

    assert answer == {
        "summary": "Browser logs cleared successfully: 2 entries removed.",
        "cleared": 2,
    }
    assert (into.store.count(LogEntry), into.store.count(NetworkBody)) == (0, 1)
