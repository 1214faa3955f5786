"""What the user did, step by step, each with what followed from it."""

from gasoline.analysis.recording import Recording, cut
from gasoline.analysis.session import Session, build_sessions
from gasoline.records import DomSnapshot, EnhancedAction, NetworkBody, Screenshot


def click(at_ms: float, url: str = "http://app/a", **fields: object) -> EnhancedAction:
    return EnhancedAction(type="click", at_ms=at_ms, url=url, **fields)  # type: ignore[arg-type]  # fields of a record


def navigate(at_ms: float, to: str, **fields: object) -> EnhancedAction:
    return EnhancedAction(type="navigate", at_ms=at_ms, url=to, to_url=to, **fields)  # type: ignore[arg-type]  # same


def asked(at_ms: float, path: str, page: str = "http://app/a") -> NetworkBody:
    return NetworkBody(at_ms=at_ms, url=f"http://app{path}", page_url=page, status=200)


def only_session(*actions: EnhancedAction, **more: object) -> Session:
    (session,) = build_sessions(Recording(actions=actions, **more))  # type: ignore[arg-type]  # same
    return session


def test_a_request_belongs_to_the_action_before_it_however_long_ago() -> None:
    session = only_session(
        click(1000),
        click(3000),
        exchanges=(asked(1500, "/x"), asked(2999, "/y"), asked(90_000, "/z")),
    )

    paths = [[exchange.url[10:] for exchange in step.exchanges] for step in session.steps]
    assert paths == [[], ["/x", "/y"], ["/z"]]


def test_what_came_before_the_first_action_belongs_to_the_opening_of_its_page() -> None:
    session = only_session(
        click(1000), exchanges=(asked(1, "/other", "http://app/before"), asked(2, "/mine"))
    )

    assert [exchange.url for exchange in session.steps[0].exchanges] == ["http://app/mine"]


def test_a_page_load_is_seen_by_where_the_next_action_is() -> None:
    session = only_session(click(0), click(1000, "http://app/b"))

    assert (session.steps[1].landed, session.steps[1].loaded) == ("http://app/b", True)


def test_a_page_load_after_the_last_action_is_seen_by_what_the_page_showed() -> None:
    session = only_session(click(0), snapshots=(DomSnapshot(at_ms=900, url="http://app/b"),))

    assert session.steps[1].landed == "http://app/b"


def test_a_page_that_appears_too_late_was_opened_by_somebody() -> None:
    session = only_session(click(0), click(60_000, "http://app/b"))

    assert session.steps[1].landed is None
    assert session.steps[2].opened == "http://app/b"


def test_a_fragment_is_no_other_page() -> None:
    session = only_session(click(0), click(100, "http://app/a#top"))

    assert session.steps[1].landed is None


def test_a_change_of_address_is_a_consequence() -> None:
    session = only_session(click(0), navigate(10, "http://app/b"), click(500, "http://app/b"))

    assert (session.steps[1].landed, session.steps[1].loaded) == ("http://app/b", False)


def test_the_way_back_is_a_step_although_the_page_scrolled() -> None:
    session = only_session(
        click(0),
        navigate(10, "http://app/b"),
        EnhancedAction(type="scroll", at_ms=20, url="http://app/b"),
        navigate(3000, "http://app/a"),
    )

    assert [step.went_back for step in session.steps] == [False, False, False, True]


def test_a_redirect_back_at_once_is_none() -> None:
    session = only_session(click(0), navigate(10, "http://app/b"), navigate(20, "http://app/a"))

    assert [step.went_back for step in session.steps] == [False, False]


def test_actions_in_a_frame_do_not_move_the_page() -> None:
    inside = click(100, "http://pay/card", frame="iframe")

    session = only_session(click(0), inside, click(200))

    assert session.start_url == "http://app/a"
    assert [step.landed for step in session.steps] == [None] * 4


def test_a_session_that_begins_in_a_frame_begins_on_the_page_that_holds_it() -> None:
    inside = click(100, "http://pay/card", frame="iframe")

    session = only_session(inside, snapshots=(DomSnapshot(at_ms=50, url="http://app/pay"),))

    assert session.start_url == "http://app/pay"


def test_dialogs_belong_to_what_opened_them() -> None:
    dialog = EnhancedAction(type="dialog", at_ms=5, value="accept")

    assert only_session(click(0), dialog).steps[1].dialogs == (dialog,)


def test_pictures_are_joined_by_their_action_else_by_their_time() -> None:
    by_id = Screenshot(seq=1, at_ms=9000, action_id="act_1")
    by_time = Screenshot(seq=2, at_ms=1500)

    session = only_session(
        click(0, action_id="act_1"), click(1000, action_id="act_2"), pictures=(by_id, by_time)
    )

    assert [step.pictures for step in session.steps] == [(), (by_id,), (by_time,)]


def test_tabs_are_sessions_of_their_own() -> None:
    first, second = build_sessions(
        Recording(
            actions=(click(0, tab_id=1), click(1, tab_id=2), click(2, tab_id=1)),
            exchanges=(NetworkBody(at_ms=3, url="/x", tab_id=2), NetworkBody(at_ms=3, url="/y")),
        )
    )

    assert (len(first.actions), len(second.actions)) == (2, 1)
    assert [exchange.url for exchange in first.exchanges] == ["/y"]
    assert [exchange.url for exchange in second.exchanges] == ["/x"]


def test_the_last_actions_bring_what_followed_them() -> None:
    recording = Recording(
        actions=(click(0), click(1000)), exchanges=(asked(500, "/x"), asked(1000, "/y"))
    )

    last = cut(recording, last_n_actions=1)

    assert [action.at_ms for action in last.actions] == [1000]
    assert [exchange.url for exchange in last.exchanges] == ["http://app/y"]
