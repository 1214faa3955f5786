"""Text from a page, made safe to show."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gasoline.generation.untrusted import has_invisible, strip_invisible


@pytest.mark.parametrize(
    "hidden",
    [
        "\x00",
        "\x1b",
        "\r",
        "\x7f",
        "\x9b",
        "\u061c",
        "\u200b",
        "\u200e",
        "\u202e",
        "\u2060",
        "\u2066",
        "\ufeff",
        "\U000e0041",
    ],
)
def test_what_hides_or_steers_is_removed(hidden: str) -> None:
    assert strip_invisible(f"a{hidden}b") == "ab"


def test_what_people_see_stays() -> None:
    text = "line\n\tzwölf 日本語 👩\u200d💻 \u00a0"

    assert strip_invisible(text) == text


@given(st.text())
def test_nothing_hidden_is_left_in_any_text(text: str) -> None:
    assert not has_invisible(strip_invisible(text))
