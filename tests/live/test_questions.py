"""Questions waiting for a page to answer them."""

import asyncio
from typing import Any

import msgspec
import pytest

from gasoline.live.questions import Questions

PATIENCE_S = 30.0


def ask(questions: Questions, selector: str = "h1", **options: Any) -> asyncio.Task[Any]:
    asked = questions.ask(
        "dom", {"selector": selector}, tab_id=None, timeout_s=PATIENCE_S, **options
    )
    return asyncio.ensure_future(asked)


async def pass_the_turn() -> None:
    await asyncio.sleep(0)


def test_a_question_is_listed_until_it_is_answered() -> None:
    async def scenario() -> None:
        questions = Questions()
        waiting = ask(questions)
        await pass_the_turn()
        listed = msgspec.to_builtins(questions.pending)

        taken = questions.answer("q-1", {"matchCount": 1})

        assert listed == [{"id": "q-1", "type": "dom", "params": {"selector": "h1"}}]
        assert taken
        assert await waiting == {"matchCount": 1}
        assert questions.pending == []

    asyncio.run(scenario())


def test_a_question_may_name_its_tab() -> None:
    async def scenario() -> None:
        questions = Questions()
        waiting = asyncio.ensure_future(
            questions.ask("page_info", {}, tab_id=31, timeout_s=PATIENCE_S)
        )
        await pass_the_turn()

        listed = msgspec.to_builtins(questions.pending)

        assert listed == [{"id": "q-1", "type": "page_info", "params": {}, "tab_id": 31}]
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


def test_a_question_nobody_answers_times_out_and_leaves_the_list() -> None:
    async def scenario() -> None:
        questions = Questions()

        with pytest.raises(TimeoutError):
            await questions.ask("dom", {}, tab_id=None, timeout_s=0)

        assert questions.pending == []
        assert not questions.answer("q-1", "late")

    asyncio.run(scenario())


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
