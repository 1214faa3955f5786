"""Accessibility audits of late: an equal question gets the same answer."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from gasoline.live.audits import Audits
from tests.builders import Clock


class Runs:
    """Counts the runs of an audit, which takes until it is told to go on."""

    def __init__(self) -> None:
        self.count = 0
        self.go_on = asyncio.Event()

    async def __call__(self) -> int:
        self.count += 1
        number = self.count
        await self.go_on.wait()
        return number


def at_once(answer: str) -> Callable[[], Awaitable[str]]:
    async def run() -> str:
        return answer

    return run


async def pass_the_turn() -> None:
    await asyncio.sleep(0)


def test_an_answer_is_fresh_for_thirty_seconds() -> None:
    async def scenario() -> None:
        clock = Clock(0)
        audits: Audits[str] = Audits(clock=lambda: clock() / 1000)

        answers = [await audits.get("page", at_once("first"))]
        clock.advance(seconds=29.9)
        answers.append(await audits.get("page", at_once("second")))
        answers.append(await audits.get("other page", at_once("other")))
        clock.advance(seconds=0.1)
        answers.append(await audits.get("page", at_once("third")))
        answers.append(await audits.get("page", at_once("fourth"), refresh=True))

        assert answers == ["first", "first", "other", "third", "fourth"]

    asyncio.run(scenario())


def test_ten_answers_are_kept() -> None:
    async def scenario() -> None:
        audits: Audits[str] = Audits(clock=lambda: 0)
        for number in range(11):
            await audits.get(number, at_once("old"))

        again = [await audits.get(number, at_once("new")) for number in (1, 10, 0)]

        assert again == ["old", "old", "new"]

    asyncio.run(scenario())


def test_those_who_ask_meanwhile_share_one_run() -> None:
    async def scenario() -> None:
        audits: Audits[int] = Audits()
        runs = Runs()
        asked = [
            asyncio.ensure_future(audits.get("page", runs, refresh=refresh))
            for refresh in (False, False, True)
        ]
        await pass_the_turn()
        runs.go_on.set()

        assert await asyncio.gather(*asked) == [1, 1, 1]
        assert runs.count == 1

    asyncio.run(scenario())


def test_when_the_one_who_runs_gives_up_another_takes_over() -> None:
    async def scenario() -> None:
        audits: Audits[int] = Audits()
        runs = Runs()
        first, second = (asyncio.ensure_future(audits.get("page", runs)) for _ in range(2))
        await pass_the_turn()
        first.cancel()
        await pass_the_turn()
        runs.go_on.set()

        assert await second == 2
        with pytest.raises(asyncio.CancelledError):
            await first

    asyncio.run(scenario())


def test_a_failure_reaches_all_who_wait_and_is_not_kept() -> None:
    async def fail() -> str:
        await pass_the_turn()
        raise TimeoutError

    async def scenario() -> None:
        audits: Audits[str] = Audits()
        asked = [asyncio.ensure_future(audits.get("page", fail)) for _ in range(2)]

        failures = await asyncio.gather(*asked, return_exceptions=True)

        assert [type(failure) for failure in failures] == [TimeoutError] * 2
        assert await audits.get("page", at_once("fine")) == "fine"

    asyncio.run(scenario())
