"""What the user does."""

from collections.abc import Callable
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.capture.capturing import ACTIONS, Captured
from tests.capture.site import Site

Capture = Callable[..., Captured]

FORM = """<form id=f action=/session method=post onsubmit="return false">
  <input id=mail type=email><input id=pw type=password><textarea id=note></textarea>
  <select id=size><option value=m>Medium<option value=xl>Extra large</select>
  <input id=agree type=checkbox><label id=label for=agree>I agree</label>
  <button id=send>Send</button></form>"""


def told(actions: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """Each action as its type, its element and what it did."""
    fields = ("value", "key", "selectedValue", "action", "text")
    return [
        (action["type"], (action.get("selectors") or {}).get("cssPath"), *[action[name] for name in fields if name in action])
        for action in actions
    ]  # fmt: skip


def test_a_click_says_what_where_and_when(capture: Capture) -> None:
    captured = capture("<button id=go class='btn big' data-testid=go>Go <b>on</b></button>")

    captured.page.click("b")

    (action,) = captured.actions()
    assert action.pop("actionId").startswith("act_")
    assert action.pop("ts")
    assert isinstance(action.pop("timestamp"), int)
    assert action.pop("position").keys() == {"x", "y"}
    assert action.pop("selectors")["testId"] == "go"
    assert action == {
        "type": "click",
        "url": captured.page.url,
        "scroll": {"x": 0, "y": 0},
        "target": "button#go.btn.big",
        "text": "Go on",
    }


def test_typing_is_one_action_with_the_final_value_before_what_follows(capture: Capture) -> None:
    captured = capture(FORM)
    page = captured.page

    page.type("#mail", "a@example.com")
    page.type("#pw", "hunter2")
    page.type("#note", "hello")
    page.select_option("#size", "xl")
    page.click("#send")

    assert told(captured.actions()) == [
        ("input", "#mail", "a@example.com"),
        ("input", "#pw", "[redacted]"),
        ("input", "#note", "hello"),
        ("select", "#size", "xl"),
        ("click", "#send", "Send"),
        ("submit", "#f", "/session"),
    ]
    kinds = [action.get("inputType") for action in captured.inbox.records(ACTIONS)]
    assert kinds[:3] == ["email", "password", "textarea"]


def test_what_the_page_empties_or_removes_at_once_is_still_known(capture: Capture) -> None:
    captured = capture(
        "<input id=tag oninput='if (this.value.length === 3) { this.value = \"\"; this.remove() }'>"
    )

    captured.page.type("#tag", "abc")

    assert told(captured.actions()) == [("input", "#tag", "abc")]


def test_enter_in_a_form_is_a_key_and_a_submit_and_no_click(capture: Capture) -> None:
    captured = capture(FORM)

    captured.page.type("#mail", "a@b.c")
    captured.page.press("#mail", "Enter")

    assert told(captured.actions()) == [
        ("input", "#mail", "a@b.c"),
        ("keypress", "#mail", "Enter"),
        ("submit", "#f", "/session"),
    ]


def test_a_click_on_a_label_is_one_click(capture: Capture) -> None:
    captured = capture(FORM)

    captured.page.click("#label")
    captured.page.click("#agree")

    assert told(captured.actions()) == [("click", "#label", "I agree"), ("click", "#agree")]
    assert captured.page.is_checked("#agree") is False


def test_two_quick_clicks_are_two(capture: Capture) -> None:
    captured = capture("<button id=go>Go</button>")

    captured.page.dblclick("#go")

    assert [action["type"] for action in captured.actions()] == ["click", "click"]


def test_only_three_keys_are_recorded(capture: Capture) -> None:
    captured = capture("<body tabindex=0>")

    for key in ("a", "Enter", "Escape", "Tab", "Backspace", "ArrowUp", "F5x"[:2]):
        captured.page.keyboard.press(key)

    assert [action["key"] for action in captured.actions()] == ["Enter", "Escape", "Tab"]


SENSITIVE = (
    "type=password",
    "autocomplete=cc-number",
    "autocomplete=current-password",
    "name=cardNumber",
    "name=api_token",
    "id=user-secret",
    "name=CVV",
)


def test_sensitive_fields_are_redacted(capture: Capture) -> None:
    captured = capture("".join(f"<input {attributes}>" for attributes in SENSITIVE))

    for index in range(len(SENSITIVE)):
        captured.page.locator("input").nth(index).fill("4111 1111")

    assert [action["value"] for action in captured.actions()] == ["[redacted]"] * len(SENSITIVE)
    assert "4111" not in str(captured.inbox.batches)


def test_a_long_value_is_cut_and_a_file_is_named(capture: Capture, tmp_path: Path) -> None:
    captured = capture("<input id=a><input id=b type=file><div id=c contenteditable>x</div>")
    upload = tmp_path / "cv.pdf"
    upload.write_text("x")

    captured.page.fill("#a", "x" * 200)
    captured.page.set_input_files("#b", upload)
    captured.page.fill("#c", "edited")

    assert told(captured.actions()) == [
        ("input", "#a", "x" * 100),
        ("input", "#b", "cv.pdf"),
        ("input", "#c", "edited"),
    ]


def test_an_action_says_how_far_the_page_was_scrolled(capture: Capture) -> None:
    captured = capture(
        '<button id="b" style="position: fixed">Go</button><p style="width: 3000px; height: 3000px">'
    )
    captured.run("scrollTo(40, 700)")

    captured.page.mouse.click(15, 15)
    captured.page.press("#b", "Space")
    captured.run("b.click()")

    clicks = [action for action in captured.actions() if action["type"] == "click"]
    assert [click["scroll"] for click in clicks] == [{"x": 40, "y": 700}] * 3


def test_scrolling_is_told_at_most_twice_a_second(capture: Capture) -> None:
    captured = capture(
        "<div id=box style='height:50px;overflow:auto'><p style='height:999px'></div><p style='height:9999px'>"
    )

    captured.run(
        "async () => { for (let y = 1; y <= 10; y++) { scrollTo(0, y * 10); await new Promise(requestAnimationFrame) } }"
    )
    # How many frames fit into half a second is the machine's affair.
    while (window_scrolls := captured.wait_for(ACTIONS))[-1]["scrollY"] < 100:
        captured.wait_for(ACTIONS, len(window_scrolls) + 1)
    captured.run("() => { box.scrollTop = 33 }")
    box_scroll = captured.wait_for(ACTIONS, len(window_scrolls) + 1)[-1]

    assert {(scroll["target"], scroll["scrollX"]) for scroll in window_scrolls} == {("window", 0)}
    begun = [scroll["timestamp"] for scroll in window_scrolls]
    assert all(later - earlier > 490 for earlier, later in pairwise(begun))
    assert (box_scroll["target"], box_scroll["scrollY"]) == ("div#box", 33)


def test_every_change_of_address_is_told(capture: Capture, site: Site) -> None:
    captured = capture()
    start = captured.page.url

    captured.run(
        """async () => { history.pushState({}, '', '/a'); history.pushState({}, '', '/a'); history.replaceState({}, '', '/b?access_token=abcdefghijklmnopqrst');
          location.hash = 'c'; await new Promise(resolve => addEventListener('hashchange', resolve));
          history.back(); await new Promise(resolve => addEventListener('popstate', resolve)) }"""
    )

    moves = [(action["fromUrl"], action["toUrl"]) for action in captured.actions()]
    assert moves[0] == (start, site.url("/a"))
    assert moves[1][0] == site.url("/a")
    assert moves[2][1].endswith("#c")
    assert len(moves) == 4
    assert "abcdefghijklmnopqrst" not in str(moves)


def test_history_looks_as_before(capture: Capture) -> None:
    captured = capture()

    assert captured.run(
        """() => [Object.keys(history), history.pushState.name, history.pushState.length, History.prototype.pushState === history.pushState,
          (() => { try { history.pushState({}, '', 'http://elsewhere.example/') } catch (e) { return e.name } })()]"""
    ) == [[], "pushState", 2, True, "SecurityError"]


def test_an_element_in_a_shadow_root_is_the_one_clicked(capture: Capture) -> None:
    captured = capture(
        """<x-a></x-a><script>document.querySelector('x-a').attachShadow({mode: 'open'}).innerHTML =
          '<button data-testid=inner>In</button>'</script>"""
    )

    captured.page.click("button")

    (action,) = captured.actions()
    assert action["selectors"]["testId"] == "inner"


def test_an_event_the_page_stops_is_seen(capture: Capture) -> None:
    captured = capture(
        """<button id=go>Go</button><script>for (const type of ['click', 'input'])
          document.addEventListener(type, event => event.stopImmediatePropagation(), true)</script>"""
    )

    captured.page.click("#go")

    assert told(captured.actions()) == [("click", "#go", "Go")]


def test_actions_can_be_switched_off(capture: Capture) -> None:
    captured = capture("<button id=go>Go</button>")

    captured.run("__gasoline.setActionCapture(false)")
    captured.page.click("#go")
    captured.run("__gasoline.setActionCapture(true)")
    captured.page.click("#go")

    assert len(captured.actions()) == 1


def test_an_action_in_a_frame_says_which_frame(capture: Capture) -> None:
    captured = capture("<iframe title='Card payment' srcdoc='<button>Pay</button>'></iframe>")

    captured.page.frame_locator("iframe").get_by_role("button").click()

    (click,) = captured.wait_for(ACTIONS)
    assert click["frame"] == 'iframe[title="Card\\ payment"]'


@pytest.mark.parametrize(
    ("outer", "inner", "path"),
    [
        ("id=a", "title=In", 'iframe[id="a"] >> iframe[title="In"]'),
        ("", "", "html > body > iframe >> html > body > p > iframe"),
    ],
)
def test_an_action_in_a_frame_in_a_frame_says_which(
    capture: Capture, outer: str, inner: str, path: str
) -> None:
    within = f"<p><i></i><iframe {inner} srcdoc='<button>Pay</button>'></iframe></p>"
    captured = capture(f'<iframe {outer} srcdoc="{escape(within)}"></iframe>')

    frame = captured.page.frame_locator("iframe").frame_locator("iframe")
    frame.get_by_role("button").click()

    (click,) = captured.wait_for(ACTIONS)
    assert click["frame"] == path


def test_a_drag_says_what_was_dragged_and_where_it_was_dropped(
    capture: Capture,
) -> None:
    captured = capture(
        "<p id=from draggable=true>Take me</p><p id=to ondragover='event.preventDefault()'>Here</p>"
    )

    captured.page.locator("#from").drag_to(captured.page.locator("#to"))

    drags = [action for action in captured.actions() if action["type"] == "drag"]
    assert [(drag["selectors"]["id"], drag["drop"]["id"]) for drag in drags] == [("from", "to")]


@pytest.mark.parametrize(
    ("ask", "answer"),
    [("alert", "accept"), ("confirm", "accept"), ("confirm", "dismiss"), ("prompt", "dismiss")],
)
def test_a_dialog_says_how_it_was_answered(capture: Capture, ask: str, answer: str) -> None:
    captured = capture()
    captured.page.once("dialog", lambda dialog: getattr(dialog, answer)())

    captured.run(f"() => {ask}('Sure?')")

    (dialog,) = captured.actions()
    assert (dialog["type"], dialog["inputType"]) == ("dialog", ask)
    assert (dialog["text"], dialog["value"]) == ("Sure?", answer)


def test_a_dialog_of_the_first_script_is_told(capture: Capture) -> None:
    captured = capture("<script>alert('Welcome')</script>")

    (dialog,) = captured.actions()
    assert (dialog["type"], dialog["text"]) == ("dialog", "Welcome")


def test_what_the_user_does_while_a_page_loads_is_told(capture: Capture, site: Site) -> None:
    captured = capture()
    captured.page.route("**/never.png", lambda _route: None)
    loading = site.page("<button id=buy>Buy</button><img src='/never.png'>")
    captured.page.goto(loading, wait_until="commit")

    captured.page.click("#buy")

    (click,) = captured.actions()
    assert click["selectors"]["id"] == "buy"
    assert captured.run("document.readyState") == "interactive"


def test_typing_happened_when_it_began(capture: Capture) -> None:
    captured = capture("<input id=q oninput='window.typed ??= Date.now()'><button id=b>Go</button>")
    captured.page.locator("#q").press_sequentially("mug", delay=30)

    captured.page.click("#b")

    (typing, click) = captured.actions()
    assert typing["timestamp"] <= captured.run("() => window.typed") < click["timestamp"]


def test_what_happens_in_a_popup_is_not_its_openers(capture: Capture) -> None:
    captured = capture("<button onclick='window.open(location)'>Open</button>")
    with captured.page.expect_popup() as opened:
        captured.page.click("button")
    popup = Captured(opened.value, captured.inbox)
    popup.page.wait_for_load_state()

    popup.page.click("button")

    captured.flush()
    assert [action.get("tabId") for action in popup.actions()] == [None, -1]


@pytest.mark.parametrize(
    ("options", "chosen", "choices"),
    [
        ("<option>a<option>b", [1], None),
        ("<option value=x>A<option value=x>B", [1], ["B"]),
        ("<option value=1>2<option value=2>1", [1], [1]),
        ("<option value=x>A<option value=x>A", [1], [1]),
        (f"<option>a<option value={'v' * 100}>B", [1], None),
        (f"<option>a<option value={'v' * 101}>B", [1], ["B"]),
    ],
)
def test_a_choice_is_told_so_that_it_can_be_made_again(
    capture: Capture, options: str, chosen: list[int], choices: list[str | int] | None
) -> None:
    captured = capture(f"<select>{options}</select>")

    captured.page.select_option("select", index=chosen)

    (action,) = captured.actions()
    assert action.get("choices") == choices


@pytest.mark.parametrize(
    ("options", "chosen", "choices"),
    [
        ("<option>a<option>b<option>c", [0, 2], ["a", "c"]),
        ("<option>a<option>b<option>b", [0, 2], [0, 2]),
        ("<option selected>a", [], []),
        ("".join(f"<option>{n}" for n in range(101)), [*range(101)], [str(n) for n in range(100)]),
    ],
)
def test_of_several_choices_all_are_told(
    capture: Capture, options: str, chosen: list[int], choices: list[str | int]
) -> None:
    captured = capture(f"<select multiple>{options}</select>")

    captured.page.select_option("select", index=chosen)

    (action,) = captured.actions()
    assert action["choices"] == choices
