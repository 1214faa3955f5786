"""What a page shows, after each navigation."""

from collections.abc import Callable

from tests.capture.capturing import DOM, Captured

Capture = Callable[..., Captured]


def test_a_snapshot_names_what_a_tester_would_look_for(capture: Capture) -> None:
    captured = capture(
        """<h1>Cart</h1><p>ignored</p><button data-testid=pay>Pay <b>now</b></button><a href=/x>Help</a>
        <input type=hidden><input aria-label=Mail><button hidden>Later</button>"""
    )

    (snapshot,) = captured.wait_for(DOM)

    assert (snapshot["url"], snapshot["title"]) == (captured.page.url, "test")
    assert isinstance(snapshot["timestamp"], int)
    assert snapshot["elements"] == [
        {"role": "heading", "level": 1, "text": "Cart", "testId": None, "visible": True},
        {"role": "button", "text": "Pay now", "testId": "pay", "visible": True},
        {"role": "link", "text": "Help", "testId": None, "visible": True},
        {"role": "textbox", "text": "", "testId": None, "visible": True},
        {"role": "button", "text": "Later", "testId": None, "visible": False},
    ]


def test_another_address_is_another_snapshot(capture: Capture) -> None:
    captured = capture("<h1>One</h1>")
    captured.wait_for(DOM)

    captured.run(
        "() => { document.querySelector('h1').textContent = 'Two'; history.pushState({}, '', '/two') }"
    )

    *_, snapshot = captured.wait_for(DOM, 2)
    assert (snapshot["url"][-4:], snapshot["elements"][0]["text"]) == ("/two", "Two")


def test_a_huge_page_costs_little(capture: Capture) -> None:
    captured = capture(
        f"<main role=main>{'<p>' + 'word ' * 200}</main>" * 50 + "<a href=/>x</a>" * 5000
    )

    took, elements = captured.run(
        """() => { __gasoline.getDomSnapshot(); const at = performance.now(); const {elements} = __gasoline.getDomSnapshot();
          return [performance.now() - at, elements.length] }"""
    )

    assert elements == 60
    assert took < 100
