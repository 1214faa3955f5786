"""How long a page may keep a test waiting."""

import pytest

from gasoline.drivers.delivery import Delivery, FullQueueError
from gasoline.drivers.observation import Observation, patience_with_page


@pytest.mark.parametrize(
    ("browser_took_s", "crowding", "patience_s"),
    [
        (0.0, 0.0, 0.25),
        (0.0, 1.0, 0.25),
        (0.0, 4.0, 1.0),
        (0.0, 12.0, 3.0),
        (0.0, 13.0, 3.0),
        (0.1, 0.5, 0.65),
        (0.1, 2.0, 1.3),
        (0.6875, 1.0, 3.0),
        (0.7, 1.0, 3.0),
        (60.0, 1.0, 3.0),
    ],
)
def test_a_slow_machine_gives_a_page_more_time_but_not_for_ever(
    browser_took_s: float, crowding: float, patience_s: float
) -> None:
    assert patience_with_page(browser_took_s, crowding=crowding) == pytest.approx(patience_s)


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        (None, ""),
        ("", ""),
        ("false", "window.__GASOLINE_AI_CONTEXT=false;"),
        ('{"stateSnapshot": true}', 'window.__GASOLINE_AI_CONTEXT={"stateSnapshot": true};'),
        ("true", ""),
        ("{not json", ""),
    ],
)
def test_pages_are_told_what_errors_should_come_with(
    monkeypatch: pytest.MonkeyPatch, setting: str | None, said: str
) -> None:
    monkeypatch.delenv("GASOLINE_AI_CONTEXT", raising=False)
    if setting is not None:
        monkeypatch.setenv("GASOLINE_AI_CONTEXT", setting)

    settings = Observation(Delivery(7890)).script.split("/*", 1)[0]

    assert settings.endswith(f'window.__GASOLINE_CAPTURE_MODE="all";{said}')


def test_what_a_closing_page_handed_over_without_room_for_it_counts_as_lost() -> None:
    delivery = Delivery(1, queued_bytes=0)
    observation = Observation(delivery)

    with pytest.raises(FullQueueError):
        observation.take_answer('/logs{"entries":[]}', "http://shop.example/")

    assert delivery.lost == 1
