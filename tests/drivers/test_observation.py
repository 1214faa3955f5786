"""How long a page may keep a test waiting."""

import pytest

from gasoline.drivers.observation import patience_with_page


@pytest.mark.parametrize(
    ("browser_took_s", "patience_s"),
    [(0.0, 0.25), (0.1, 0.65), (0.6875, 3.0), (0.7, 3.0), (60.0, 3.0)],
)
def test_a_slow_machine_gives_a_page_more_time_but_not_for_ever(
    browser_took_s: float, patience_s: float
) -> None:
    assert patience_with_page(browser_took_s) == pytest.approx(patience_s)
