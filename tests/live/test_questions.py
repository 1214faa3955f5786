"""Questions to a page that is open now: who is asked, and who waits for the answer."""

import asyncio

import msgspec
import pytest

from gasoline.live.browsers import Browser, Question, Tab
from gasoline.live.questions import (
    POLLING_CLIENT,
    Destination,
    NobodyThereError,
    PageGoneError,
    Questions,
    UnknownTabError,
)
from tests.builders import Clock

SHOP = Tab(31, "http://shop/", "Shop", active=True)
BLOG = Tab(40, "http://blog/", "Blog")


def ask(questions: Questions, selector: str = "h1", to: Destination = POLLING_CLIENT) -> "Asked":
    return asyncio.ensure_future(questions.ask("dom", {"selector": selector}, to=to))


Asked = asyncio.Future[object]


async def pass_the_turn() -> None:
    await asyncio.sleep(0)


def browser(*tabs: Tab, asked: list[Question] | None = None, session: str = "") -> Browser:
    heard = asked if asked is not None else []
    return Browser(ask=heard.append, hang_up=lambda: None, tabs=tabs, session=session)


# Clients that poll


def test_a_question_is_listed_until_it_is_answered() -> None:
    async def scenario() -> None:
        questions = Questions()
        waiting = ask(questions)
        await pass_the_turn()
        listed = msgspec.to_builtins(questions.poll())

        taken = questions.answer("q-1", {"matchCount": 1})

        assert listed == [{"id": "q-1", "type": "dom", "params": {"selector": "h1"}}]
        assert taken
        assert await waiting == {"matchCount": 1}
        assert questions.pending == []

    asyncio.run(scenario())


def test_a_question_may_name_its_tab() -> None:
    async def scenario() -> None:
        questions = Questions()
        waiting = ask(questions, to=Destination(tab_id=31))
        await pass_the_turn()

        listed = msgspec.to_builtins(questions.pending)

        assert [question["tab_id"] for question in listed] == [31]
        questions.answer("q-1", None)
        assert await waiting is None

    asyncio.run(scenario())


def test_each_answer_reaches_its_own_question() -> None:
    async def scenario() -> None:
        questions = Questions()
        first, second = ask(questions, "h1"), ask(questions, "h2")
        await pass_the_turn()

        questions.answer("q-2", "second")
        questions.answer("q-1", "first")

        assert (await first, await second) == ("first", "second")

    asyncio.run(scenario())


def test_an_answer_nobody_waits_for_is_told_so() -> None:
    async def scenario() -> None:
        questions = Questions()
        waiting = ask(questions)
        await pass_the_turn()

        taken = [questions.answer(name, 1) for name in ("q-1", "q-1", "q-2", "")]

        assert taken == [True, False, False, False]
        await waiting

    asyncio.run(scenario())


@pytest.mark.parametrize("question_type", ["dom", "a11y"])
def test_a_question_nobody_answers_times_out_and_leaves_the_list(question_type: str) -> None:
    async def scenario() -> None:
        questions = Questions(timeout_s=0, audit_timeout_s=0)

        with pytest.raises(TimeoutError):
            await questions.ask(question_type, {}, to=POLLING_CLIENT)

        assert questions.pending == []
        assert not questions.answer("q-1", "late")

    asyncio.run(scenario())


def test_an_audit_gets_more_time() -> None:
    questions = Questions()

    assert [questions.timeout_s(kind) for kind in ("dom", "screenshot", "a11y")] == [10, 10, 30]


def test_the_oldest_of_six_questions_gives_way() -> None:
    async def scenario() -> None:
        questions = Questions()
        asked = [ask(questions, str(number)) for number in range(6)]
        await pass_the_turn()

        with pytest.raises(TimeoutError, match="displaced by newer questions"):
            await asked[0]

        assert [question.id for question in questions.pending] == [f"q-{n}" for n in range(2, 7)]
        for question in questions.pending:
            questions.answer(question.id, None)
        await asyncio.gather(*asked[1:])

    asyncio.run(scenario())


def test_a_question_given_up_by_its_asker_leaves_the_list() -> None:
    async def scenario() -> None:
        questions = Questions()
        waiting = ask(questions)
        await pass_the_turn()

        waiting.cancel()
        taken = questions.answer("q-1", "too late")

        assert not taken
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert questions.pending == []

    asyncio.run(scenario())


def test_giving_up_the_oldest_while_a_sixth_is_asked_harms_nobody() -> None:
    async def scenario() -> None:
        questions = Questions()
        asked = [ask(questions, str(number)) for number in range(5)]
        await pass_the_turn()

        sixth = ask(questions, "sixth")
        asked[0].cancel()
        await pass_the_turn()

        assert "q-6" in [question.id for question in questions.pending]
        for question in questions.pending:
            questions.answer(question.id, "done")
        assert await sixth == "done"
        await asyncio.gather(*asked, return_exceptions=True)

    asyncio.run(scenario())


# Who is asked


def test_nobody_there_is_known_before_anything_is_asked() -> None:
    with pytest.raises(NobodyThereError):
        Questions().choose(None)


def test_a_client_that_polls_is_there_for_five_seconds_after_each_poll() -> None:
    clock = Clock(0)
    questions = Questions(clock=lambda: clock() / 1000)
    questions.poll()

    clock.advance(seconds=4.9)
    chosen = questions.choose(7)
    clock.advance(seconds=0.1)

    assert chosen == Destination(None, 7)
    with pytest.raises(NobodyThereError):
        questions.choose(7)


def test_the_active_tab_of_the_browser_in_use_is_asked() -> None:
    questions, shop, blog = Questions(), browser(SHOP), browser(BLOG, SHOP)
    questions.browsers.connect(shop)
    questions.browsers.connect(blog)

    assert questions.choose(None) == Destination(blog, 31, "http://shop/")


def test_a_tab_is_found_in_the_browser_that_has_it() -> None:
    questions, shop, blog = Questions(), browser(SHOP), browser(BLOG)
    questions.browsers.connect(shop)
    questions.browsers.connect(blog)

    assert questions.choose(31) == Destination(shop, 31, "http://shop/")


def test_with_no_or_several_active_tabs_the_browser_chooses() -> None:
    questions, without = Questions(), browser(BLOG)
    questions.browsers.connect(without)

    assert questions.choose(None) == Destination(without)


def test_an_unknown_tab_is_an_error_that_knows_the_others() -> None:
    questions = Questions()
    questions.browsers.connect(browser(SHOP))
    questions.browsers.connect(browser(BLOG))

    with pytest.raises(UnknownTabError) as unknown:
        questions.choose(99)

    assert (unknown.value.tab_id, unknown.value.known) == (99, [SHOP, BLOG])


def test_a_tab_no_browser_has_may_belong_to_a_client_that_polls() -> None:
    questions = Questions()
    questions.browsers.connect(browser(SHOP))
    questions.poll()

    assert questions.choose(99) == Destination(None, 99)


# Connected browsers


def test_a_question_to_a_browser_is_sent_and_not_listed() -> None:
    async def scenario() -> None:
        heard: list[Question] = []
        questions, shop = Questions(), browser(SHOP, asked=heard)
        questions.browsers.connect(shop)
        waiting = ask(questions, to=questions.choose(None))
        await pass_the_turn()

        taken = [
            questions.answer("q-1", "forged", by=browser()),
            questions.answer("q-1", "true", by=shop),
        ]

        assert [question.tab_id for question in heard] == [31]
        assert questions.poll() == []
        assert taken == [False, True]
        assert await waiting == "true"

    asyncio.run(scenario())


def test_many_questions_to_a_browser_displace_none() -> None:
    async def scenario() -> None:
        questions, shop = Questions(), browser(SHOP)
        questions.browsers.connect(shop)
        asked = [ask(questions, to=questions.choose(None)) for _ in range(20)]
        await pass_the_turn()

        for number in range(1, 21):
            questions.answer(f"q-{number}", number, by=shop)

        assert await asyncio.gather(*asked) == list(range(1, 21))

    asyncio.run(scenario())


def test_a_browser_that_leaves_fails_its_questions_and_no_others() -> None:
    async def scenario() -> None:
        questions, shop, blog = Questions(), browser(SHOP), browser(BLOG)
        questions.browsers.connect(shop)
        questions.browsers.connect(blog)
        lost, goes_on = (ask(questions, to=questions.choose(tab)) for tab in (31, 40))
        await pass_the_turn()

        questions.disconnect(shop)
        questions.answer("q-2", "fine", by=blog)

        with pytest.raises(PageGoneError):
            await lost
        assert await goes_on == "fine"
        assert list(questions.browsers) == [blog]

    asyncio.run(scenario())
