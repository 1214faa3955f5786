"""Browsers that can be asked something now, and the tabs open in them."""

from gasoline.live.browsers import Browser, Browsers, Question, Tab


def ignore(_question: Question) -> None:
    pass


def test_connecting_again_cuts_the_earlier_line_of_the_same_browser_only() -> None:
    cut: list[str] = []
    browsers = Browsers()
    for name, session in (("first", "a"), ("other", "b"), ("nameless", ""), ("second", "a")):
        browsers.connect(
            Browser(ask=ignore, hang_up=lambda name=name: cut.append(name), session=session)  # type: ignore[misc]  # a default binds the loop's name
        )
    browsers.connect(Browser(ask=ignore, hang_up=lambda: cut.append("nameless again")))

    assert cut == ["first"]


def test_saying_hello_twice_cuts_nothing_and_counts_once() -> None:
    cut: list[str] = []
    browsers = Browsers()
    browser = Browser(ask=ignore, hang_up=lambda: cut.append("self"), session="a")

    browsers.connect(browser)
    browsers.connect(browser)

    assert (cut, list(browsers)) == ([], [browser])


def test_new_tabs_replace_the_old_ones() -> None:
    browsers, browser = Browsers(), Browser(ask=ignore, hang_up=lambda: None, tabs=(Tab(1),))
    browsers.connect(browser)

    browsers.note_tabs(browser, [Tab(2), Tab(3)])

    assert browsers.tabs == [Tab(2), Tab(3)]
    assert browsers.with_tab(1) is None
