"""What the user did."""

from tests.builders import action, ingest, send_actions
from tests.tools.asking import ask


def test_actions_come_oldest_first_and_the_last_n_can_be_asked_for() -> None:
    into = ingest()
    send_actions(into, *[action(value=str(number)) for number in range(3)])

    everything = ask(into.store, "get_enhanced_actions")
    last_two = ask(into.store, "get_enhanced_actions", last_n=2)

    assert [act["value"] for act in everything["enhanced_actions"]] == ["0", "1", "2"]
    assert [act["value"] for act in last_two["enhanced_actions"]] == ["1", "2"]
    assert last_two["summary"] == "3 user actions, the latest: click on /cart."
