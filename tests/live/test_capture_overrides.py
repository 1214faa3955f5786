"""What a user wants captured now, whatever the extension's own settings say."""

from gasoline.live.capture_overrides import CaptureOverrides


def test_who_watches_is_told_of_every_change_until_they_stop() -> None:
    overrides = CaptureOverrides()
    told: list[dict[str, str]] = []
    stop = overrides.watch(lambda: told.append(dict(overrides.values)))

    overrides.change(log_level="all")
    overrides.change(network_bodies="true")
    overrides.reset()
    stop()
    overrides.change(log_level="error")

    assert told == [{"log_level": "all"}, {"log_level": "all", "network_bodies": "true"}, {}]
