"""What pages say all the time without anything being wrong."""

import pytest

from gasoline.analysis.noise import noise_reason


@pytest.mark.parametrize(
    "url",
    [
        "https://www.google-analytics.com/g/collect?v=2",
        "http://app/analytics",
        "http://app/api/telemetry/events",
        "chrome-extension://abc/inject.js",
        "http://app/favicon.ico",
        "http://app/app.js.map",
        "http://app/main.hot-update.json",
        "https://o1.ingest.sentry.io/api/1/envelope/",
    ],
)
def test_known_noise_is_recognised_by_its_address(url: str) -> None:
    assert noise_reason(url=url)


@pytest.mark.parametrize(
    "message", ["[HMR] connected", "[vite] hot updated", "ResizeObserver loop limit exceeded"]
)
def test_known_noise_is_recognised_by_what_it_says(message: str) -> None:
    assert noise_reason(message=message)


@pytest.mark.parametrize(
    "url",
    [
        "http://app/api/orders",
        "http://app/tracker/17",
        "http://app/metricsystem",
        "http://app/collection/3",
        "http://segments.example/api",
        "",
    ],
)
def test_ordinary_requests_are_not_noise(url: str) -> None:
    assert noise_reason(url=url) is None
